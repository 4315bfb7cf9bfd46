package io.arbitration.domain.docket;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.hash.ContentHash;
import java.util.List;
import java.util.Optional;

/**
 * The progress of checking the chain of a docket: numbers without a gap, and the hash of each entry over its content and over the
 * previous hash.
 *
 * @param entries that were checked
 * @param number of the last of them; the same applies to hash and ID
 * @param brokenAt the first entry that does not follow from the one before; empty while all do
 */
public record ChainCheck(int entries, int number, String hash, Optional<EntryId> entryId, Optional<EntryId> brokenAt) {

    /** Before the first entry. */
    public static final ChainCheck START = new ChainCheck(0, 0, ContentHash.FIRST_PREVIOUS_HASH, Optional.empty(), Optional.empty());

    /** The check after the next entries, in order. Computes their hashes, so it is work for a worker thread. */
    public ChainCheck after(List<ChainLink> links) {
        ChainCheck check = this;
        for (ChainLink link : links) {
            boolean holds = link.follows(check.number, check.hash);
            Optional<EntryId> broken = check.brokenAt.isPresent() || holds ? check.brokenAt : Optional.of(link.entryId());
            check = new ChainCheck(check.entries + 1, link.number(), link.hash(), Optional.of(link.entryId()), broken);
        }
        return check;
    }

    /**
     * The end of a docket as its case states it.
     *
     * @param firstBehind the first entry after the stated end; there must be none
     */
    public record StatedEnd(int lastNumber, String hash, Optional<EntryId> firstBehind) {}

    /**
     * The result of the check.
     *
     * @param firstBroken the entry at which the chain breaks, if there is one: not if only the last entries are missing
     */
    public record Report(boolean valid, int entries, String headHash, Optional<EntryId> firstBroken) {}

    /** Compares the end of the checked chain with the stated one. */
    public Report against(StatedEnd end) {
        boolean ends = number == end.lastNumber && hash.equals(end.hash) && end.firstBehind.isEmpty();
        Optional<EntryId> broken = brokenAt.isPresent() || ends ? brokenAt : brokenEnd(end);
        return new Report(brokenAt.isEmpty() && ends, entries, end.hash, broken);
    }

    private Optional<EntryId> brokenEnd(StatedEnd end) {
        boolean lastIsAnother = number == end.lastNumber && !hash.equals(end.hash);
        return lastIsAnother ? entryId : end.firstBehind;
    }
}
