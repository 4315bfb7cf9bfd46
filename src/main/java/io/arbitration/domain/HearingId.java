package io.arbitration.domain;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The id of a hearing: a UUID, written with hyphens in 36 characters. */
public record HearingId(UUID value) {

    public HearingId {
        Objects.requireNonNull(value);
    }

    /** The id that a client wrote; empty for a text that is no UUID, which names nothing. */
    public static Optional<HearingId> of(String text) {
        return Identifiers.uuid(text).map(HearingId::new);
    }

    /** As it stands on the wire. */
    @Override
    public String toString() {
        return value.toString();
    }
}
