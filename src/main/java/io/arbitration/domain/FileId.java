package io.arbitration.domain;

import java.util.Optional;

/** The id of a file of a filing: a whole number from 1, given in order of creation by one sequence for all cases; decimal digits on the wire. */
public record FileId(long value) {

    /** Stands for a text that is no id where existence is looked at later than form: no file ever gets it. */
    public static final FileId OF_NOTHING = new FileId(Long.MAX_VALUE);

    public FileId {
        if (value < 1) {
            throw new IllegalArgumentException("not an id: " + value);
        }
    }

    /** The id that a client wrote; empty for a text that is no such number, which names nothing. */
    public static Optional<FileId> of(String text) {
        return Identifiers.number(text).stream().mapToObj(FileId::new).findFirst();
    }

    /** As it stands on the wire. */
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
