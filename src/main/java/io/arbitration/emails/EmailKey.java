package io.arbitration.emails;

import io.arbitration.domain.hash.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * The idempotency key of an email, which belongs to its sender.
 *
 * @param senderId the sender of an HTTP request; empty for the platform itself
 * @param text the key of the sender
 */
public record EmailKey(Optional<UUID> senderId, String text) {

    /** The key as it is stored, unique among the emails of all senders. Migration V033 introduced this form. */
    String stored() {
        return senderId.map(sender -> sender + "/" + Sha256.hex(text.getBytes(StandardCharsets.UTF_8))).orElse(text);
    }
}
