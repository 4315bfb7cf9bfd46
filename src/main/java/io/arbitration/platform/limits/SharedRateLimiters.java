package io.arbitration.platform.limits;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rate limiters of this node, counted together with those of the other nodes: each node writes once a second what it let
 * pass, and takes from its own buckets what the others wrote.
 *
 * <p>So a rate is approximately the platform's. A caller who spreads over n nodes gets up to n buckets in the first second; from
 * then on every bucket pays for all nodes, so that over ten seconds the sum is within one bucket and n seconds of the rate. Without
 * the database each node counts alone.
 */
public final class SharedRateLimiters {

    /** What the program has, so that the heap which they need is known at the start; a further one needs a higher number here. */
    public static final int LIMITERS_MAX = 10;
    /** A bucket with its key, and what is counted of it for other nodes: measured at 574 bytes, for the two which know who used it up at 675. */
    public static final int BYTES_PER_KEY = 608;
    private static final long SHARE_MILLIS = 1000;
    /** Keys that a node writes in a second, those that used most of their permits first. */
    static final int KEYS_SHARED_MAX = 1000;
    /** Of the permits of a period, what a key must have used in a second to be written: less cannot add up to a breach over twenty nodes. */
    private static final int PERMITS_PER_WORTH = 20;
    private static final Logger LOG = LoggerFactory.getLogger(SharedRateLimiters.class);

    private record Spent(RateLimiter limiter, String key, long count) {
        double share() {
            return (double) count / limiter.permits();
        }
    }

    private final boolean enabled;
    private final int keysMax;
    private final Map<String, RateLimiter> limiters = new ConcurrentHashMap<>();
    private final Map<UUID, Long> readUpTo = new HashMap<>();
    private long beat;
    private volatile boolean shared;
    private boolean sharing;
    private boolean failed;

    /**
     * @param enabled whether there are any limits
     * @param keysMax of each limiter, as {@link RateLimiter} has them
     */
    public SharedRateLimiters(boolean enabled, int keysMax) {
        this.enabled = enabled;
        this.keysMax = keysMax;
    }

    /**
     * The limiter of this name, made at the first call; the same one for all who ask for it.
     *
     * @param permits what each key may do in a period, and at once
     * @throws IllegalStateException when there are more than {@link #LIMITERS_MAX}
     */
    public RateLimiter limiter(String name, int permits, Duration period) {
        RateLimiter limiter = limiters.computeIfAbsent(name, first -> new RateLimiter(name, enabled, permits, period, keysMax, () -> shared));
        if (limiters.size() > LIMITERS_MAX) {
            throw new IllegalStateException("more than %d rate limiters".formatted(LIMITERS_MAX));
        }
        return limiter;
    }

    /** Begins to count together with the other nodes; ends with Vert.x. */
    public void share(Vertx vertx, Database database, UUID nodeId) {
        if (enabled) {
            RateCountsRepository repository = new RateCountsRepository(database, nodeId);
            vertx.setPeriodic(SHARE_MILLIS, timer -> share(repository));
        }
    }

    private void share(RateCountsRepository repository) {
        if (sharing) {
            return;
        }
        sharing = true;
        exchange(repository).onComplete(done -> {
            sharing = false;
            failed = false;
        }, failure -> {
            sharing = false;
            if (!failed) {
                failed = true;
                LOG.warn("rates are counted by this node alone until the database answers: {}", failure.getMessage());
            }
        });
    }

    /** One round: writes what was let pass since the last, and reads what others have written since. */
    Future<Void> exchange(RateCountsRepository repository) {
        shared = true;
        JsonObject counts = takeCounts();
        boolean first = ++beat == 1;
        return repository.exchange(beat, counts.isEmpty() ? null : counts.encode()).map(others -> {
            for (RateCountsRepository.Counts other : others) {
                Long before = readUpTo.get(other.nodeId());
                // What others let pass before this node was there is theirs alone. What is read once more, for it stands some seconds, counts once.
                if (!first && (before == null || other.beat() > before)) {
                    count(other);
                }
                readUpTo.merge(other.nodeId(), other.beat(), Math::max);
            }
            readUpTo.keySet().retainAll(others.stream().map(RateCountsRepository.Counts::nodeId).toList());
            return null;
        });
    }

    private JsonObject takeCounts() {
        PriorityQueue<Spent> most = new PriorityQueue<>(Comparator.comparingDouble(Spent::share));
        for (RateLimiter limiter : limiters.values()) {
            long least = Math.max(1, limiter.permits() / PERMITS_PER_WORTH);
            limiter.takeSpent().forEach((key, adder) -> {
                long count = adder.sum();
                if (count >= least) {
                    most.add(new Spent(limiter, key, count));
                    if (most.size() > KEYS_SHARED_MAX) {
                        most.remove();
                    }
                }
            });
        }
        JsonObject counts = new JsonObject();
        for (Spent spent : most) {
            JsonArray pairs = counts.getJsonArray(spent.limiter().name());
            if (pairs == null) {
                pairs = new JsonArray();
                counts.put(spent.limiter().name(), pairs);
            }
            pairs.add(spent.key()).add(spent.count());
        }
        return counts;
    }

    private void count(RateCountsRepository.Counts other) {
        try {
            new JsonObject(other.counts()).forEach(limiter -> {
                RateLimiter known = limiters.get(limiter.getKey());
                JsonArray pairs = (JsonArray) limiter.getValue();
                for (int i = 0; known != null && i + 1 < pairs.size(); i += 2) {
                    known.spentElsewhere(pairs.getString(i), pairs.getLong(i + 1));
                }
            });
        } catch (DecodeException | ClassCastException broken) {
            LOG.warn("the counts of node {} cannot be read: {}", other.nodeId(), broken.getMessage());
        }
    }
}
