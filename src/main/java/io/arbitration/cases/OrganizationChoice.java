package io.arbitration.cases;

import io.arbitration.platform.pipeline.Call;

/** The organization for which a user participates in a case, {@code organizationID} in the interface. */
public sealed interface OrganizationChoice {

    /** Not given: for the caller, the organization of its session; for another user, the one for which it usually acts. */
    record Usual() implements OrganizationChoice {}

    /** {@code null}: for none. */
    record None() implements OrganizationChoice {}

    /** @param organizationID as the client wrote it; the user must belong to it */
    record Named(String organizationID) implements OrganizationChoice {}

    static OrganizationChoice of(Call call) {
        if (!call.hasAny("organizationID")) {
            return new Usual();
        }
        return call.optionalText("organizationID").<OrganizationChoice>map(Named::new).orElseGet(None::new);
    }
}
