package io.arbitration;

import io.arbitration.ai.model.ModelSettings;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.limits.SharedRateLimiters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The heap that a node needs if all bounds of its settings are reached at once. If the heap is smaller, a request beyond its capacity would
 * not be refused; the process would run out of memory and all requests in progress would fail.
 */
record HeapBudget(List<Share> shares) {

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    /** Measured after a start in the demo profile: 30 MB are in use. */
    private static final long AT_REST = 32 * MIB;
    /** The size of the young generation that ./acp sets. */
    private static final long GARBAGE = 40 * MIB;
    /** Measured on 3,000 open connections: 7.9 kB each. */
    private static final long CONNECTION = 8 * KIB;
    /** A body is in memory twice: as bytes and parsed. */
    private static final long BYTES_PER_BODY_BYTE = 4;
    private static final long TRANSFER = MIB;
    /** The rows of a page of a list, at most a megabyte, and its answer. A request that waits for a connection has no rows yet. */
    private static final long PAGE = 2 * MIB;
    /** An event stream without its connection: measured on 10,000. */
    private static final long STREAM = 6 * KIB;
    /** A delivery: the event, the connection, the beginning of the answer. */
    private static final long DELIVERY = 12 * KIB;
    private static final long NOTIFICATION = 8 * KIB;
    /** A waiting HTTP/2 request with a head of 1 KB: 6.5 kB, measured on 2,400. A request with a longer head counts as several. */
    private static final long HTTP2_STREAM = 7 * KIB;
    /** A cached token or cookie with two permissions: 1.2 kB, measured on 20,000. */
    private static final long REMEMBERED = 1280;
    private static final long TOKENS_AND_COOKIES = 2;
    /** A revocation: 99 bytes for a session, 171 for a permission, measured on 100,000. */
    private static final long REVOCATION = 176;
    /** The text that is sent to the model, at most ten million characters. */
    private static final long READING = 12 * MIB;
    /** The images that are sent to the model, at most 50 MiB, in base64. */
    private static final long PICTURES = 67 * MIB;

    /**
     * The heap that one setting allows to be used.
     *
     * @param setting its key
     * @param value   its value
     */
    record Share(String setting, long value, long bytes) {
        @Override
        public String toString() {
            return "%s %d takes %d MB".formatted(setting, value, megabytes(bytes));
        }
    }

    static HeapBudget of(Settings settings) {
        List<Share> shares = new ArrayList<>();
        shares.add(each("http.connectionsMax", settings.server().connectionsMax(), CONNECTION));
        shares.add(each("http.streamsMax", settings.server().streamsMax(), HTTP2_STREAM));
        shares.add(each("http.bodiesBytesMax", settings.body().held().most(), BYTES_PER_BODY_BYTE));
        shares.add(each("http.answersBytesMax", settings.server().answers().most(), 1));
        shares.add(each("database.poolConnections", settings.database().poolConnections(), PAGE));
        if (settings.rateLimit().enabled()) {
            shares.add(each("rateLimit.keysMax", settings.rateLimit().keysMax(), (long) SharedRateLimiters.LIMITERS_MAX * SharedRateLimiters.BYTES_PER_KEY));
        }
        shares.add(each("identity.rememberedMax", settings.identity().rememberedMax(), TOKENS_AND_COOKIES * REMEMBERED));
        shares.add(each("identity.revocationsMax", settings.identity().revocationsMax(), REVOCATION));
        if (settings.areas().serves("api")) {
            long lists = settings.docket().cacheBytesMax();
            shares.add(new Share("docket.cacheBytesMax", lists, Math.addExact(lists, settings.docket().compressedBytesMax())));
            shares.add(each("live.streamsMax", settings.live().streamsMax(), STREAM));
            shares.add(each("evidence.transfersMax", settings.evidence().transfersMax(), TRANSFER));
        }
        if (settings.areas().serves("cases")) {
            shares.add(each("export.bytesMax", settings.export().bytesMax(), 1));
        }
        if (settings.areas().serves("pdfs")) {
            shares.add(each("pdfs.templatesBytesMax", settings.pdfs().templatesBytesMax(), 1));
        }
        if (settings.areas().serves("webhooks")) {
            shares.add(each("webhooks.inFlight", settings.webhooks().inFlight(), DELIVERY));
        }
        if (settings.areas().serves("push")) {
            shares.add(each("push.inFlight", settings.push().inFlight(), NOTIFICATION));
        }
        if (settings.areas().serves("ai")) {
            settings.ai().model().ifPresent(model -> {
                shares.add(each("ai.analysesAtOnce", settings.ai().analysesAtOnce(), READING));
                shares.add(each("ai.awardsAtOnce", settings.ai().awardsAtOnce(), READING + (model.images() != ModelSettings.Images.NO ? PICTURES : 0)));
            });
        }
        return new HeapBudget(List.copyOf(shares));
    }

    private static Share each(String setting, long value, long bytes) {
        return new Share(setting, value, Math.multiplyExact(value, bytes));
    }

    private static long megabytes(long bytes) {
        return Math.ceilDiv(bytes, MIB);
    }

    long bytes() {
        return shares.stream().mapToLong(Share::bytes).reduce(AT_REST + GARBAGE, Math::addExact);
    }

    /** @throws StartFailure if the heap is smaller; the message names each setting and its share, the largest first */
    void check(long heapBytes) {
        if (bytes() <= heapBytes) {
            return;
        }
        String largest = shares.stream().sorted(Comparator.comparingLong(Share::bytes).reversed()).map(Share::toString).collect(Collectors.joining(", "));
        throw new StartFailure(StartFailure.MISCONFIGURED,
                ("the heap is %d MB, and the bounds of the settings need %d MB: %s, the node itself %d MB. Lower these, or give the node more heap: "
                        + "ACP_JAVA_OPTIONS=-Xmx%dm").formatted(heapBytes / MIB, megabytes(bytes()), largest, megabytes(AT_REST + GARBAGE),
                        // The JVM reserves a part of the heap for itself.
                        megabytes(bytes() + bytes() / 32)), null);
    }
}
