package io.arbitration.command;

import java.util.ArrayList;
import java.util.List;

/** The problems that a check found, in order; a bounded number. */
final class Problems {

    private static final int MAX = 10_000;

    private final List<String> found = new ArrayList<>();

    void add(String text, Object... values) {
        if (found.size() < MAX) {
            found.add(text.formatted(values));
        }
    }

    List<String> found() {
        return found;
    }

    /** Escapes control characters: the creator of the archive chose the names, and a terminal would execute such characters. */
    static String shown(String path) {
        StringBuilder text = new StringBuilder();
        path.codePoints().limit(200).forEach(c -> {
            switch (Character.getType(c)) {
                case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                        text.append("\\u{%x}".formatted(c));
                default -> text.appendCodePoint(c);
            }
        });
        return text.toString();
    }
}
