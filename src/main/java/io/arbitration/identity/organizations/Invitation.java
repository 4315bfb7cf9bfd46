package io.arbitration.identity.organizations;

import io.arbitration.domain.invitation.InvitationTerms;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An invitation to join an organization: for a user, or for an email address.
 *
 * @param invitedBy an administrator of the organization; the invitation is void if this user is disabled or no longer an
 * administrator
 * @param isAnswered whether it was accepted, declined or revoked
 * @param isVoid whether its inviter may no longer invite
 */
record Invitation(
        UUID id, UUID organizationId, String organizationName, Invitee invitee, boolean isAdministrator, UUID invitedBy, Instant created,
        Instant expiresAt, boolean isAnswered, boolean isVoid) {

    /** The invited person: exactly one of the two. */
    record Invitee(Optional<UUID> userId, Optional<String> email) {}

    /** The obstacle to accepting or declining it; empty: none. */
    Optional<OrganizationError> obstacle(Instant now) {
        return obstacle(isVoid, now);
    }

    /** The obstacle to revoking it; a void one can be revoked, because its inviter may become an administrator again. */
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
