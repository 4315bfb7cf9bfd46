package io.arbitration.mainapi.docket;

import io.arbitration.platform.config.Configuration;

/**
 * Reading and writing of dockets.
 *
 * @param cacheBytesMax of the lists that are kept in memory
 * @param writeLanes transactions that write entries at once on this node
 * @param writeQueueMax writes that wait for one of those
 * @param openDraftsMax filings that a party can have in a case and still change
 */
public record DocketSettings(long cacheBytesMax, int writeLanes, int writeQueueMax, int openDraftsMax) {

    /** Of the compressed forms of these lists, which are kept beside them: JSON of lists takes less than a fourth. */
    public long compressedBytesMax() {
        return cacheBytesMax / 4;
    }

    public static DocketSettings read(Configuration c) {
        return new DocketSettings(c.whole("docket.cacheBytesMax", 0L, 4_294_967_296L), c.whole("docket.writeLanes", 1, 64),
                c.whole("docket.writeQueueMax", 1, 100_000), c.whole("docket.openDraftsMax", 1, 10_000));
    }
}
