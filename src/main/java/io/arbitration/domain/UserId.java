package io.arbitration.domain;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The id of a user or of a machine client, the subject of an access token: a UUID, written with hyphens in 36 characters. */
public record UserId(UUID value) {

    public UserId {
        Objects.requireNonNull(value);
    }

    /** The id that a client wrote; empty for a text that is no UUID, which names nothing. */
    public static Optional<UserId> of(String text) {
        return Identifiers.uuid(text).map(UserId::new);
    }

    /** As it stands on the wire. */
    @Override
    public String toString() {
        return value.toString();
    }
}
