package io.arbitration.platform.body;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.limits.ByteBudget;
import java.time.Duration;

/**
 * What bodies of requests may take.
 *
 * @param bytesMax of one body
 * @param held bytes of all bodies at once
 * @param validateInlineBytesMax larger ones are checked on a worker thread
 * @param arrival time within which a body must have arrived
 * @param paceBytesMin bytes a second; one that comes more slowly over a third of that time is refused before its end
 * @param uploadMost time within which a form with a file must have arrived
 */
public record BodySettings(int bytesMax, ByteBudget.Bounds held, int validateInlineBytesMax, Duration arrival, int paceBytesMin, Duration uploadMost) {

    /** How often the pace of a body is looked at in the time that it has. */
    static final int LOOKS = 3;

    /** Over which the pace of a body, or of a form with a file, is looked at. */
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
