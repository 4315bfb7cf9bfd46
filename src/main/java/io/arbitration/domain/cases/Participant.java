package io.arbitration.domain.cases;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/**
 * A user's participation in a case. A user participates in a case at most once.
 *
 * @param organizationId organization of the user when the participation began
 * @param isPrimary may change the participants of its own side
 * @param isObserver may only read; never primary
 * @param mayFile whether it may file documents and evidence and serve notices; the case manager can withdraw this right
 */
public record Participant(
        UserId userId, Optional<OrganizationId> organizationId, PartyId partyId, boolean isPrimary, boolean isObserver, boolean mayFile) {

    public Participant {
        if (isPrimary && isObserver) {
            throw new IllegalArgumentException("an observer is not primary");
        }
    }

    /** A participant who joins a case, with the right to file. */
    public static Participant joining(UserId userId, Optional<OrganizationId> organizationId, PartyId partyId, boolean isPrimary, boolean isObserver) {
        return new Participant(userId, organizationId, partyId, isPrimary, isObserver, true);
    }

    /** Whether it acts for that party, and does not only observe. */
    public boolean actsFor(PartyId party) {
        return partyId.equals(party) && !isObserver;
    }

    /** The case manager changes every side, a primary participant its own. */
    public boolean mayChangeSide(PartyId party) {
        return actsFor(Party.CASE_MANAGER) || isPrimary && actsFor(party);
    }
}
