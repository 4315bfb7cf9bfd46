package io.arbitration.identity.organizations;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An invitation into an organization: to a user, or to whoever has an email.
 *
 * @param invitedBy an administrator of the organization; who is no longer one, or disabled, voids it
 * @param isAnswered whether it was accepted, declined or revoked
 * @param isVoid whether its inviter may not invite any more
 */
record Invitation(
        UUID id, UUID organizationId, String organizationName, Invitee invitee, boolean isAdministrator, UUID invitedBy, Instant created,
        Instant expiresAt, boolean isAnswered, boolean isVoid) {

    /** Whom it is for: exactly one of the two. */
    record Invitee(Optional<UUID> userId, Optional<String> email) {}

    /** What an answer to it comes to; empty: it can be answered. */
    Optional<OrganizationError> obstacle(Instant now) {
        if (isAnswered) {
            return Optional.of(OrganizationError.INVITATION_ANSWERED);
        }
        return now.isBefore(expiresAt) ? Optional.empty() : Optional.of(OrganizationError.INVITATION_EXPIRED);
    }
}
