package io.arbitration.platform.auth;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.db.RequestKey;
import java.util.Optional;
import java.util.UUID;

/**
 * The origin of a change: caller, address and request, as services and the audit trail use them.
 *
 * @param address of the peer, or the one that a trusted proxy names
 * @param trace trace context of the request (W3C {@code traceparent}); empty if it is not traced
 * @param key the claimed {@code Idempotency-Key}, which the transaction of the work marks
 * @param actingOrganization the header {@code Acting-Organization} as it was sent: the organization for which the page acts
 */
public record Requester(Caller caller, String requestId, String address, Optional<String> trace, Optional<RequestKey> key, Optional<String> actingOrganization) {

    /** The value of {@code Acting-Organization} for a page that acts for no organization. */
    private static final String NO_ORGANIZATION = "none";

    public UUID userId() {
        return caller.id();
    }

    public boolean isSuperAdministrator() {
        return caller.isSuperAdministrator();
    }

    /**
     * Refuses a request of a page that acts for another organization than its session. All tabs of a browser share one session,
     * and the organization can be chosen in each of them. Called with the organization for which the request is then executed, so
     * that a choice made meanwhile has no effect.
     *
     * @param organizationId the organization for which the session acts; empty: none
     * @throws Refusal 403 if {@code Acting-Organization} was sent and names another one
     */
    public void requireActingFor(Optional<UUID> organizationId) {
        if (actingOrganization.isPresent() && !actingOrganization.get().equals(organizationId.map(UUID::toString).orElse(NO_ORGANIZATION))) {
            throw HttpError.ANOTHER_ORGANIZATION.refusal();
        }
    }
}
