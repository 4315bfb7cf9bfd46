package io.arbitration.emails;

import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The deadline of a reminder email. A mail server may be unavailable for days, so the email is sent only as long as the deadline
 * is in the future, is not met and has this date.
 */
public record RemindedDeadline(UUID deadlineId, Instant date) {

    /**
     * The deadline of a request over the event bus; HTTP requests cannot name one.
     *
     * @throws io.arbitration.platform.answer.Refusal 400 that names the field
     */
    static Optional<RemindedDeadline> of(JsonObject body) {
        if (body.getValue("deadline") == null) {
            return Optional.empty();
        }
        try {
            JsonObject given = body.getJsonObject("deadline");
            return Optional.of(new RemindedDeadline(UUID.fromString(given.getString("deadlineID")), Instant.parse(given.getString("date"))));
        } catch (ClassCastException | IllegalArgumentException | NullPointerException | DateTimeException broken) {
            throw EmailsError.INVALID.refusal("deadline", "must have a deadlineID and a date");
        }
    }
}
