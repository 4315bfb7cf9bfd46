package io.arbitration.platform.reading;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of files that can be read. A file has a kind by its media type, and must begin as files of that kind do. */
enum FileKind {
    PDF, TEXT, HTML, DOCX, PNG, JPEG, GIF, WEBP;

    private static final int PDF_HEADER_WITHIN = 1024;
    /** How encrypted and old Office files begin. */
    private static final byte[] COMPOUND_FILE = {(byte) 0xd0, (byte) 0xcf, 0x11, (byte) 0xe0, (byte) 0xa1, (byte) 0xb1, 0x1a, (byte) 0xe1};

    static Optional<FileKind> of(String contentType) {
        return switch (contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT)) {
            case "application/pdf", "application/x-pdf" -> Optional.of(PDF);
            case "text/plain", "text/csv", "text/markdown" -> Optional.of(TEXT);
            case "text/html", "application/xhtml+xml" -> Optional.of(HTML);
            case "application/vnd.openxmlformats-officedocument.wordprocessingml.document" -> Optional.of(DOCX);
            case "image/png" -> Optional.of(PNG);
            case "image/jpeg", "image/jpg" -> Optional.of(JPEG);
            case "image/gif" -> Optional.of(GIF);
            case "image/webp" -> Optional.of(WEBP);
            default -> Optional.empty();
        };
    }

    boolean isPicture() {
        return switch (this) {
            case PNG, JPEG, GIF, WEBP -> true;
            case PDF, TEXT, HTML, DOCX -> false;
        };
    }

    String contentType() {
        return switch (this) {
            case PDF -> "application/pdf";
            case TEXT -> "text/plain";
            case HTML -> "text/html";
            case DOCX -> "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
            case PNG -> "image/png";
            case JPEG -> "image/jpeg";
            case GIF -> "image/gif";
            case WEBP -> "image/webp";
        };
    }

    /** Refuses a file that does not begin as files of this kind do. Text has no such beginning; it must not begin like another kind. */
    void check(byte[] head) {
        if (this == DOCX && startsWith(head, COMPOUND_FILE)) {
            throw new Unreadable(Unreadable.Reason.ENCRYPTED);
        }
        Optional<FileKind> seen = seen(head);
        boolean same = switch (this) {
            case TEXT, HTML -> seen.isEmpty() && !startsWith(head, COMPOUND_FILE);
            case PDF, DOCX, PNG, JPEG, GIF, WEBP -> seen.filter(this::equals).isPresent();
        };
        if (!same) {
            throw new Unreadable(Unreadable.Reason.TYPE_MISMATCH);
        }
    }

    private static Optional<FileKind> seen(byte[] head) {
        if (startsWith(head, new byte[] {'P', 'K', 3, 4})) {
            return Optional.of(DOCX);
        }
        if (startsWith(head, new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'})) {
            return Optional.of(PNG);
        }
        if (startsWith(head, new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff})) {
            return Optional.of(JPEG);
        }
        String text = new String(head, 0, Math.min(head.length, PDF_HEADER_WITHIN), StandardCharsets.ISO_8859_1);
        if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) {
            return Optional.of(GIF);
        }
        if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) {
            return Optional.of(WEBP);
        }
        return text.contains("%PDF-") ? Optional.of(PDF) : Optional.empty();
    }

    private static boolean startsWith(byte[] head, byte[] bytes) {
        return head.length >= bytes.length && Arrays.equals(head, 0, bytes.length, bytes, 0, bytes.length);
    }
}
