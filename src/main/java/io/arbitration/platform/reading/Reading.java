package io.arbitration.platform.reading;

import java.util.List;
import java.util.Optional;

/**
 * What was read from an object.
 *
 * @param pictures of pages that have no text, in order
 * @param pages of a PDF; empty for other files
 * @param sha256 of the object's bytes, in hexadecimal
 * @param bytes length of the object
 */
public record Reading(String text, List<Picture> pictures, Optional<Integer> pages, String sha256, long bytes) {

    /** @param label what it shows, e.g. {@code page 3} */
    public record Picture(String label, String contentType, byte[] bytes) {}
}
