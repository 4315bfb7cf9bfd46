package io.arbitration.domain.cases;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/**
 * Someone's part in a case. A user has at most one part in a case.
 *
 * @param organizationId organization of the user when the part began
 * @param isPrimary      may change the participants of its own side
 * @param isObserver     may only read; never primary
 * @param mayFile        whether it may file documents and evidence and serve notices, which the case manager can take from it
 */
public record Participant(
        UserId userId, Optional<OrganizationId> organizationId, PartyId partyId, boolean isPrimary, boolean isObserver, boolean mayFile) {

    public Participant {
        if (isPrimary && isObserver) {
            throw new IllegalArgumentException("an observer is not primary");
        }
    }

    /** One from whom nothing has been taken. */
    public Participant(UserId userId, Optional<OrganizationId> organizationId, PartyId partyId, boolean isPrimary, boolean isObserver) {
        this(userId, organizationId, partyId, isPrimary, isObserver, true);
    }

    /** Whether it acts, and doesn't only read, for that party. */
    public boolean actsFor(PartyId party) {
        return partyId.equals(party) && !isObserver;
    }

    /** The case manager changes every side, a primary participant its own. */
    public boolean mayChangeSide(PartyId party) {
        return actsFor(Party.CASE_MANAGER) || isPrimary && actsFor(party);
    }
}
