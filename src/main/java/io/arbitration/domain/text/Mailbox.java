package io.arbitration.domain.text;

import java.net.IDN;
import java.util.regex.Pattern;

/**
 * The sender or recipient of an email: an address, with or without a name before it ({@code Clara Claimant <clara@example.org>}).
 * Neither can contain a line break or another control character, so they cannot inject headers.
 *
 * <p>The part before the {@code @} is a dot-atom of RFC 5321 in ASCII, because mail servers without SMTPUTF8 accept no other; a
 * domain in another script is converted to its ASCII form.
 *
 * @param name empty when there is none; at most {@value #NAME_LENGTH_MAX} characters
 * @param address as used in the envelope, at most 254 characters
 */
public record Mailbox(String name, String address) {

    /** Characters of the complete text. */
    public static final int LENGTH_MAX = 400;
    private static final int NAME_LENGTH_MAX = 100;
    private static final int ADDRESS_LENGTH_MAX = 254;
    private static final int LOCAL_LENGTH_MAX = 64;
    private static final Pattern LOCAL = Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++)*+");
    private static final Pattern DOMAIN =
            Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*+");

    /**
     * Parses {@code address} or {@code name <address>}; the name may be in double quotes.
     *
     * @throws IllegalArgumentException whose message is the end of a sentence that begins with the name of the field
     */
    public static Mailbox parse(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException("at most %d characters".formatted(LENGTH_MAX));
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("must not contain line breaks or other control characters");
        }
        int open = text.lastIndexOf('<');
        if (open < 0) {
            return new Mailbox("", address(text));
        }
        if (!text.endsWith(">")) {
            throw invalid();
        }
        return new Mailbox(name(text.substring(0, open).strip()), address(text.substring(open + 1, text.length() - 1)));
    }

    private static String name(String text) {
        boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        String name = quoted ? text.substring(1, text.length() - 1).replace("\\\"", "\"").replace("\\\\", "\\") : text;
        if (name.length() > NAME_LENGTH_MAX) {
            throw new IllegalArgumentException("a name has at most %d characters".formatted(NAME_LENGTH_MAX));
        }
        VisibleName.problem(name).filter(problem -> !name.isEmpty()).ifPresent(problem -> {
            throw new IllegalArgumentException("a name " + problem);
        });
        return name;
    }

    private static String address(String text) {
        int at = text.lastIndexOf('@');
        if (at < 1 || at > LOCAL_LENGTH_MAX || !LOCAL.matcher(text.substring(0, at)).matches()) {
            throw invalid();
        }
        String domain = asciiDomain(text.substring(at + 1));
        String address = text.substring(0, at + 1) + domain;
        if (address.length() > ADDRESS_LENGTH_MAX || !DOMAIN.matcher(domain).matches()) {
            throw invalid();
        }
        return address;
    }

    private static String asciiDomain(String domain) {
        try {
            return domain.isEmpty() ? domain : IDN.toASCII(domain, IDN.USE_STD3_ASCII_RULES);
        } catch (IllegalArgumentException noDomain) {
            throw invalid();
        }
    }

    private static IllegalArgumentException invalid() {
        return new IllegalArgumentException("must be an email address, or a name and an address as in Clara Claimant <clara@example.org>");
    }

    /** The part after the {@code @}, in ASCII. */
    public String domain() {
        return address.substring(address.lastIndexOf('@') + 1);
    }

    /** In the form that {@link #parse} accepts. */
    @Override
    public String toString() {
        return name.isEmpty() ? address : "\"%s\" <%s>".formatted(name.replace("\\", "\\\\").replace("\"", "\\\""), address);
    }
}
