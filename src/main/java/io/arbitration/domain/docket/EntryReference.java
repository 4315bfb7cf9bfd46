package io.arbitration.domain.docket;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import java.util.Optional;

/**
 * A docket entry of the same case to which a filing refers.
 *
 * @param partyId party that filed it
 * @param rootEntryId first entry of the chain of replies; empty when the entry is no reply
 * @param superseded whether another entry has replaced it
 */
public record EntryReference(EntryId entryId, PartyId partyId, Optional<EntryId> rootEntryId, boolean superseded) {

    /** The same after another entry has replaced it. */
    public EntryReference nowSuperseded() {
        return new EntryReference(entryId, partyId, rootEntryId, true);
    }

    /** The reference to an entry that was just made. */
    public static EntryReference to(DocketEntry entry) {
        return new EntryReference(entry.entryId(), entry.partyId(), entry.rootEntryId(), false);
    }

    /** The first entry of the chain of replies to which a reply to this entry belongs. */
    public EntryId rootOfReply() {
        return rootEntryId.orElse(entryId);
    }
}
