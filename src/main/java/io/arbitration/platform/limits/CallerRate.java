package io.arbitration.platform.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.auth.Caller;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.UUID;

/**
 * How often a caller may do what costs much more than a request, on this node, beside the rate of all its requests. A bucket
 * holds a minute's worth.
 */
public final class CallerRate {

    private static final int CALLERS_MAX = 100_000;

    private final boolean enabled;
    private final int perMinute;
    private final Cache<UUID, Bucket> buckets = Caffeine.newBuilder().maximumSize(CALLERS_MAX).expireAfterAccess(Duration.ofMinutes(2)).build();

    /** @param enabled whether there is a limit at all */
    public CallerRate(boolean enabled, int perMinute) {
        this.enabled = enabled;
        this.perMinute = perMinute;
    }

    /** Lets it pass or refuses it with 429 and {@code Retry-After}. */
    public void admit(Caller caller) {
        if (!enabled) {
            return;
        }
        ConsumptionProbe probe = buckets.get(caller.id(), unknown -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, Duration.ofMinutes(1)))
                        .build())
                .tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            throw HttpError.RATE.refusal().retryAfter((int) Math.ceilDiv(probe.getNanosToWaitForRefill(), 1_000_000_000L));
        }
    }
}
