package io.arbitration.emails;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A copy of an email that this node may send until its lease ends.
 *
 * @param claim counts as long as the queue holds the same one
 * @param attempts made before
 * @param recipient address of the one recipient of this copy
 * @param trace context of the trace that asked for it
 */
record Claimed(long deliveryId, UUID claim, int attempts, String recipient, AcceptedEmail email, Optional<String> trace) {

    Claimed with(List<Attachment> attachments) {
        return new Claimed(deliveryId, claim, attempts, recipient, new AcceptedEmail(email.id(), email.idempotencyKey(), email.senderId(),
                email.from(), email.to(), email.content(), email.template(), email.acceptedAt(), attachments), trace);
    }
}
