package io.arbitration.domain;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The id of a case: a UUID, written with hyphens in 36 characters. */
public record CaseId(UUID value) {

    public CaseId {
        Objects.requireNonNull(value);
    }

    /** The id that a client wrote; empty for a text that is no UUID, which names nothing. */
    public static Optional<CaseId> of(String text) {
        return Identifiers.uuid(text).map(CaseId::new);
    }

    /** As it stands on the wire. */
    @Override
    public String toString() {
        return value.toString();
    }
}
