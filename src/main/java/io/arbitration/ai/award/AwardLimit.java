package io.arbitration.ai.award;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.answer.HttpError;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.UUID;

/** How many awards each caller may ask this node for: a minute's worth at once, and as many again with each minute. */
final class AwardLimit {

    private static final int BUCKETS_MAX = 10_000;
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final boolean enabled;
    private final int perMinute;
    private final Cache<UUID, Bucket> buckets = Caffeine.newBuilder().maximumSize(BUCKETS_MAX).expireAfterAccess(PERIOD.multipliedBy(2)).build();

    AwardLimit(boolean enabled, int perMinute) {
        this.enabled = enabled;
        this.perMinute = perMinute;
    }

    /** Lets a request pass or refuses it with 429 and {@code Retry-After}. */
    void admit(UUID callerId) {
        if (!enabled) {
            return;
        }
        ConsumptionProbe probe = buckets.get(callerId, unknown -> Bucket.builder()
                .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, PERIOD)).build()).tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            throw HttpError.RATE.refusal().retryAfter((int) Math.ceilDiv(probe.getNanosToWaitForRefill(), 1_000_000_000L));
        }
    }
}
