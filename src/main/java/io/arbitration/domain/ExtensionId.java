package io.arbitration.domain;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The id of a request for more time: a UUID, written with hyphens in 36 characters. */
public record ExtensionId(UUID value) {

    public ExtensionId {
        Objects.requireNonNull(value);
    }

    /** The ID in this text; empty for a text that is no UUID, which identifies nothing. */
    public static Optional<ExtensionId> of(String text) {
        return Identifiers.uuid(text).map(ExtensionId::new);
    }

    /** The form in which it is sent. */
    @Override
    public String toString() {
        return value.toString();
    }
}
