package io.arbitration.push.messages;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.push.subscriptions.Subscription;
import io.arbitration.push.subscriptions.SubscriptionError;
import io.arbitration.push.subscriptions.SubscriptionRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends to one subscription while the caller waits. */
public final class SendService {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Logger LOG = LoggerFactory.getLogger(SendService.class);

    private final Vertx vertx;
    private final SubscriptionRepository repository;
    private final PushClient client;
    private final Duration within;
    private final Clock clock;

    /** @param within the time limit for all attempts together */
    public SendService(Vertx vertx, SubscriptionRepository repository, PushClient client, Duration within, Clock clock) {
        this.vertx = vertx;
        this.repository = repository;
        this.client = client;
        this.within = within;
        this.clock = clock;
    }

    /** Completes when the push service has accepted the message; otherwise fails with the error for the caller. */
    Future<Void> send(String subscriptionId, PushMessage message) {
        Instant end = clock.instant().plus(within);
        return Identifiers.uuid(subscriptionId).map(repository::find).orElseGet(() -> Future.succeededFuture(java.util.Optional.empty()))
                .compose(found -> found.isEmpty() ? Future.failedFuture(SubscriptionError.NOT_FOUND.refusal())
                        : send(found.get(), message, end, FIRST_PAUSE));
    }

    private Future<Void> send(Subscription subscription, PushMessage message, Instant end, Duration pause) {
        return client.send(subscription, message, Duration.between(clock.instant(), end)).compose(answer -> switch (answer) {
            case PushAnswer.Accepted accepted -> Future.succeededFuture();
            case PushAnswer.Gone gone -> repository.deleteGone(subscription)
                    .compose(deleted -> Future.failedFuture(SubscriptionError.NOT_FOUND.refusal()));
            case PushAnswer.Busy busy -> again(subscription, message, end, pause, busy);
            case PushAnswer.Refused refused -> {
                LOG.warn("push: {} refused with status {}", subscription, refused.status());
                yield Future.failedFuture(SendError.SERVICE_REFUSED.refusal(refused.status()));
            }
            case PushAnswer.Unreached unreached -> Future.failedFuture(unreached.late()
                    ? SendError.SERVICE_TIMEOUT.refusal() : SendError.SERVICE_FAILED.refusal(unreached.why()));
            case PushAnswer.NotAllowed notAllowed -> Future.failedFuture(SendError.SERVICE_NOT_ALLOWED.refusal());
        });
    }

    /**
     * Tries again if the pause that the push service requests fits into the time of the request; otherwise the error contains the
     * pause.
     */
    private Future<Void> again(Subscription subscription, PushMessage message, Instant end, Duration planned, PushAnswer.Busy busy) {
        Duration pause = planned.compareTo(busy.pause()) > 0 ? planned : busy.pause();
        if (clock.instant().plus(pause).plus(FIRST_PAUSE).isBefore(end)) {
            return vertx.timer(pause.toMillis(), TimeUnit.MILLISECONDS)
                    .compose(waited -> send(subscription, message, end, planned.multipliedBy(2)));
        }
        Refusal refusal = busy.status() == 429 || busy.status() == 503
                ? SendError.SERVICE_BUSY.refusal() : SendError.SERVICE_REFUSED.refusal(busy.status());
        return Future.failedFuture(refusal.retryAfter((int) Math.max(1, busy.pause().toSeconds())));
    }
}
