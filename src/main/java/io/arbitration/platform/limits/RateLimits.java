package io.arbitration.platform.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.auth.Caller;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Token buckets of this node: one per signed-in caller, one per address (IPv6: per /64) for requests without a
 * token or with one that is refused. A bucket holds one second's worth.
 */
public final class RateLimits {

    private static final int BUCKETS_MAX = 100_000;

    private final RateLimitSettings settings;
    private final Cache<Object, Bucket> buckets =
            Caffeine.newBuilder().maximumSize(BUCKETS_MAX).expireAfterAccess(Duration.ofMinutes(1)).build();

    public RateLimits(RateLimitSettings settings) {
        this.settings = settings;
    }

    /** Lets a request of a signed-in caller pass or refuses it with 429 and {@code Retry-After}. */
    public void admit(Caller caller) {
        if (settings.enabled()) {
            take(caller.id(), settings.perCaller());
        }
    }

    /** Lets a request without a token that holds pass or refuses it with 429 and {@code Retry-After}. */
    public void admit(String address) {
        if (settings.enabled()) {
            take(network(address), settings.perAddress());
        }
    }

    /** An IPv6 customer has a network of 64 bits at least, and with it more addresses than any number of buckets. */
    private static String network(String address) {
        try {
            byte[] bytes = InetAddress.ofLiteral(address.split("%", 2)[0]).getAddress();
            return bytes.length == 16 ? HexFormat.of().formatHex(bytes, 0, 8) : address;
        } catch (IllegalArgumentException notAnAddress) {
            return address;
        }
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
