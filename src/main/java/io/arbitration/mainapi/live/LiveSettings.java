package io.arbitration.mainapi.live;

import io.arbitration.platform.config.Configuration;

/**
 * Event streams.
 *
 * @param streamsMax open at once on this node
 * @param streamsPerCaller of these, of one caller
 */
public record LiveSettings(int streamsMax, int streamsPerCaller) {

    public static LiveSettings read(Configuration c) {
        return new LiveSettings(c.whole("live.streamsMax", 1, 1_000_000), c.whole("live.streamsPerCaller", 1, 10_000));
    }
}
