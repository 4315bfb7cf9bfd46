package io.arbitration.domain.docket;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;
import java.util.Optional;

/**
 * Who sees a docket entry. All participants of the case see an entry that is not sealed. A sealed entry is visible to the side
 * that filed it, the case manager, the arbitrators, and the parties that its seal names; observers see what the other members of
 * their side see. Users who are no participants see nothing, not even super administrators.
 *
 * <p>The column {@code seen_by} of {@code mainapi.seals} implements the same rule in SQL.
 */
public final class EntryVisibility {

    /** The title of a sealed entry for readers who may not see it. */
    public static final String WITHHELD_TITLE = "Sealed document";

    private EntryVisibility() {}

    /**
     * @param viewer party of the participant; empty for a user who is no participant
     * @param seal the present seal of the entry; empty if it is not sealed
     */
    public static boolean sees(Optional<PartyId> viewer, PartyId filedBy, Optional<Seal.Terms> seal) {
        return viewer.filter(party -> seal.isEmpty() || isAlwaysSeenBy(party, filedBy) || seal.get().visibleTo().contains(party))
                .isPresent();
    }

    private static boolean isAlwaysSeenBy(PartyId party, PartyId filedBy) {
        return party.equals(filedBy) || party.equals(Party.CASE_MANAGER) || party.equals(Party.ARBITRATOR);
    }
}
