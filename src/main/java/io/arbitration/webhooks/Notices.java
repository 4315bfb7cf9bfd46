package io.arbitration.webhooks;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.events.CommitNotifications;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has organizations told that a URL of theirs was disabled: asks for the email over the event bus, again and again until
 * it is accepted. A crash before that is recorded asks once more with the same idempotency key. There are few of them, so
 * one round follows the other. Runs on the context it was started on.
 */
final class Notices {

    private static final int ROUND_MAX = 16;
    private static final long POLL_MILLIS = 5000;
    private static final Duration REPLY_WAIT = Duration.ofSeconds(20);
    /** Far longer than a round takes, in which all are asked for at once. */
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(10);
    /** Some seven days of the longest pause. */
    private static final int ATTEMPTS_MAX = 1000;
    private static final int BAD_REQUEST = 400;
    private static final int INTERNAL = 500;
    private static final Logger LOG = LoggerFactory.getLogger(Notices.class);

    private final Vertx vertx;
    private final DeliveryOptions asking;
    private final NoticeRepository notices;
    private final CommitNotifications notifications;
    private final RandomGenerator random;
    private CommitNotifications.Registration registration;
    private long poll;
    private boolean wanted;
    private boolean stopping;
    private Future<Void> round = Future.succeededFuture();

    Notices(Vertx vertx, AreaSettings areas, NoticeRepository notices, CommitNotifications notifications, RandomGenerator random) {
        this.vertx = vertx;
        this.asking = Addresses.asking(areas, Addresses.EMAILS_SEND, REPLY_WAIT);
        this.notices = notices;
        this.notifications = notifications;
        this.random = random;
    }

    void start() {
        registration = notifications.on(NoticeRepository.NOTICED, this::look);
        poll = vertx.setPeriodic(POLL_MILLIS, timer -> look());
        look();
    }

    /** Done when the round in progress is. */
    Future<Void> stop() {
        if (registration == null) {
            return Future.succeededFuture();
        }
        stopping = true;
        vertx.cancelTimer(poll);
        return registration.end().eventually(() -> round);
    }

    private void look() {
        if (stopping || !round.isComplete()) {
            wanted = true;
            return;
        }
        wanted = false;
        round = notices.claim(Identifiers.random(random), ROUND_MAX, LEASE)
                .compose(claimed -> Future.join(claimed.stream().map(this::tell).toList()).<List<Notice>>map(claimed))
                .onFailure(failure -> LOG.warn("webhooks: telling of disabled URLs failed and is tried again: {}", failure.getMessage()))
                .otherwise(List.of())
                .map(claimed -> {
                    wanted |= claimed.size() == ROUND_MAX;
                    return null;
                });
        round.onSuccess(done -> {
            if (wanted) {
                look();
            }
        });
    }

    private Future<Void> tell(Notice notice) {
        if (notice.administrators().isEmpty()) {
            return failed(notice, "nobody administers the organization");
        }
        return vertx.eventBus().request(Addresses.EMAILS_SEND, notice.email(), asking)
                .transform(reply -> reply.succeeded() ? notices.told(notice) : refusedOrFailed(notice, reply.cause()));
    }

    private Future<Void> refusedOrFailed(Notice notice, Throwable failure) {
        boolean refused = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
                && reply.failureCode() >= BAD_REQUEST && reply.failureCode() < INTERNAL;
        return refused ? givenUp(notice, String.valueOf(failure.getMessage())) : failed(notice, String.valueOf(failure.getMessage()));
    }

    private Future<Void> failed(Notice notice, String trouble) {
        return notice.attempts() >= ATTEMPTS_MAX ? givenUp(notice, trouble) : notices.again(notice, pause(notice.attempts()), trouble);
    }

    private Future<Void> givenUp(Notice notice, String trouble) {
        LOG.error("webhooks: notice {} that {} was disabled cannot be sent: {}", notice.id(), notice.url(), trouble);
        return notices.givenUp(notice, trouble);
    }

    /** Doubles from a second to {@link #PAUSE_MAX}, ±20 %. */
    private Duration pause(int attempts) {
        long planned = Math.min(PAUSE_MAX.toMillis(), 1000L << Math.min(attempts - 1, 20));
        return Duration.ofMillis(Math.round(planned * (0.8 + 0.4 * random.nextDouble())));
    }
}
