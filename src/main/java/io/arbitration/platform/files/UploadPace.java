package io.arbitration.platform.files;

import java.time.Duration;

/**
 * How fast a form with a file must arrive.
 *
 * @param windowMillis how often it is looked at
 * @param bytesPerSecondMin that a client must send over a window
 * @param most time within which all of it must have arrived
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
