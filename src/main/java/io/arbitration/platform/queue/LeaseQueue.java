package io.arbitration.platform.queue;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.db.Database;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of the table {@code platform.queue_items}: claims items, reads their content, lets an {@link ItemHandler} execute them, and
 * records the outcomes, in queue and content, in one transaction. Used on the context of its {@link Dispatcher}.
 *
 * <p>The queue itself never drops an item. An item whose content cannot be read, or whose attempts are never recorded (perhaps because it
 * crashes the nodes), stays in the queue and is claimed less and less often. It does not delay the other items.
 */
public final class LeaseQueue<C extends LeasedItem, O extends AttemptOutcome> implements WorkQueue<C, O> {

    private static final int EXTENDED_PER_LEASE = 3;
    private static final Logger LOG = LoggerFactory.getLogger(LeaseQueue.class);

    private final Vertx vertx;
    private final Terms terms;
    private final QueueItemRepository items;
    private final DueItemsPoll poll;
    private final ContentRepository<C, O> contents;
    private final ItemHandler<C, O> handler;
    private final Counter unrecorded;
    private final Counter lost;
    private String lastLane = "";
    private volatile double lateSeconds;

    /**
     * The settings of a queue.
     *
     * @param queue its name in the table, in metrics and in the log; the PostgreSQL channel of its notifications is this name and {@code
     *     _due}
     * @param lease longer than an attempt may take, unless it is extended
     * @param extended whether leases are extended while their attempts run. Then a lease can be short, and the items of a dead node are
     *     soon free
     * @param fair whether lanes are served in turn
     */
    public record Terms(String queue, Duration lease, boolean extended, boolean fair) {

        public static Terms of(String queue, Duration lease) {
            return new Terms(queue, lease, false, false);
        }

        public String channel() {
            return queue + "_due";
        }
    }

    public LeaseQueue(Vertx vertx, Terms terms, QueueItemRepository items, DueItemsPoll poll, ContentRepository<C, O> contents, ItemHandler<C, O> handler,
            MeterRegistry meters) {
        this.vertx = vertx;
        this.terms = terms;
        this.items = items;
        this.poll = poll;
        this.contents = contents;
        this.handler = handler;
        this.unrecorded = Counter.builder("queue.unrecorded").description("Items that were claimed again because nobody recorded an outcome")
                .tag("queue", terms.queue).register(meters);
        this.lost = Counter.builder("queue.lost").description("Outcomes that did not count, because the lease had ended before they were recorded")
                .tag("queue", terms.queue).register(meters);
        Gauge.builder("queue.late.seconds", () -> lateSeconds).description("For how long the oldest item that is due has been so")
                .tag("queue", terms.queue).register(meters);
    }

    /** Creates a queue and the dispatcher that executes its items. */
    public static <C extends LeasedItem, O extends AttemptOutcome> Dispatcher<C, O> dispatcher(
            Vertx vertx, AreaServices services, Terms terms, ContentRepository<C, O> contents, ItemHandler<C, O> handler, int inFlightMax) {
        LeaseQueue<C, O> queue = new LeaseQueue<>(vertx, terms, new QueueItemRepository(services.database()), services.dueItems(), contents, handler,
                services.meters());
        // A fair claim takes one item of a lane, so it is made even if only one more attempt can begin.
        Dispatcher.Bounds bounds = terms.fair ? new Dispatcher.Bounds(inFlightMax, Dispatcher.BATCH_MAX, 1) : Dispatcher.Bounds.of(inFlightMax);
        return new Dispatcher<>(vertx, terms.queue, queue, services.notifications(), terms.channel(), bounds, services.random());
    }

    @Override
    public Future<Claims<C>> claim(UUID claim, int most) {
        if (!handler.mayBegin()) {
            return Future.succeededFuture(new Claims<>(List.of(), false, false));
        }
        return claimed(claim, most).compose(claimed -> {
            claimed.forEach(this::reportIfNeverRecorded);
            List<Lease> leases = claimed.stream().map(QueueItemRepository.ClaimedItem::lease).toList();
            // A fair claim takes one item of each lane, and any lane may have more.
            boolean again = terms.fair ? !leases.isEmpty() : leases.size() == most;
            return leases.isEmpty() ? Future.succeededFuture(new Claims<C>(List.of(), false, true))
                    : read(leases).map(contents -> new Claims<>(contents, again, true));
        });
    }

    private Future<List<QueueItemRepository.ClaimedItem>> claimed(UUID claim, int most) {
        if (!terms.fair) {
            return items.claim(terms.queue, claim, most, terms.lease);
        }
        String after = lastLane;
        return items.claimFairly(terms.queue, claim, most, terms.lease, after).onSuccess(claimed -> {
            List<String> lanes = claimed.stream().map(one -> one.lease().lane()).sorted().toList();
            // Lanes are served in the order of their names, and after the last one from the first again. If this claim began again from the
            // first, the next claim continues after the greatest lane up to the former mark; otherwise after the greatest lane of all.
            lastLane = lanes.stream().filter(lane -> lane.compareTo(after) <= 0).reduce((first, second) -> second)
                    .or(() -> lanes.stream().reduce((first, second) -> second)).orElse(after);
        });
    }

    private void reportIfNeverRecorded(QueueItemRepository.ClaimedItem claimed) {
        if (claimed.unrecorded() > 1) {
            unrecorded.increment();
        }
        if (claimed.unrecorded() > QueueItemRepository.UNRECORDED_TOLERATED) {
            LOG.error("{}: item {} was claimed {} times without an outcome; it is tried more and more rarely",
                    terms.queue, claimed.lease().key(), claimed.unrecorded());
        }
    }

    /** Reads all at once. If that fails although the database works, reads one by one, so that a broken item does not delay the others. */
    private Future<List<C>> read(List<Lease> leases) {
        return contents.read(leases)
                .recover(failure -> {
                    if (Database.isUnavailable(failure) || Database.isOverloaded(failure)) {
                        return items.release(terms.queue, leases).otherwiseEmpty().compose(released -> Future.failedFuture(failure));
                    }
                    return readEach(leases);
                })
                .onSuccess(read -> reportMissing(leases, read));
    }

    private Future<List<C>> readEach(List<Lease> leases) {
        return SequentialWork.each(leases, lease -> contents.read(List.of(lease)).otherwise(failure -> {
            LOG.error("{}: what item {} is about cannot be read; it waits for the end of its lease", terms.queue, lease.key(), failure);
            return List.of();
        })).map(read -> read.stream().flatMap(List::stream).toList());
    }

    private void reportMissing(List<Lease> leases, List<C> read) {
        if (read.size() < leases.size()) {
            Set<Long> there = read.stream().map(one -> one.lease().key()).collect(Collectors.toSet());
            leases.stream().map(Lease::key).filter(key -> !there.contains(key))
                    .forEach(key -> LOG.error("{}: nothing was found that item {} is about; it waits for the end of its lease", terms.queue, key));
        }
    }

    @Override
    public String key(C claimed) {
        return String.valueOf(claimed.lease().key());
    }

    @Override
    public Future<O> attempt(C claimed) {
        if (!terms.extended) {
            return handler.attempt(claimed);
        }
        long extending = vertx.setPeriodic(terms.lease.dividedBy(EXTENDED_PER_LEASE).toMillis(), timer -> items.extend(terms.queue, claimed.lease(), terms.lease)
                .onFailure(failed -> LOG.warn("{}: the lease of item {} could not be extended: {}", terms.queue, claimed.lease().key(), failed.getMessage())));
        return handler.attempt(claimed).onComplete(ended -> vertx.cancelTimer(extending));
    }

    @Override
    public Future<Void> record(List<O> outcomes) {
        return OutcomeBatch.record(outcomes, batch -> items.settle(terms.queue, batch, contents).map(counted -> {
            lost.increment(batch.size() - counted);
            return counted;
        }), outcome -> "item %d of %s".formatted(outcome.lease().key(), terms.queue)).mapEmpty();
    }

    @Override
    public Watch watch(Runnable due) {
        return poll.watch(terms.queue, found -> {
            lateSeconds = found.lateSeconds().orElse(0.0);
            if (found.lateSeconds().isPresent()) {
                due.run();
            }
        });
    }

    @Override
    public Future<Void> release(List<C> claimed) {
        return items.release(terms.queue, claimed.stream().map(LeasedItem::lease).toList());
    }
}
