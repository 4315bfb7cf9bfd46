package io.arbitration.domain;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Identifiers as clients write them. A text that is no identifier of ours names nothing; it is not an error of form. */
public final class Identifiers {

    private static final int UUID_LENGTH = 36;
    private static final int NUMBER_LENGTH_MAX = 18;

    private Identifiers() {}

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
