package io.arbitration.push.messages;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.OutcomeBatch;
import io.arbitration.platform.queue.PeriodicPoll;
import io.arbitration.platform.queue.WorkQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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

/** The queue of notifications that other areas send to users; each goes to every subscription of its user. */
public final class UserMessageQueue implements WorkQueue<ClaimedMessage, PushOutcome> {

    /** After each attempt that a push service did not accept; longer if it requests this. */
    static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15),
            Duration.ofMinutes(30), Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(4), Duration.ofHours(8));
    private static final int ERROR_LENGTH_MAX = 500;
    private static final int TOPIC_BYTES = 24;
    private static final Logger LOG = LoggerFactory.getLogger(UserMessageQueue.class);

    private final Vertx vertx;
    private final Traces traces;
    private final UserMessageRepository queue;
    private final PushClient client;
    private final int inFlightPerService;
    private final Duration exchange;
    private final Backoff backoff;
    private final Attempts attempts;

    public UserMessageQueue(Vertx vertx, UserMessageRepository queue, PushClient client, int inFlightPerService, Duration exchange, MeterRegistry meters, Traces traces,
            RandomGenerator random) {
        this.vertx = vertx;
        this.traces = traces;
        this.queue = queue;
        this.client = client;
        this.inFlightPerService = inFlightPerService;
        this.exchange = exchange;
        this.backoff = Backoff.of(random, PAUSES);
        this.attempts = new Attempts(meters, "push.attempts", "Attempts to send a message of a user", Stream.of(PushOutcome.State.values()).map(PushOutcome.State::text));
    }

    @Override
    public Future<Claims<ClaimedMessage>> claim(UUID claim, int most) {
        // Twice the time of an exchange, so that a lease ends only when its node is dead, not when a push service is slow.
        return queue.claim(claim, inFlightPerService, most, exchange.multipliedBy(2).plusSeconds(1)).map(due -> Claims.of(due, most));
    }

    @Override
    public String key(ClaimedMessage claimed) {
        return String.valueOf(claimed.deliveryId());
    }

    @Override
    public Future<PushOutcome> attempt(ClaimedMessage claimed) {
        Traces.Work work = new Traces.Work("push send", Traces.Kind.SENDS, Map.of(
                "acp.delivery.id", String.valueOf(claimed.deliveryId()), "acp.attempt", String.valueOf(claimed.attempts() + 1)));
        return traces.within(vertx, claimed.trace(), work, () -> outcome(claimed)).onSuccess(outcome -> attempts.count(outcome.state().text()));
    }

    private Future<PushOutcome> outcome(ClaimedMessage claimed) {
        if (claimed.left().isNegative() || claimed.left().isZero()) {
            return Future.succeededFuture(PushOutcome.ended(claimed, PushOutcome.State.EXPIRED, null, "not sent in time"));
        }
        if (claimed.subscription().isEmpty()) {
            return Future.succeededFuture(PushOutcome.ended(claimed, PushOutcome.State.GONE, null, "the subscription had ended, or its user is disabled"));
        }
        PushMessage message = new PushMessage(claimed.payload(), claimed.left(), PushMessage.Urgency.NORMAL, Optional.of(topic(claimed.idempotencyKey())));
        return client.send(claimed.subscription().get(), message, exchange)
                .map(answer -> outcome(claimed, answer))
                .otherwise(failed -> {
                    LOG.error("push: {} cannot be signed: {}", claimed, failed.getMessage());
                    return again(claimed, null, "the platform could not sign it", Duration.ZERO);
                });
    }

    /**
     * If a node dies before it records a message that it sent, the message is sent again; because of the same topic it replaces
     * the first one at the push service.
     */
    private static String topic(String idempotencyKey) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(Sha256.of(idempotencyKey), TOPIC_BYTES));
    }

    private PushOutcome outcome(ClaimedMessage claimed, PushAnswer answer) {
        return switch (answer) {
            case PushAnswer.Accepted accepted -> PushOutcome.ended(claimed, PushOutcome.State.SENT, accepted.status(), null);
            case PushAnswer.Gone gone -> PushOutcome.ended(claimed, PushOutcome.State.GONE, gone.status(), "the subscription has ended");
            case PushAnswer.Busy busy -> again(claimed, busy.status(), "the push service asked to wait", busy.pause());
            case PushAnswer.Refused refused -> {
                LOG.warn("push: {} refused with status {}", claimed, refused.status());
                yield PushOutcome.ended(claimed, PushOutcome.State.FAILED, refused.status(), "the push service refused it");
            }
            case PushAnswer.Unreached unreached -> again(claimed, null, cut(unreached.why()), Duration.ZERO);
            case PushAnswer.NotAllowed notAllowed -> PushOutcome.ended(claimed, PushOutcome.State.FAILED, null, "the configuration does not allow its push service");
        };
    }

    private PushOutcome again(ClaimedMessage claimed, Integer status, String error, Duration asked) {
        // A pause beyond the lifetime of the message means no further attempt, because the message would be useless.
        return PushOutcome.again(claimed, status, error, backoff.pause(claimed.attempts() + 1, asked).filter(pause -> pause.compareTo(claimed.left()) < 0));
    }

    private static String cut(String error) {
        return (error.length() > ERROR_LENGTH_MAX ? error.substring(0, ERROR_LENGTH_MAX) : error).replace('\0', '\ufffd');
    }

    @Override
    public Future<Void> record(List<PushOutcome> outcomes) {
        return OutcomeBatch.record(outcomes, batch -> queue.record(batch).map(batch.size()), outcome -> "push delivery " + key(outcome.claimed())).mapEmpty();
    }

    @Override
    public Watch watch(Runnable due) {
        return PeriodicPoll.started(vertx, "push", () -> queue.due().compose(found -> activate(found).map(activated -> {
            if (found.isReady() || activated > 0) {
                due.run();
            }
            return found.next();
        })));
    }

    private Future<Integer> activate(UserMessageRepository.Due found) {
        return found.isDue() ? queue.activateDue() : Future.succeededFuture(0);
    }

    @Override
    public Future<Void> release(List<ClaimedMessage> claimed) {
        return queue.release(claimed);
    }
}
