package io.arbitration.domain.evidence;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;
import java.util.Locale;
import java.util.Map;

/**
 * The number of an exhibit in its case.
 *
 * @param inParty its number within its party, from 1
 */
public record ExhibitNumber(PartyId partyId, int inParty) {

    private static final Map<PartyId, String> LETTERS = Map.of(
            Party.CLAIMANT, "C", Party.RESPONDENT, "R", Party.CASE_MANAGER, "M", Party.ARBITRATOR, "A");

    /** {@code C-1}, {@code R-1}; with the full name of a party that the definitions add. */
    @Override
    public String toString() {
        return LETTERS.getOrDefault(partyId, partyId.value().toUpperCase(Locale.ROOT)) + "-" + inParty;
    }
}
