package io.arbitration.push;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.outbound.TargetUrl;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The rules of subscribing. */
final class SubscriptionService {

    private static final int SECRET_BYTES = 16;

    /** What a browser says of its subscription. */
    record Asked(String vapidKey, String endpoint, Number expirationTime, String p256dh, String auth) {}

    private final SubscriptionRepository repository;
    private final VapidKeys keys;
    private final PushServices services;
    private final PushSettings settings;
    private final Clock clock;
    private final RandomGenerator random;

    SubscriptionService(SubscriptionRepository repository, VapidKeys keys, PushServices services, PushSettings settings, Clock clock,
            RandomGenerator random) {
        this.repository = repository;
        this.keys = keys;
        this.services = services;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    /** Keeps the subscription of a user, or of nobody, and tells its id. */
    Future<UUID> subscribe(Optional<RequestKey> key, Optional<UUID> userId, Asked asked) {
        if (userId.isEmpty() && !settings.anonymous()) {
            return Future.failedFuture(PushError.ANONYMOUS_OFF.refusal());
        }
        TargetUrl endpoint = services.endpoint(asked.endpoint);
        byte[] browserKey = bytes(asked.p256dh).filter(P256::isPoint).orElseThrow(PushError.INVALID_KEY::refusal);
        byte[] secret = bytes(asked.auth).filter(bytes -> bytes.length == SECRET_BYTES).orElseThrow(PushError.INVALID_SECRET::refusal);
        Optional<Instant> expires = Optional.ofNullable(asked.expirationTime).map(SubscriptionService::instant);
        return bytes(asked.vapidKey).map(keys::find).orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .compose(found -> found.isEmpty() ? Future.failedFuture(PushError.KEY_NOT_FOUND.refusal())
                        : keep(key, new Subscription(Identifiers.random(random), userId, found.get().id(), asked.endpoint,
                                VapidHeaders.origin(endpoint), browserKey, secret, Timestamps.milliseconds(clock.instant()), expires)));
    }

    private Future<UUID> keep(Optional<RequestKey> key, Subscription fresh) {
        return fresh.userId().isPresent()
                ? repository.put(key, fresh, settings.subscriptionsMax())
                : repository.putAnonymous(fresh, settings.anonymousMax()).map(id -> id.orElseThrow(
                        () -> PushError.TOO_MANY_ANONYMOUS.refusal(settings.anonymousMax())));
    }

    /** Browsers write base64url without padding; some libraries pad it. */
    private static Optional<byte[]> bytes(String text) {
        try {
            return Optional.of(Base64.getUrlDecoder().decode(text));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    /** Browsers write it with a fraction; the contract bounds it. */
    private static Instant instant(Number millis) {
        return Instant.ofEpochMilli(new BigDecimal(millis.toString()).longValue());
    }

    Future<List<SubscriptionRepository.Listed>> list(UUID userId) {
        return repository.list(userId);
    }

    Future<Void> unsubscribe(Optional<UUID> userId, String subscriptionId) {
        if (userId.isEmpty() && !settings.anonymous()) {
            return Future.failedFuture(PushError.ANONYMOUS_OFF.refusal());
        }
        return Identifiers.uuid(subscriptionId)
                .map(id -> userId.map(user -> repository.delete(id, user)).orElseGet(() -> repository.deleteAnonymous(id)))
                .orElseGet(() -> Future.succeededFuture(false))
                .compose(ended -> ended ? Future.succeededFuture() : Future.failedFuture(PushError.SUBSCRIPTION_NOT_FOUND.refusal()));
    }
}
