package io.arbitration.ai.context;

import java.util.ArrayList;
import java.util.List;

/** Splits a text into pieces without losing any of it: after a paragraph where possible, else after a line, a sentence or a word. */
final class Split {

    private static final String[] PLACES = {"\n\n", "\n", ". ", " "};

    private Split() {}

    /** @param bytesMax of UTF-8 in each piece, at least 4 */
    static List<String> of(String text, int bytesMax) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int to = end(text, from, bytesMax);
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }

    private static int end(String text, int from, int bytesMax) {
        int most = from;
        int bytes = 0;
        while (most < text.length()) {
            int point = text.codePointAt(most);
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes > bytesMax) {
                break;
            }
            most += Character.charCount(point);
        }
        if (most == text.length()) {
            return most;
        }
        for (String place : PLACES) {
            int at = text.lastIndexOf(place, most - place.length());
            // A piece of less than half would make more pieces than needed.
            if (at >= from + (most - from) / 2) {
                return at + place.length();
            }
        }
        return most;
    }
}
