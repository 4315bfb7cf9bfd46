package io.arbitration.platform.files;

import java.time.Duration;

/**
 * The least pace of a form with a file.
 *
 * @param windowMillis the period over which the pace is measured
 * @param bytesPerSecondMin that a client must send over a window
 * @param most the time within which the complete form must have arrived
 */
public record UploadPace(long windowMillis, int bytesPerSecondMin, Duration most) {

    long windowBytesMin() {
        return bytesPerSecondMin * windowMillis / 1000;
    }

    /** Rounded up. */
    int windowSeconds() {
        return (int) Math.ceilDiv(windowMillis, 1000L);
    }
}
