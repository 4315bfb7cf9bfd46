package io.arbitration.domain.docket;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;
import java.util.Optional;

/**
 * Who sees a docket entry. Everyone who takes part in the case sees one that is not sealed. A sealed one is seen by the side that
 * filed it, by the case manager and the arbitrators, and by the parties that its seal names; observers see what the other members
 * of their side see. Whoever takes no part sees nothing, a super administrator too.
 *
 * <p>The column {@code seen_by} of {@code mainapi.seals} says the same in SQL.
 */
public final class EntryVisibility {

    /** What a sealed entry is called before those who may not see it. */
    public static final String WITHHELD_TITLE = "Sealed document";

    private EntryVisibility() {}

    /**
     * @param viewer party of whoever takes part in the case; empty for one who does not
     * @param seal as the entry is sealed now; empty when it is not
     */
    public static boolean sees(Optional<PartyId> viewer, PartyId filedBy, Optional<Seal.Terms> seal) {
        return viewer.filter(party -> seal.isEmpty() || isAlwaysSeenBy(party, filedBy) || seal.get().visibleTo().contains(party))
                .isPresent();
    }

    private static boolean isAlwaysSeenBy(PartyId party, PartyId filedBy) {
        return party.equals(filedBy) || party.equals(Party.CASE_MANAGER) || party.equals(Party.ARBITRATOR);
    }
}
