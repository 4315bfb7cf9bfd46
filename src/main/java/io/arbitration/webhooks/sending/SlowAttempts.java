package io.arbitration.webhooks.sending;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of a node that are under way. When three quarters of its places are taken, attempts that last longer than 2 s are ended
 * until a quarter is free again: first those of the organization that has the most under way, and of these the oldest. Otherwise
 * receivers that answer late, such as those of one user with many organizations, would hold every place for the whole time of an
 * exchange, and the deliveries to others would wait. An ended attempt is repeated as every failed one. Used on one context.
 */
final class SlowAttempts {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long LOOK_MILLIS = 250;
    private static final Logger LOG = LoggerFactory.getLogger(SlowAttempts.class);

    private final Vertx vertx;
    private final int most;
    /** The oldest first. */
    private final Set<Attempt> underWay = new LinkedHashSet<>();
    private boolean looking;

    /** @param end completed with the reason to end the attempt */
    private record Attempt(UUID organizationId, long startNanos, Promise<String> end) {}

    /** What one organization has under way, the slow attempts by their age. */
    private static final class Held {
        private final Queue<Attempt> slow = new ArrayDeque<>();
        private int attempts;

        int attempts() {
            return attempts;
        }
    }

    /** @param most the places of this node */
    SlowAttempts(Vertx vertx, int most) {
        this.vertx = vertx;
        this.most = most;
    }

    /** Whether so many are under way that each URL gets few more. */
    boolean isHalfFull() {
        return underWay.size() >= most / 2;
    }

    /** Makes an attempt, which gets the future that may end it. */
    <T> Future<T> during(UUID organizationId, Function<Future<String>, Future<T>> attempt) {
        Attempt begun = new Attempt(organizationId, System.nanoTime(), Promise.promise());
        underWay.add(begun);
        look();
        return attempt.apply(begun.end.future()).onComplete(ended -> underWay.remove(begun));
    }

    private int tooMany() {
        return underWay.size() - (most - most / 4);
    }

    private void look() {
        if (!looking && tooMany() > 0) {
            looking = true;
            vertx.setTimer(LOOK_MILLIS, timer -> {
                looking = false;
                end(tooMany());
                look();
            });
        }
    }

    private void end(int count) {
        int taken = underWay.size();
        long before = System.nanoTime() - PATIENCE.toNanos();
        Map<UUID, Held> byOrganization = new HashMap<>();
        for (Attempt attempt : underWay) {
            Held held = byOrganization.computeIfAbsent(attempt.organizationId, none -> new Held());
            held.attempts++;
            // One that was told to end may need a moment; it is not ended twice.
            if (attempt.startNanos - before < 0 && !attempt.end.future().isComplete()) {
                held.slow.add(attempt);
            }
        }
        Queue<Held> largestFirst = new PriorityQueue<>(Comparator.comparingInt(Held::attempts).reversed());
        byOrganization.values().stream().filter(held -> !held.slow.isEmpty()).forEach(largestFirst::add);
        int ended = 0;
        for (; ended < count && !largestFirst.isEmpty(); ended++) {
            Held largest = largestFirst.remove();
            largest.slow.remove().end.complete("the exchange was ended after more than %d ms, because %d of the %d places for attempts of this node were taken".formatted(
                    PATIENCE.toMillis(), taken, most));
            largest.attempts--;
            if (!largest.slow.isEmpty()) {
                largestFirst.add(largest);
            }
        }
        if (ended > 0) {
            LOG.info("webhooks: {} of {} places for attempts were taken, by {} organizations; {} attempts that lasted longer than {} ms were ended", taken, most,
                    byOrganization.size(), ended, PATIENCE.toMillis());
        }
    }
}
