package io.arbitration.platform.files;

import io.arbitration.platform.answer.Refusal;
import java.util.Optional;

/**
 * The head of a part of a form, as the client wrote it. Nothing in it can be trusted.
 *
 * @param fileName may contain paths, quotes and any other characters
 */
public record FormPart(String name, Optional<String> fileName, Optional<String> contentType) {

    /** @throws Refusal 400 when the head is malformed */
    static FormPart parse(String head) {
        String disposition = null;
        String contentType = null;
        for (String line : head.split("\r\n")) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw Refusal.badRequest("body: malformed head of a part");
            }
            String value = line.substring(colon + 1).strip();
            switch (line.substring(0, colon).toLowerCase(java.util.Locale.ROOT)) {
                case "content-disposition" -> disposition = value;
                case "content-type" -> contentType = value;
                case "content-transfer-encoding" -> {
                    // RFC 7578, section 4.7: deprecated. Encoded content is refused, because its bytes would be stored undecoded.
                    if (!value.matches("(?i)7bit|8bit|binary")) {
                        throw Refusal.badRequest("body: Content-Transfer-Encoding is not taken");
                    }
                }
                default -> { }
            }
        }
        if (disposition == null || !disposition.toLowerCase(java.util.Locale.ROOT).startsWith("form-data;")) {
            throw Refusal.badRequest("body: a part without Content-Disposition: form-data");
        }
        String name = parameter(disposition, "name").filter(given -> !given.isEmpty())
                .orElseThrow(() -> Refusal.badRequest("body: a part without a name"));
        return new FormPart(name, parameter(disposition, "filename"), Optional.ofNullable(contentType));
    }

    /** A parameter of a header such as Content-Disposition. Within quotes a backslash escapes only a quote or a backslash (RFC 7578, appendix A). */
    static Optional<String> parameter(String header, String wanted) {
        int at = header.indexOf(';');
        while (at >= 0 && at < header.length()) {
            int equals = header.indexOf('=', at);
            if (equals < 0) {
                return Optional.empty();
            }
            String name = header.substring(at + 1, equals).strip();
            StringBuilder value = new StringBuilder();
            at = value(header, equals + 1, value);
            if (name.equalsIgnoreCase(wanted)) {
                return Optional.of(value.toString());
            }
        }
        return Optional.empty();
    }

    /** Reads a value. Returns the index of the semicolon after it, or the end of the header. */
    private static int value(String header, int from, StringBuilder value) {
        int at = from;
        while (at < header.length() && header.charAt(at) == ' ') {
            at++;
        }
        if (at < header.length() && header.charAt(at) == '"') {
            at++;
            while (at < header.length() && header.charAt(at) != '"') {
                boolean escape = header.charAt(at) == '\\' && at + 1 < header.length() && (header.charAt(at + 1) == '"' || header.charAt(at + 1) == '\\');
                value.append(header.charAt(escape ? at + 1 : at));
                at += escape ? 2 : 1;
            }
            int semicolon = header.indexOf(';', at);
            return semicolon < 0 ? header.length() : semicolon;
        }
        int semicolon = header.indexOf(';', at);
        int end = semicolon < 0 ? header.length() : semicolon;
        value.append(header.substring(at, end).strip());
        return end;
    }
}
