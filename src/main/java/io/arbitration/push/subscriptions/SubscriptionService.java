package io.arbitration.push.subscriptions;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.outbound.TargetUrl;
import io.arbitration.push.encryption.P256;
import io.arbitration.push.vapid.VapidHeaders;
import io.arbitration.push.vapid.VapidKeys;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The subscriptions of browsers: who may have one, with which key and at which push service. */
public final class SubscriptionService {

    private static final int SECRET_BYTES = 16;
    /** The bytes of a subscription in a list without its endpoint. */
    private static final int LISTED_BYTES = 400;

    /** A subscription as the browser gave it to the page. */
    record Asked(String vapidKey, String endpoint, Optional<Number> expirationTime, String p256dh, String auth) {}

    /**
     * The bounds on subscriptions.
     *
     * @param anonymous whether a browser may subscribe without a user
     * @param anonymousMax browsers that subscribed without a user
     * @param perUserMax subscriptions of one user
     */
    public record Bounds(boolean anonymous, int anonymousMax, int perUserMax) {}

    private final SubscriptionRepository repository;
    private final VapidKeys keys;
    private final PushServices services;
    private final Bounds bounds;
    private final Clock clock;
    private final RandomGenerator random;

    public SubscriptionService(SubscriptionRepository repository, VapidKeys keys, PushServices services, Bounds bounds, Clock clock, RandomGenerator random) {
        this.repository = repository;
        this.keys = keys;
        this.services = services;
        this.bounds = bounds;
        this.clock = clock;
        this.random = random;
    }

    /** Stores the subscription of a user, or of no user, and answers its ID. */
    Future<UUID> subscribe(Optional<RequestKey> key, Optional<UUID> userId, Asked asked) {
        if (userId.isEmpty() && !bounds.anonymous) {
            return Future.failedFuture(SubscriptionError.ANONYMOUS_OFF.refusal());
        }
        TargetUrl endpoint = services.endpoint(asked.endpoint);
        byte[] browserKey = bytes(asked.p256dh).filter(P256::isPoint).orElseThrow(SubscriptionError.INVALID_KEY::refusal);
        byte[] secret = bytes(asked.auth).filter(bytes -> bytes.length == SECRET_BYTES).orElseThrow(SubscriptionError.INVALID_SECRET::refusal);
        Optional<Instant> expires = asked.expirationTime.map(SubscriptionService::instant);
        return bytes(asked.vapidKey).map(keys::find).orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .compose(found -> found.isEmpty() ? Future.failedFuture(SubscriptionError.KEY_NOT_FOUND.refusal())
                        : keep(key, new Subscription(Identifiers.random(random), userId, found.get().id(), asked.endpoint,
                                VapidHeaders.origin(endpoint), browserKey, secret, Timestamps.milliseconds(clock.instant()), expires)));
    }

    private Future<UUID> keep(Optional<RequestKey> key, Subscription fresh) {
        return fresh.userId().isPresent()
                ? repository.put(key, fresh, bounds.perUserMax)
                : repository.putAnonymous(fresh, bounds.anonymousMax).map(id -> id.orElseThrow(
                        () -> SubscriptionError.TOO_MANY_ANONYMOUS.refusal(bounds.anonymousMax)));
    }

    /** Browsers write base64url without padding; some libraries pad it. */
    private static Optional<byte[]> bytes(String text) {
        try {
            return Optional.of(Base64.getUrlDecoder().decode(text));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    /** Browsers send it with a fraction; the contract bounds it. */
    private static Instant instant(Number millis) {
        return Instant.ofEpochMilli(new BigDecimal(millis.toString()).longValue());
    }

    /** Subscriptions of a user after a place, the oldest first. */
    Future<Page<SubscriptionRepository.Listed>> list(UUID userId, SubscriptionRepository.Place after, int limit) {
        return repository.list(userId, after, limit + 1)
                .map(found -> Page.of(found, limit, Page.BYTES_MAX, one -> LISTED_BYTES + Page.jsonBytes(one.subscription().endpoint())));
    }

    Future<Void> unsubscribe(Optional<UUID> userId, String subscriptionId) {
        if (userId.isEmpty() && !bounds.anonymous) {
            return Future.failedFuture(SubscriptionError.ANONYMOUS_OFF.refusal());
        }
        return Identifiers.uuid(subscriptionId)
                .map(id -> userId.map(user -> repository.delete(id, user)).orElseGet(() -> repository.deleteAnonymous(id)))
                .orElseGet(() -> Future.succeededFuture(false))
                .compose(ended -> ended ? Future.succeededFuture() : Future.failedFuture(SubscriptionError.NOT_FOUND.refusal()));
    }
}
