package io.arbitration.domain;

import java.util.Optional;

/**
 * The ID of a docket entry: a whole number from 1, from one sequence for all cases in order of creation; sent as decimal digits.
 */
public record EntryId(long value) {

    /** Replaces a text that is no ID where the lookup comes after the check of the form: no entry ever has it. */
    public static final EntryId OF_NOTHING = new EntryId(Long.MAX_VALUE);

    public EntryId {
        if (value < 1) {
            throw new IllegalArgumentException("not an id: " + value);
        }
    }

    /** The ID in this text; empty for a text that is no such number, which identifies nothing. */
    public static Optional<EntryId> of(String text) {
        return Identifiers.number(text).stream().mapToObj(EntryId::new).findFirst();
    }

    /** The form in which it is sent. */
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
