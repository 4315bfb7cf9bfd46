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
 * The rate limiters of this node, combined with those of the other nodes: each node writes once a second the number of requests
 * that it admitted, and deducts the numbers of the others from its own buckets.
 *
 * <p>So a rate applies approximately to the platform. A caller that uses n nodes gets up to n buckets in the first second; from
 * then on every bucket deducts the requests of all nodes, so that over ten seconds the sum is within one bucket and n seconds of
 * the rate. Without the database each node counts alone.
 */
public final class SharedRateLimiters {

    /**
     * The number of limiters in the program, so that the heap that they need is known at the start; another limiter needs a
     * higher number here.
     */
    public static final int LIMITERS_MAX = 10;
    /**
     * A bucket with its key, and its count for other nodes: measured at 574 bytes, and at 675 for the two limiters that remember
     * which keys are used up.
     */
    public static final int BYTES_PER_KEY = 608;
    private static final long SHARE_MILLIS = 1000;
    /** Keys that a node writes in a second; those that used most of their permits come first. */
    static final int KEYS_SHARED_MAX = 1000;
    /**
     * A key is written if it used more than this fraction of a period's permits in a second: less cannot add up to a violation
     * over twenty nodes.
     */
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
     * The limiter with this name, created at the first call; later calls get the same one.
     *
     * @param permits permits of each key in a period, and at once
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

    /** One round: writes the requests admitted since the last round, and reads those that others have written since. */
    Future<Void> exchange(RateCountsRepository repository) {
        shared = true;
        JsonObject counts = drainCounts();
        boolean first = ++beat == 1;
        return repository.exchange(beat, counts.isEmpty() ? null : counts.encode()).map(others -> {
            for (RateCountsRepository.Counts other : others) {
                Long before = readUpTo.get(other.nodeId());
                // Requests that others admitted before this node started are not deducted here. A count that is read twice,
                // because it is stored for some seconds, is deducted once.
                if (!first && (before == null || other.beat() > before)) {
                    count(other);
                }
                readUpTo.merge(other.nodeId(), other.beat(), Math::max);
            }
            readUpTo.keySet().retainAll(others.stream().map(RateCountsRepository.Counts::nodeId).toList());
            return null;
        });
    }

    private JsonObject drainCounts() {
        PriorityQueue<Spent> most = new PriorityQueue<>(Comparator.comparingDouble(Spent::share));
        for (RateLimiter limiter : limiters.values()) {
            long least = Math.max(1, limiter.permits() / PERMITS_PER_WORTH);
            limiter.drainAdmitted().forEach((key, adder) -> {
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
                    known.deductAdmittedElsewhere(pairs.getString(i), pairs.getLong(i + 1));
                }
            });
        } catch (DecodeException | ClassCastException broken) {
            LOG.warn("the counts of node {} cannot be read: {}", other.nodeId(), broken.getMessage());
        }
    }
}
