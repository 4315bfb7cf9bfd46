package io.arbitration.ai.reading;

import java.util.List;

/**
 * What an object says.
 *
 * @param pictures those of it that say what the text doesn't, in order
 * @param sha256 of its bytes, in hexadecimal
 */
public record Reading(String text, List<Picture> pictures, String sha256, long bytes) {

    /** @param label what it shows, e.g. {@code page 3} */
    public record Picture(String label, String contentType, byte[] bytes) {}
}
