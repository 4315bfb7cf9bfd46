package io.arbitration.mainapi.live;

import io.arbitration.platform.config.Configuration;

/**
 * Event streams.
 *
 * @param streamsMax open at once on this node
 * @param streamsPerCaller of these, of one caller
 * @param stallSeconds a client that takes nothing for so long is cut off; it goes on with its {@code Last-Event-ID}
 */
public record LiveSettings(int streamsMax, int streamsPerCaller, int stallSeconds) {

    public static LiveSettings read(Configuration c) {
        return new LiveSettings(c.whole("live.streamsMax", 1, 1_000_000), c.whole("live.streamsPerCaller", 1, 10_000), c.whole("live.stallSeconds", 1, 600));
    }
}
