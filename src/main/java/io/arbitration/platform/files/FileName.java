package io.arbitration.platform.files;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/** Cleans the names of files that clients send, and writes them into headers so that every client reads them in the same way. */
public final class FileName {

    static final int LENGTH_MAX = 200;
    private static final int EXTENSION_MAX = 20;

    private FileName() {}

    /**
     * The last segment of a path, without control characters, format characters (such as bidirectional marks), unassigned
     * characters, quotes, and characters with a meaning in paths or shells. {@code file} if nothing is left. At most {@value
     * #LENGTH_MAX} characters; the extension is kept.
     */
    public static String clean(String given) {
        String last = given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
        StringBuilder kept = new StringBuilder();
        Normalizer.normalize(last, Normalizer.Form.NFC).codePoints().forEach(c -> kept.appendCodePoint(isHarmless(c) ? c : ' '));
        String name = kept.toString().strip().replaceAll("\\s+", " ").replaceAll("^[. ]+|[. ]+$", "");
        return name.isEmpty() ? "file" : shortened(name);
    }

    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> "\"<>|:*?".indexOf(c) < 0;
        };
    }

    private static String shortened(String name) {
        return name.length() <= LENGTH_MAX ? name : cut(name, LENGTH_MAX - extension(name).length());
    }

    private static String extension(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 && name.length() - dot <= EXTENSION_MAX ? name.substring(dot) : "";
    }

    /** The first characters of the name, before its extension; does not split a surrogate pair. */
    private static String cut(String name, int end) {
        return name.substring(0, Character.isHighSurrogate(name.charAt(end - 1)) ? end - 1 : end) + extension(name);
    }

    /**
     * A name of at most this many bytes in UTF-8; the extension is kept.
     *
     * @param bytesMax at least 100
     */
    public static String within(String name, int bytesMax) {
        String kept = name;
        for (int end = name.length() - extension(name).length(); kept.getBytes(StandardCharsets.UTF_8).length > bytesMax; end--) {
            kept = cut(name, end);
        }
        return kept;
    }

    /** {@code Content-Disposition} of a download (RFC 6266): a name in ASCII for old clients, and the name itself (RFC 8187). */
    static String disposition(String name) {
        StringBuilder ascii = new StringBuilder();
        name.codePoints().forEach(c -> ascii.append(c < 128 && (Character.isLetterOrDigit(c) || " .-_()".indexOf(c) >= 0) ? (char) c : '_'));
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
        return "attachment; filename=\"%s\"; filename*=UTF-8''%s".formatted(ascii, encoded);
    }
}
