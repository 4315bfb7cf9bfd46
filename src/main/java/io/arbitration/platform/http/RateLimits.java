package io.arbitration.platform.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.config.Settings;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/**
 * Token buckets of this node: one per signed-in caller, one per address without a token. A bucket holds one second's worth.
 */
public final class RateLimits {

    private static final int BUCKETS_MAX = 100_000;

    private final Settings.RateLimit settings;
    private final Cache<Object, Bucket> buckets =
            Caffeine.newBuilder().maximumSize(BUCKETS_MAX).expireAfterAccess(Duration.ofMinutes(1)).build();

    public RateLimits(Settings.RateLimit settings) {
        this.settings = settings;
    }

    /** Lets a request pass or refuses it with 429 and {@code Retry-After}. */
    void admit(RoutingContext context) {
        if (settings.enabled()) {
            Caller caller = context.get(Authentication.CALLER);
            if (caller != null) {
                take(caller.id(), settings.perCaller());
            } else {
                take(context.request().remoteAddress().hostAddress(), settings.perAddress());
            }
        }
        context.next();
    }

    private void take(Object key, int perSecond) {
        Bucket bucket = buckets.get(key, unknown -> Bucket.builder()
                .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .build());
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            throw HttpError.RATE.refusal().retryAfter((int) Math.ceilDiv(probe.getNanosToWaitForRefill(), 1_000_000_000L));
        }
    }
}
