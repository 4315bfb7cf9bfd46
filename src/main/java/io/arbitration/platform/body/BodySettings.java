package io.arbitration.platform.body;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.limits.ByteBudget;
import java.time.Duration;

/**
 * The bounds of request bodies.
 *
 * @param bytesMax the most bytes of one body
 * @param held the bounds of the bytes of all bodies that are in memory at once
 * @param validateInlineBytesMax larger bodies are checked on a worker thread
 * @param arrival the longest time until a body has arrived
 * @param paceBytesMin the least bytes a second; a body that arrives more slowly over a third of that time is refused before its end
 * @param uploadMost the longest time until a form with a file has arrived
 */
public record BodySettings(int bytesMax, ByteBudget.Bounds held, int validateInlineBytesMax, Duration arrival, int paceBytesMin, Duration uploadMost) {

    /** How often the pace of a body is checked in the time that it has. */
    static final int LOOKS = 3;

    /** The time over which the pace of a body, or of a form with a file, is measured. */
    public Duration paceWindow() {
        return arrival.dividedBy(LOOKS);
    }

    public static BodySettings read(Configuration c) {
        return new BodySettings(c.whole("http.bodyBytesMax", 1024, 67_108_864),
                new ByteBudget.Bounds(c.whole("http.bodiesBytesMax", 1024L, 68_719_476_736L), c.whole("http.bodiesBytesPerCaller", 1024L, 68_719_476_736L),
                        c.whole("http.bodiesBytesPerAddress", 1024L, 68_719_476_736L)),
                c.whole("http.validateInlineBytesMax", 0, 1_048_576), Duration.ofSeconds(c.whole("http.bodySeconds", 1, 600)),
                c.whole("http.paceBytesMin", 1, 1_048_576), Duration.ofSeconds(c.whole("http.uploadSeconds", 1, 604_800)));
    }
}
