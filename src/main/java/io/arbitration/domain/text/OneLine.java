package io.arbitration.domain.text;

/** Converts text of users to one line, for subjects and messages. */
public final class OneLine {

    private OneLine() {}

    /**
     * The text without control characters, which titles and names may contain and subjects may not.
     *
     * @param lengthMax code points; a longer text ends with an ellipsis
     */
    public static String of(String text, int lengthMax) {
        String line = text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f]+", " ").strip();
        return line.codePointCount(0, line.length()) <= lengthMax ? line : line.substring(0, line.offsetByCodePoints(0, lengthMax - 1)) + "…";
    }
}
