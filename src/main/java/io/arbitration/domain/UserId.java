package io.arbitration.domain;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The id of a user or of a machine client, the subject of an access token: a UUID, written with hyphens in 36 characters. */
public record UserId(UUID value) {

    public UserId {
        Objects.requireNonNull(value);
    }

    /** The ID in this text; empty for a text that is no UUID, which identifies nothing. */
    public static Optional<UserId> of(String text) {
        return Identifiers.uuid(text).map(UserId::new);
    }

    /** The form in which it is sent. */
    @Override
    public String toString() {
        return value.toString();
    }
}
