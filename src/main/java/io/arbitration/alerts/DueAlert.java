package io.arbitration.alerts;

import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.LeasedItem;
import java.util.Optional;
import java.util.UUID;

/**
 * An alert that this node may send until its lease ends, as things stand now.
 *
 * @param reader whom it is for; empty when the account is gone or disabled
 * @param takesPart whether the reader takes part in the case, and so may see it
 * @param wanted whether the reader's preferences ask for it
 * @param trace context of the trace that the event goes on
 */
record DueAlert(
        Lease lease, Channel channel, UUID userId, Optional<Reader> reader, boolean takesPart, boolean wanted, News news,
        Optional<String> trace) implements LeasedItem {

    record Reader(String email, String firstName) {}

    /** Why it must not be sent any more; empty when it may. */
    Optional<String> objection() {
        if (reader.isEmpty()) {
            return Optional.of("the account is gone or disabled");
        }
        if (news.about().isEmpty()) {
            return Optional.of(news.whyNothing());
        }
        if (!takesPart) {
            return Optional.of("not a participant of the case any more");
        }
        return wanted ? Optional.empty() : Optional.of("not wanted any more");
    }

    /** The same at every attempt, so that a channel that has it already knows it again. */
    String idempotencyKey() {
        return "alert-%s-%s-%s".formatted(news.eventId(), userId, channel.text());
    }
}
