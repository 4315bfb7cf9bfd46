package io.arbitration.domain;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The forms of identifiers in requests. A text of another form identifies nothing; this is not a validation error. */
public final class Identifiers {

    private static final int UUID_LENGTH = 36;
    /** The value of each hexadecimal digit, by its character. A lookup of 1,000 profiles reads 36,000 characters. */
    private static final byte[] DIGITS = digits();
    private static final int NUMBER_LENGTH_MAX = 18;
    private static final int DEFINITION_NAME_LENGTH_MAX = 64;

    private Identifiers() {}

    /** A new one of version 4 (RFC 9562). */
    public static UUID random(RandomGenerator random) {
        long version4 = random.nextLong() & ~0xf000L | 0x4000L;
        long variant = random.nextLong() & 0x3fff_ffff_ffff_ffffL | 0x8000_0000_0000_0000L;
        return new UUID(version4, variant);
    }

    public static Optional<UUID> uuid(String text) {
        if (text == null || text.length() != UUID_LENGTH
                || text.charAt(8) != '-' || text.charAt(13) != '-' || text.charAt(18) != '-' || text.charAt(23) != '-') {
            return Optional.empty();
        }
        long first = hexadecimal(text, 0, 8);
        long second = hexadecimal(text, 9, 13);
        long third = hexadecimal(text, 14, 18);
        long fourth = hexadecimal(text, 19, 23);
        long fifth = hexadecimal(text, 24, UUID_LENGTH);
        return (first | second | third | fourth | fifth) < 0 ? Optional.empty()
                : Optional.of(new UUID(first << 32 | second << 16 | third, fourth << 48 | fifth));
    }

    /** The value of at most 15 digits; negative if one of these characters is no digit. */
    private static long hexadecimal(String text, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int digit = c < DIGITS.length ? DIGITS[c] : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** Only ASCII, as the canonical form requires; -1 for other characters. */
    private static byte[] digits() {
        byte[] digits = new byte['f' + 1];
        for (char c = 0; c < digits.length; c++) {
            digits[c] = (byte) Character.digit(c, 16);
        }
        return digits;
    }

    /** The positive number in the text of a filingID or entryID. */
    public static OptionalLong number(String text) {
        boolean digits = text != null && !text.isEmpty() && text.length() <= NUMBER_LENGTH_MAX
                && text.charAt(0) != '0' && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /** Whether a text can be the name of a definition: an ASCII small letter, then up to 63 ASCII letters and digits. */
    public static boolean isDefinitionName(String text) {
        return text != null && !text.isEmpty() && text.length() <= DEFINITION_NAME_LENGTH_MAX && isSmallLetter(text.charAt(0))
                && text.chars().allMatch(c -> isSmallLetter(c) || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9');
    }

    private static boolean isSmallLetter(int c) {
        return c >= 'a' && c <= 'z';
    }
}
