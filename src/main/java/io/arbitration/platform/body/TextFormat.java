package io.arbitration.platform.body;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;

/** The formats that contracts require of texts in a request. Every check takes time linear in the length of the text. */
enum TextFormat {
    EMAIL("a valid email") {
        @Override
        boolean fits(String text) {
            int at = text.indexOf('@');
            return at > 0 && at <= 64 && text.length() - at <= 254 && MAILBOX.matcher(text.substring(0, at)).matches()
                    && HOST.matcher(text.substring(at + 1)).matches();
        }
    },
    UUID("a UUID") {
        @Override
        boolean fits(String text) {
            return HEXADECIMAL_GROUPS.matcher(text).matches();
        }
    },
    URI("a valid uri") {
        @Override
        boolean fits(String text) {
            try {
                return new URI(text).isAbsolute();
            } catch (URISyntaxException broken) {
                return false;
            }
        }
    },
    DATE("a date like 2026-11-21") {
        @Override
        boolean fits(String text) {
            try {
                return text.length() == 10 && LocalDate.parse(text) != null;
            } catch (DateTimeException broken) {
                return false;
            }
        }
    },
    DATE_TIME("a time like 2026-11-21T09:30:00.000Z") {
        @Override
        boolean fits(String text) {
            try {
                return text.length() <= 40 && OffsetDateTime.parse(text) != null;
            } catch (DateTimeException broken) {
                return false;
            }
        }
    };

    private static final Pattern MAILBOX = Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++)*+");
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*+");
    private static final Pattern HEXADECIMAL_GROUPS =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private final String words;

    TextFormat(String words) {
        this.words = words;
    }

    /** @throws IllegalStateException for a format that is not checked here */
    static TextFormat of(String name) {
        for (TextFormat format : values()) {
            if (format.name().equals(name.toUpperCase(java.util.Locale.ROOT).replace('-', '_'))) {
                return format;
            }
        }
        throw new IllegalStateException("a request body uses the format %s, which is not checked".formatted(name));
    }

    /** What a text must be, after "must be". */
    String words() {
        return words;
    }

    abstract boolean fits(String text);
}
