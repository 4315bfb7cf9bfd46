package io.arbitration.domain;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The id of a case: a UUID, written with hyphens in 36 characters. */
public record CaseId(UUID value) {

    public CaseId {
        Objects.requireNonNull(value);
    }

    /** The ID in this text; empty for a text that is no UUID, which identifies nothing. */
    public static Optional<CaseId> of(String text) {
        return Identifiers.uuid(text).map(CaseId::new);
    }

    /** The form in which it is sent. */
    @Override
    public String toString() {
        return value.toString();
    }
}
