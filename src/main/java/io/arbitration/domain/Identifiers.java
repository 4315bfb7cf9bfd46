package io.arbitration.domain;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Identifiers as clients write them. A text that is no identifier of ours names nothing; it is not an error of form. */
public final class Identifiers {

    private static final int UUID_LENGTH = 36;
    private static final int NUMBER_LENGTH_MAX = 18;

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
        try {
            UUID id = UUID.fromString(text);
            // The JDK takes short groups; only the canonical form is an identifier.
            return id.toString().equalsIgnoreCase(text) ? Optional.of(id) : Optional.empty();
        } catch (IllegalArgumentException notAnId) {
            return Optional.empty();
        }
    }

    /** The positive number that a filingID or entryID carries as text. */
    public static OptionalLong number(String text) {
        boolean digits = text != null && !text.isEmpty() && text.length() <= NUMBER_LENGTH_MAX
                && text.charAt(0) != '0' && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
