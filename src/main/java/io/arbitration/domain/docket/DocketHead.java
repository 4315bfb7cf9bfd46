package io.arbitration.domain.docket;

import io.arbitration.domain.hash.ContentHash;
import java.time.Instant;

/**
 * The end of a docket, to which the next entry is chained.
 *
 * @param lastNumber of the last entry; 0 for an empty docket
 * @param hash of the last entry
 * @param enteredAt when the last entry was entered; no entry has an earlier time than the entry before it
 */
public record DocketHead(int lastNumber, String hash, Instant enteredAt) {

    /** Of a docket without entries. */
    public static final DocketHead EMPTY = new DocketHead(0, ContentHash.FIRST_PREVIOUS_HASH, Instant.EPOCH);

    /** The head of a docket whose last entry this is. */
    public static DocketHead at(DocketEntry entry) {
        return new DocketHead(entry.number(), entry.hash(), entry.enteredAt());
    }
}
