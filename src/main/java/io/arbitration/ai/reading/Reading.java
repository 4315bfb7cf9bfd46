package io.arbitration.ai.reading;

import java.util.List;

/**
 * What was read from an object.
 *
 * @param pictures of pages that have no text, in order
 * @param sha256 of the object's bytes, in hexadecimal
 * @param bytes length of the object
 */
public record Reading(String text, List<Picture> pictures, String sha256, long bytes) {

    /** @param label what it shows, e.g. {@code page 3} */
    public record Picture(String label, String contentType, byte[] bytes) {}
}
