package io.arbitration.platform.auth;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.db.RequestKey;
import java.util.Optional;
import java.util.UUID;

/**
 * Who asks for a change, from where, and for which request: what services decide by and the audit trail keeps.
 *
 * @param address of the peer, or the one that a trusted proxy names
 * @param trace context of the trace that the request is part of (W3C {@code traceparent}); empty where it is not traced
 * @param key the {@code Idempotency-Key} that the request holds, to be marked in the transaction that does its work
 * @param actingOrganization the header {@code Acting-Organization} as it was sent: for which organization the page of the request acts
 */
public record Requester(Caller caller, String requestId, String address, Optional<String> trace, Optional<RequestKey> key, Optional<String> actingOrganization) {

    /** What {@code Acting-Organization} names where a page acts for no organization. */
    private static final String NO_ORGANIZATION = "none";

    public UUID userId() {
        return caller.id();
    }

    public boolean isSuperAdministrator() {
        return caller.isSuperAdministrator();
    }

    /**
     * Refuses a request of a page that acts for another organization than its session. All tabs of a browser have one session, and each of
     * them can choose the organization. Called with the organization that the request is then carried out for, so that one that is chosen
     * meanwhile makes no difference.
     *
     * @param organizationId which the session acts for; empty: none
     * @throws Refusal 403 when {@code Acting-Organization} was sent and names another one
     */
    public void requireActingFor(Optional<UUID> organizationId) {
        if (actingOrganization.isPresent() && !actingOrganization.get().equals(organizationId.map(UUID::toString).orElse(NO_ORGANIZATION))) {
            throw HttpError.ANOTHER_ORGANIZATION.refusal();
        }
    }
}
