package io.arbitration.mainapi.filings;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;

/**
 * Bounds of the files of filings. The settings of evidence also apply to them: bucket, concurrent transfers and bytes in total.
 *
 * @param bytesMax of one file
 * @param pagesMax of a PDF
 * @param check time for the check of a PDF
 */
public record FilesSettings(long bytesMax, int pagesMax, Duration check) {

    public static FilesSettings read(Configuration c) {
        return new FilesSettings(c.whole("files.bytesMax", 1024L, 17_179_869_184L), c.whole("files.pagesMax", 1, 100_000),
                Duration.ofSeconds(c.whole("files.checkSeconds", 1, 600)));
    }
}
