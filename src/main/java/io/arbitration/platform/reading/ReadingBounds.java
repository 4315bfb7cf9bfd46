package io.arbitration.platform.reading;

import java.time.Duration;

/**
 * How much of one file is read.
 *
 * @param bytesMax of the file
 * @param pagesMax of a PDF
 * @param time for it all
 */
public record ReadingBounds(long bytesMax, int pagesMax, Duration time) {}
