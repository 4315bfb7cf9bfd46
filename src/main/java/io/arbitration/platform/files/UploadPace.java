package io.arbitration.platform.files;

/**
 * How fast a form with a file must arrive.
 *
 * @param windowMillis how often it is looked at
 * @param bytesPerSecondMin that a client must send over a window
 */
public record UploadPace(long windowMillis, int bytesPerSecondMin) {

    long windowBytesMin() {
        return bytesPerSecondMin * windowMillis / 1000;
    }

    /** Rounded up. */
    int windowSeconds() {
        return (int) Math.ceilDiv(windowMillis, 1000L);
    }
}
