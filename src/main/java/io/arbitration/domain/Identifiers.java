package io.arbitration.domain;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The forms of identifiers in requests. A text of another form identifies nothing; this is not a validation error. */
public final class Identifiers {

    private static final int UUID_LENGTH = 36;
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
        if (text == null || text.length() != UUID_LENGTH) {
            return Optional.empty();
        }
        long high = 0;
        long low = 0;
        int digits = 0;
        for (int i = 0; i < UUID_LENGTH; i++) {
            char c = text.charAt(i);
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            int digit = hexadecimal(c);
            if (dash ? c != '-' : digit < 0) {
                return Optional.empty();
            }
            if (!dash) {
                if (digits < 16) {
                    high = high << 4 | digit;
                } else {
                    low = low << 4 | digit;
                }
                digits++;
            }
        }
        return Optional.of(new UUID(high, low));
    }

    /** Only ASCII, as the canonical form requires; -1 for other characters. */
    private static int hexadecimal(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        char small = (char) (c | 0x20);
        return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
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
