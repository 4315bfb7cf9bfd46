package io.arbitration.identity.organizations;

import io.arbitration.domain.invitation.InvitationTerms;
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

    /** What stands against accepting or declining it; empty: nothing. */
    Optional<OrganizationError> obstacle(Instant now) {
        return obstacle(isVoid, now);
    }

    /** What stands against revoking it; one that is void can be revoked, since its inviter may come back. */
    Optional<OrganizationError> obstacleToRevoking(Instant now) {
        return obstacle(false, now);
    }

    private Optional<OrganizationError> obstacle(boolean voided, Instant now) {
        return InvitationTerms.obstacle(isAnswered, voided, expiresAt, now).map(obstacle -> switch (obstacle) {
            case VOID -> OrganizationError.INVITATION_NOT_FOUND;
            case ANSWERED -> OrganizationError.INVITATION_ANSWERED;
            case EXPIRED -> OrganizationError.INVITATION_EXPIRED;
        });
    }
}
