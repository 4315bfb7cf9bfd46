package io.arbitration.platform.reading;

import java.util.List;
import java.util.Optional;

/**
 * What an object says.
 *
 * @param pictures those of it that say what the text doesn't, in order
 * @param pages of a PDF; empty for other files
 * @param sha256 of its bytes, in hexadecimal
 */
public record Reading(String text, List<Picture> pictures, Optional<Integer> pages, String sha256, long bytes) {

    /** @param label what it shows, e.g. {@code page 3} */
    public record Picture(String label, String contentType, byte[] bytes) {}
}
