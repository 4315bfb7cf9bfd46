package io.arbitration.push.messages;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.telemetry.Traces;
import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests at {@link io.arbitration.platform.events.Addresses#PUSH_SEND}: queues a notification for a user. */
public final class UserMessageRequests {

    private static final int KEY_LENGTH_MAX = 200;
    private static final Logger LOG = LoggerFactory.getLogger(UserMessageRequests.class);

    private final UserMessageRepository repository;
    private final Duration ttl;
    private final Traces traces;

    /** @param ttl the lifetime of a notification */
    public UserMessageRequests(UserMessageRepository repository, Duration ttl, Traces traces) {
        this.repository = repository;
        this.ttl = ttl;
        this.traces = traces;
    }

    /** Replies when the notification is durably queued. */
    public void handle(Message<JsonObject> message) {
        Future.succeededFuture(message.body()).compose(this::put).onComplete(
                count -> message.reply(new JsonObject().put("queued", count)),
                failed -> refuse(message, failed));
    }

    private Future<Long> put(JsonObject request) {
        String key = request.getString("idempotencyKey");
        if (key == null || key.isEmpty() || key.length() > KEY_LENGTH_MAX) {
            throw Refusal.badRequest("idempotencyKey: from 1 to %d characters".formatted(KEY_LENGTH_MAX));
        }
        UUID userId = Identifiers.uuid(request.getString("userID")).orElseThrow(() -> Refusal.badRequest("userID: must be a UUID"));
        JsonObject notification = request.getJsonObject("notification");
        if (notification == null) {
            throw Refusal.badRequest("notification: is required");
        }
        return repository.put(key, userId, Notification.of(notification).payload(), ttl, traces.context());
    }

    private static void refuse(Message<JsonObject> message, Throwable failed) {
        switch (failed) {
            case Refusal refusal -> message.fail(refusal.status(), refusal.getMessage());
            case ClassCastException wrongType -> message.fail(400, "body: a member has the wrong type");
            default -> {
                boolean later = Database.isUnavailable(failed) || Database.isOverloaded(failed);
                LOG.warn("push: a message to a user was not queued: {}", failed.getMessage(), later ? null : failed);
                message.fail(later ? 503 : 500, "the message could not be stored");
            }
        }
    }
}
