package io.arbitration.cases;

import io.arbitration.domain.cases.Party;
import java.util.Optional;
import java.util.UUID;

/**
 * Someone's part in a case: one part a person.
 *
 * @param organizationId organization of the user when the part began
 * @param isPrimary      may change the participants of its own side
 * @param isObserver     may only read; never primary
 */
record Participant(UUID userId, Optional<UUID> organizationId, String partyID, boolean isPrimary, boolean isObserver) {

    Participant {
        if (isPrimary && isObserver) {
            throw new IllegalArgumentException("an observer is not primary");
        }
    }

    /** Whether it acts, and doesn't only read, for that party. */
    boolean actsFor(String party) {
        return partyID.equals(party) && !isObserver;
    }

    /** The case manager changes every side, a primary participant its own. */
    boolean mayChangeSide(String party) {
        return actsFor(Party.CASE_MANAGER) || isPrimary && actsFor(party);
    }
}
