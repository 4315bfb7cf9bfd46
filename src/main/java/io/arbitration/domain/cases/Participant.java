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
 */
public record Participant(
        UserId userId, Optional<OrganizationId> organizationId, PartyId partyId, boolean isPrimary, boolean isObserver) {

    public Participant {
        if (isPrimary && isObserver) {
            throw new IllegalArgumentException("an observer is not primary");
        }
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
