package io.arbitration.domain;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The id of a request for more time: a UUID, written with hyphens in 36 characters. */
public record ExtensionId(UUID value) {

    public ExtensionId {
        Objects.requireNonNull(value);
    }

    /** The id that a client wrote; empty for a text that is no UUID, which names nothing. */
    public static Optional<ExtensionId> of(String text) {
        return Identifiers.uuid(text).map(ExtensionId::new);
    }

    /** As it stands on the wire. */
    @Override
    public String toString() {
        return value.toString();
    }
}
