package io.arbitration.push;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends to one subscription while the caller waits. */
final class SendService {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Logger LOG = LoggerFactory.getLogger(SendService.class);

    private final Vertx vertx;
    private final SubscriptionRepository repository;
    private final PushClient client;
    private final Duration within;
    private final Clock clock;

    /** @param within all attempts together */
    SendService(Vertx vertx, SubscriptionRepository repository, PushClient client, Duration within, Clock clock) {
        this.vertx = vertx;
        this.repository = repository;
        this.client = client;
        this.within = within;
        this.clock = clock;
    }

    /** Done when the push service has the message; fails with the refusal to tell otherwise. */
    Future<Void> send(String subscriptionId, PushMessage message) {
        Instant end = clock.instant().plus(within);
        return Identifiers.uuid(subscriptionId).map(repository::find).orElseGet(() -> Future.succeededFuture(java.util.Optional.empty()))
                .compose(found -> found.isEmpty() ? Future.failedFuture(PushError.SUBSCRIPTION_NOT_FOUND.refusal())
                        : send(found.get(), message, end, FIRST_PAUSE));
    }

    private Future<Void> send(Subscription subscription, PushMessage message, Instant end, Duration pause) {
        return client.send(subscription, message, Duration.between(clock.instant(), end)).compose(answer -> switch (answer) {
            case PushAnswer.Accepted accepted -> Future.succeededFuture();
            case PushAnswer.Gone gone -> repository.deleteGone(subscription)
                    .compose(deleted -> Future.failedFuture(PushError.SUBSCRIPTION_NOT_FOUND.refusal()));
            case PushAnswer.Busy busy -> again(subscription, message, end, pause, busy);
            case PushAnswer.Refused refused -> {
                LOG.warn("push: {} refused with status {}", subscription, refused.status());
                yield Future.failedFuture(PushError.SERVICE_REFUSED.refusal(refused.status()));
            }
            case PushAnswer.Unreached unreached -> Future.failedFuture(unreached.late()
                    ? PushError.SERVICE_TIMEOUT.refusal() : PushError.SERVICE_FAILED.refusal(unreached.why()));
            case PushAnswer.NotAllowed notAllowed -> Future.failedFuture(PushError.SERVICE_NOT_ALLOWED.refusal());
        });
    }

    /** As long as the pause that is asked for fits into the time of the caller; else the caller is told of it. */
    private Future<Void> again(Subscription subscription, PushMessage message, Instant end, Duration planned, PushAnswer.Busy busy) {
        Duration pause = planned.compareTo(busy.pause()) > 0 ? planned : busy.pause();
        if (clock.instant().plus(pause).plus(FIRST_PAUSE).isBefore(end)) {
            return vertx.timer(pause.toMillis(), TimeUnit.MILLISECONDS)
                    .compose(waited -> send(subscription, message, end, planned.multipliedBy(2)));
        }
        Refusal refusal = busy.status() == 429 || busy.status() == 503
                ? PushError.SERVICE_BUSY.refusal() : PushError.SERVICE_REFUSED.refusal(busy.status());
        return Future.failedFuture(refusal.retryAfter((int) Math.max(1, busy.pause().toSeconds())));
    }
}
