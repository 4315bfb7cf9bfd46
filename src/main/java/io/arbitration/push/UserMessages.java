package io.arbitration.push;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.queue.WorkQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What other areas tell users: taken from the event bus into the queue, and sent from there to each subscription of the user. */
final class UserMessages implements WorkQueue<Claimed, Outcome> {

    private static final int KEY_LENGTH_MAX = 200;
    private static final int ERROR_LENGTH_MAX = 500;
    private static final int TOPIC_BYTES = 24;
    private static final Logger LOG = LoggerFactory.getLogger(UserMessages.class);

    private final Vertx vertx;
    private final Traces traces;
    private final QueueRepository queue;
    private final PushClient client;
    private final PushSettings settings;
    private final RetrySchedule schedule;
    private final Attempts attempts;

    UserMessages(Vertx vertx, QueueRepository queue, PushClient client, PushSettings settings, MeterRegistry meters, Traces traces,
            RandomGenerator random) {
        this.vertx = vertx;
        this.traces = traces;
        this.queue = queue;
        this.client = client;
        this.settings = settings;
        this.schedule = new RetrySchedule(random);
        this.attempts = new Attempts(meters, "push.attempts", "Attempts to send a message of a user", Stream.of(Outcome.State.values()).map(Outcome.State::text));
    }

    /** Answers a request at {@link io.arbitration.platform.events.Addresses#PUSH_SEND}. */
    void take(Message<JsonObject> message) {
        try {
            put(message.body()).onComplete(
                    count -> message.reply(new JsonObject().put("queued", count)),
                    failed -> refuse(message, failed));
        } catch (RuntimeException refused) {
            refuse(message, refused);
        }
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
        return queue.put(key, userId, Notification.of(notification).payload(), settings.ttl(), traces.context());
    }

    private static void refuse(Message<JsonObject> message, Throwable failed) {
        switch (failed) {
            case Refusal refusal -> message.fail(refusal.status(), refusal.getMessage());
            case ClassCastException wrongType -> message.fail(400, "body: a member has the wrong type");
            default -> {
                boolean later = Database.isUnavailable(failed) || Database.isOverloaded(failed);
                LOG.warn("push: a message to a user was not taken: {}", failed.getMessage(), later ? null : failed);
                message.fail(later ? 503 : 500, "the message could not be stored");
            }
        }
    }

    @Override
    public Future<Claims<Claimed>> claim(UUID claim, int most) {
        // Twice the exchange: its end must mean that the node is gone, not that the push service is slow.
        return queue.claim(claim, settings.inFlightPerService(), most, settings.exchange().multipliedBy(2).plusSeconds(1)).map(due -> Claims.of(due, most));
    }

    @Override
    public Future<Outcome> attempt(Claimed claimed) {
        Traces.Work work = new Traces.Work("push send", Traces.Kind.SENDS, Map.of(
                "acp.delivery.id", String.valueOf(claimed.deliveryId()), "acp.attempt", String.valueOf(claimed.attempts() + 1)));
        return traces.within(vertx, claimed.trace(), work, () -> outcome(claimed)).onSuccess(outcome -> attempts.count(outcome.state().text()));
    }

    private Future<Outcome> outcome(Claimed claimed) {
        if (claimed.left().isNegative() || claimed.left().isZero()) {
            return Future.succeededFuture(Outcome.ended(claimed, Outcome.State.EXPIRED, null, "not sent in time"));
        }
        if (claimed.subscription().isEmpty()) {
            return Future.succeededFuture(Outcome.ended(claimed, Outcome.State.GONE, null, "the subscription had ended"));
        }
        PushMessage message = new PushMessage(claimed.payload(), claimed.left(), PushMessage.Urgency.NORMAL, Optional.of(topic(claimed.idempotencyKey())));
        return client.send(claimed.subscription().get(), message, settings.exchange())
                .map(answer -> outcome(claimed, answer))
                .otherwise(failed -> {
                    LOG.error("push: {} cannot be signed: {}", claimed, failed.getMessage());
                    return again(claimed, null, "the platform could not sign it", Duration.ZERO);
                });
    }

    /** The same message sent twice, because a node died before it could record the first, replaces itself where it still waits. */
    private static String topic(String idempotencyKey) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(idempotencyKey.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, TOPIC_BYTES));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Outcome outcome(Claimed claimed, PushAnswer answer) {
        return switch (answer) {
            case PushAnswer.Accepted accepted -> Outcome.ended(claimed, Outcome.State.SENT, accepted.status(), null);
            case PushAnswer.Gone gone -> Outcome.ended(claimed, Outcome.State.GONE, gone.status(), "the subscription has ended");
            case PushAnswer.Busy busy -> again(claimed, busy.status(), "the push service asked to wait", busy.pause());
            case PushAnswer.Refused refused -> {
                LOG.warn("push: {} refused with status {}", claimed, refused.status());
                yield Outcome.ended(claimed, Outcome.State.FAILED, refused.status(), "the push service refused it");
            }
            case PushAnswer.Unreached unreached -> again(claimed, null, cut(unreached.why()), Duration.ZERO);
            case PushAnswer.NotAllowed notAllowed -> Outcome.ended(claimed, Outcome.State.FAILED, null, "the configuration does not allow its push service");
        };
    }

    private Outcome again(Claimed claimed, Integer status, String error, Duration asked) {
        return Outcome.again(claimed, status, error, schedule.pause(claimed.attempts() + 1, asked, claimed.left()));
    }

    private static String cut(String error) {
        return (error.length() > ERROR_LENGTH_MAX ? error.substring(0, ERROR_LENGTH_MAX) : error).replace('\0', '\ufffd');
    }

    @Override
    public Future<Void> record(List<Outcome> outcomes) {
        return queue.record(outcomes);
    }

    @Override
    public Future<Integer> promote() {
        return queue.promote();
    }

    @Override
    public Future<Void> release(List<Claimed> claimed) {
        return queue.release(claimed);
    }
}
