package io.arbitration.cases;

import io.arbitration.platform.pipeline.Call;

/** For which organization somebody is to take part in a case, {@code organizationID} on the wire. */
public sealed interface OrganizationChoice {

    /** Nothing was said: the caller for the one that its session acts for, somebody else for the one that it usually acts for. */
    record Usual() implements OrganizationChoice {}

    /** {@code null}: for none. */
    record None() implements OrganizationChoice {}

    /** @param organizationID as the client wrote it; one that the person belongs to */
    record Named(String organizationID) implements OrganizationChoice {}

    static OrganizationChoice of(Call call) {
        if (!call.hasAny("organizationID")) {
            return new Usual();
        }
        return call.optionalText("organizationID").<OrganizationChoice>map(Named::new).orElseGet(None::new);
    }
}
