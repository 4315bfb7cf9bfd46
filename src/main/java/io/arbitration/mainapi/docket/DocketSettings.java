package io.arbitration.mainapi.docket;

import io.arbitration.platform.config.Configuration;

/**
 * Reading and writing of dockets.
 *
 * @param cacheBytesMax of the cache of docket lists
 * @param writeLanes    concurrent transactions of this node that write entries
 * @param writeQueueMax writes that may wait for one of those
 * @param openDraftsMax drafts and rejected filings that a party may have in a case
 */
public record DocketSettings(long cacheBytesMax, int writeLanes, int writeQueueMax, int openDraftsMax) {

    /** The bound of the cache of compressed lists: compressed, a list takes less than a fourth. */
    public long compressedBytesMax() {
        return cacheBytesMax / 4;
    }

    public static DocketSettings read(Configuration c) {
        return new DocketSettings(c.whole("docket.cacheBytesMax", 0L, 4_294_967_296L), c.whole("docket.writeLanes", 1, 64),
                c.whole("docket.writeQueueMax", 1, 100_000), c.whole("docket.openDraftsMax", 1, 10_000));
    }
}
