package io.arbitration.cases.invitations;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.invitation.InvitationTerms;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An invitation of an email address to become a participant of a case.
 *
 * @param caseTitle the present title
 * @param isAnswered whether it was accepted, declined or revoked
 * @param isVoid whether its inviter was disabled or may no longer add that participant
 */
record Invitation(
        UUID id, CaseId caseId, String caseTitle, String email, PartyId partyId, boolean isPrimary, boolean isObserver, UserId invitedBy,
        Instant created, Instant expiresAt, boolean isAnswered, boolean isVoid) {

    /** The obstacle to accepting or declining it; empty: none. */
    Optional<InvitationError> obstacle(Instant now) {
        return obstacle(isVoid, now);
    }

    /** The obstacle to revoking it; a void one can be revoked, because its inviter may get the right again. */
    Optional<InvitationError> obstacleToRevoking(Instant now) {
        return obstacle(false, now);
    }

    private Optional<InvitationError> obstacle(boolean voided, Instant now) {
        return InvitationTerms.obstacle(isAnswered, voided, expiresAt, now).map(obstacle -> switch (obstacle) {
            case VOID -> InvitationError.NOT_FOUND;
            case ANSWERED -> InvitationError.ANSWERED;
            case EXPIRED -> InvitationError.EXPIRED;
        });
    }
}
