package io.arbitration.domain.evidence;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;
import java.util.Locale;
import java.util.Map;

/**
 * How an exhibit is called in its case.
 *
 * @param inParty its number among those of its party, from 1
 */
public record ExhibitNumber(PartyId partyId, int inParty) {

    private static final Map<PartyId, String> LETTERS = Map.of(
            Party.CLAIMANT, "C", Party.RESPONDENT, "R", Party.CASE_MANAGER, "M", Party.ARBITRATOR, "A");

    /** {@code C-1}, {@code R-1}; a party that the definitions add is written out. */
    @Override
    public String toString() {
        return LETTERS.getOrDefault(partyId, partyId.value().toUpperCase(Locale.ROOT)) + "-" + inParty;
    }
}
