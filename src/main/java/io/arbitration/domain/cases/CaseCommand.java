package io.arbitration.domain.cases;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/** What somebody wants to change in a case. */
public sealed interface CaseCommand {

    /**
     * @param userId  empty: what the client wrote names no user
     * @param partyID as the client wrote it
     */
    record AddParticipant(Optional<UserId> userId, String partyID, boolean isPrimary, boolean isObserver) implements CaseCommand {}

    /**
     * @param userId  empty: what the client wrote names no user
     * @param partyID what the user must take part as, as the client wrote it; empty: as anything
     */
    record RemoveParticipant(Optional<UserId> userId, Optional<String> partyID) implements CaseCommand {}

    /** The asker takes the part that it was invited to. */
    record AcceptInvitation(PartyId partyId, boolean isPrimary, boolean isObserver) implements CaseCommand {}

    /** @param userId empty: what the client wrote names no user */
    record Restrict(Optional<UserId> userId, boolean mayFile) implements CaseCommand {}

    /** @param phaseID a later phase, as the client wrote it; empty: the next one */
    record Advance(Optional<String> phaseID) implements CaseCommand {}

    /** @param reason in the words of the case manager */
    record Close(String reason) implements CaseCommand {}
}
