package io.arbitration.domain.cases;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/** A requested change of a case. */
public sealed interface CaseCommand {

    /**
     * @param userId empty if the client's text names no user
     * @param partyID as the client wrote it
     */
    record AddParticipant(Optional<UserId> userId, String partyID, boolean isPrimary, boolean isObserver) implements CaseCommand {}

    /**
     * @param userId empty if the client's text names no user
     * @param partyID the party for which the user must participate, as the client wrote it; empty: any
     */
    record RemoveParticipant(Optional<UserId> userId, Optional<String> partyID) implements CaseCommand {}

    /** The user joins the case as invited. */
    record AcceptInvitation(PartyId partyId, boolean isPrimary, boolean isObserver) implements CaseCommand {}

    /** @param userId empty if the client's text names no user */
    record Restrict(Optional<UserId> userId, boolean mayFile) implements CaseCommand {}

    /** @param phaseID a later phase, as the client wrote it; empty: the next one */
    record Advance(Optional<String> phaseID) implements CaseCommand {}

    /** @param reason in the words of the case manager */
    record Close(String reason) implements CaseCommand {}
}
