package io.arbitration.platform.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * Limits the request rate of each caller or address with a token bucket, which holds as many permits as are added in one period.
 * Created by {@link SharedRateLimiters}, which adds up the requests of several nodes. Thread-safe.
 */
public final class RateLimiter {

    private final String name;
    private final boolean enabled;
    private final int permits;
    private final Duration period;
    private final int keysMax;
    private final String policy;
    private final Cache<String, Bucket> buckets;
    private final Cache<String, Boolean> usedUp;
    private volatile Map<String, LongAdder> spent = new ConcurrentHashMap<>();
    private final BooleanSupplier isShared;

    /**
     * @param enabled whether there is a limit at all
     * @param keysMax buckets that are kept. Beyond that, keys that are used seldom are evicted and start again with a full
     *     bucket: nobody is refused because there are many keys, and busy keys stay counted.
     * @param isShared whether the counts are collected for the other nodes
     */
    RateLimiter(String name, boolean enabled, int permits, Duration period, int keysMax, BooleanSupplier isShared) {
        this.name = name;
        this.enabled = enabled;
        this.permits = permits;
        this.period = period;
        this.keysMax = keysMax;
        this.policy = "\"%s\";q=%d;w=%d".formatted(name, permits, Math.max(1, period.toSeconds()));
        this.isShared = isShared;
        // Eviction runs on the thread that adds a key; on another thread, more keys could be added meanwhile.
        this.usedUp = Caffeine.newBuilder().maximumSize(keysMax).expireAfterWrite(period.dividedBy(2)).executor(Runnable::run).build();
        this.buckets = Caffeine.newBuilder().maximumSize(keysMax).expireAfterAccess(period.multipliedBy(2).plusMinutes(1)).executor(Runnable::run).build();
    }

    String name() {
        return name;
    }

    int permits() {
        return permits;
    }

    /**
     * Admits one request.
     *
     * @param key the ID of a caller, or the network of an address
     * @throws Refusal 429 with {@code Retry-After} when the bucket is empty
     */
    public void admit(Object key) {
        if (!enabled) {
            return;
        }
        String text = key.toString();
        ConsumptionProbe probe = bucket(text).tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            throw refusal(probe);
        }
        count(text);
    }

    /**
     * The same, and adds the rate limit headers to the answer (draft-ietf-httpapi-ratelimit-headers-10): the policy as permits
     * per number of seconds, and the remaining permits with the time until the bucket is full again.
     *
     * @param answer headers of the answer
     */
    public void admit(Object key, MultiMap answer) {
        if (!enabled) {
            return;
        }
        String text = key.toString();
        ConsumptionProbe probe = bucket(text).tryConsumeAndReturnRemaining(1);
        answer.set("RateLimit-Policy", policy)
                .set("RateLimit", "\"%s\";r=%d;t=%d".formatted(name, probe.getRemainingTokens(), Math.ceilDiv(probe.getNanosToWaitForReset(), 1_000_000_000L)));
        if (!probe.isConsumed()) {
            throw refusal(probe);
        }
        count(text);
    }

    private static Refusal refusal(ConsumptionProbe probe) {
        return HttpError.RATE.refusal().retryAfter((int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(probe.getNanosToWaitForRefill(), 1_000_000_000L)));
    }

    /** Takes a permit if there is one, for checks that are not answered with a refusal. */
    public boolean tryAdmit(Object key) {
        if (!enabled) {
            return true;
        }
        String text = key.toString();
        boolean admitted = bucket(text).tryConsume(1);
        if (admitted) {
            count(text);
        } else {
            usedUp.put(text, true);
        }
        return admitted;
    }

    /**
     * Whether {@link #tryAdmit} had no permit for this key within the last half of a period, in which half of the permits are
     * added again.
     */
    public boolean isUsedUp(Object key) {
        return usedUp.getIfPresent(key.toString()) != null;
    }

    private void count(String key) {
        Map<String, LongAdder> counted = spent;
        // More keys than that come from an attacker with too many addresses to be counted by one of them.
        if (isShared.getAsBoolean() && (counted.size() < keysMax || counted.containsKey(key))) {
            counted.computeIfAbsent(key, first -> new LongAdder()).increment();
        }
    }

    private Bucket bucket(String key) {
        return buckets.get(key, unknown -> Bucket.builder()
                .addLimit(limit -> limit.capacity(permits).refillGreedy(permits, period))
                .build());
    }

    /** Number of buckets that are kept now. */
    long keys() {
        buckets.cleanUp();
        return buckets.estimatedSize();
    }

    /** The requests admitted since the last call, by key. */
    Map<String, LongAdder> drainAdmitted() {
        Map<String, LongAdder> taken = spent;
        if (!taken.isEmpty()) {
            spent = new ConcurrentHashMap<>();
        }
        return taken;
    }

    /** Another node admitted this many requests: the bucket of this node deducts them, and may become negative for a while. */
    void deductAdmittedElsewhere(String key, long count) {
        if (enabled && count > 0) {
            bucket(key).consumeIgnoringRateLimits(Math.min(count, permits));
        }
    }
}
