package io.arbitration.mainapi.export;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;

/**
 * The settings of exports.
 *
 * @param atOnce on this node
 * @param bytesMax heap of all running exports on this node; an export that alone needs more is refused
 * @param stall a client that takes longer for one block is disconnected
 * @param most a client that takes longer for the whole export is disconnected
 */
public record ExportSettings(int atOnce, int atOncePerCaller, long bytesMax, Duration stall, Duration most) {

    public static ExportSettings read(Configuration c) {
        return new ExportSettings(c.whole("export.atOnceMax", 1, 100), c.whole("export.atOncePerCaller", 1, 100),
                c.whole("export.bytesMax", 17_825_792L, 68_719_476_736L),
                Duration.ofSeconds(c.whole("export.stallSeconds", 1, 600)), Duration.ofMinutes(c.whole("export.minutesMax", 1, 1440)));
    }
}
