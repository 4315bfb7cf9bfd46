package io.arbitration.alerts;

import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;

/**
 * An alert that this node may send until its lease ends, with its content and reader as they are now.
 *
 * @param reader who gets it; empty if the account is deleted or disabled
 * @param takesPart whether the reader takes part in the case, and so may see it
 * @param wanted whether the reader's preferences ask for it
 * @param trace context of the trace that the event goes on
 * @param sender makes the request
 */
record DueAlert(
        Lease lease, Channel channel, UUID userId, Optional<Reader> reader, boolean takesPart, boolean wanted, AlertContent content,
        Optional<String> trace, AlertRequest sender) implements Handover.Item {

    record Reader(String email, String firstName) {}

    @Override
    public String address() {
        return channel.address();
    }

    @Override
    public Optional<JsonObject> request() {
        return objection().isPresent() ? Optional.empty() : Optional.of(sender.of(this));
    }

    /** Why it must not be sent any more; empty if it may. */
    Optional<String> objection() {
        if (reader.isEmpty()) {
            return Optional.of("the account is gone or disabled");
        }
        if (content.about().isEmpty()) {
            return Optional.of(content.whyNothing());
        }
        if (!takesPart) {
            return Optional.of("not a participant of the case any more");
        }
        return wanted ? Optional.empty() : Optional.of("not wanted any more");
    }

    /** The same at every attempt, so that the channel recognises a repetition. */
    String idempotencyKey() {
        return "alert-%s-%s-%s".formatted(content.eventId(), userId, channel.text());
    }
}
