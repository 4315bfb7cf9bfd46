package io.arbitration.domain.docket;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import java.util.Optional;

/**
 * A docket entry of the same case that a filing refers to.
 *
 * @param partyId party that filed it
 * @param rootEntryId first entry of the chain of replies; empty when the entry is no reply
 * @param superseded whether another entry has taken its place
 */
public record EntryReference(EntryId entryId, PartyId partyId, Optional<EntryId> rootEntryId, boolean superseded) {

    /** The same after another entry has taken its place. */
    public EntryReference nowSuperseded() {
        return new EntryReference(entryId, partyId, rootEntryId, true);
    }

    /** The reference to an entry that was just made. */
    public static EntryReference to(DocketEntry entry) {
        return new EntryReference(entry.entryId(), entry.partyId(), entry.rootEntryId(), false);
    }

    /** The first entry of the chain of replies that a reply to this entry belongs to. */
    public EntryId rootOfReply() {
        return rootEntryId.orElse(entryId);
    }
}
