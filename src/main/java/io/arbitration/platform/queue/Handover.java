package io.arbitration.platform.queue;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a request to another area until that area has stored it. After a crash before the outcome is recorded, the request is repeated
 * with the same idempotency key, so that the other area executes it once.
 */
public final class Handover<C extends Handover.Item> implements ItemHandler<C, Handover.Outcome<C>> {

    /**
     * Each request takes a few statements of another area. More at once would delay the requests of people while a burst of items is handed
     * over.
     */
    public static final int IN_FLIGHT_MAX = 16;

    /** About seven days, because nearly all of the pauses are the longest one, five minutes. */
    private static final int ATTEMPTS_MAX = 2000;
    /** The pause of an item that waits for another one. */
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

    private final BusHandover bus;
    private final String queue;
    private final Backoff backoff;

    /** An item of such a queue. */
    public interface Item extends LeasedItem {

        /** The address of the other area on the event bus. */
        String address();

        /** The request, with its idempotency key; empty if it is not needed any more. */
        Optional<JsonObject> request();

        /** Why the request cannot be made yet; it is tried again as if the other area had not answered. Empty if it can be made. */
        default Optional<String> obstacle() {
            return Optional.empty();
        }

        /** Whether another item has to end first; then this one is tried again a second later. */
        default boolean waits() {
            return false;
        }
    }

    /** Whether the other area has accepted the request. */
    public enum Handed {
        YES,
        /** The area will never accept it. */
        REFUSED,
        /** No request was needed or possible, or the area could not be reached. */
        NO,
        /** Unknown, because the answer was lost. */
        PERHAPS
    }

    /**
     * How an attempt ended.
     *
     * @param trouble why the other area has not accepted the request; empty if it has, or if none was needed
     */
    public record Outcome<C extends Item>(C item, Handed handed, Optional<String> trouble, Settlement settlement) implements AttemptOutcome {

        @Override
        public Lease lease() {
            return item.lease();
        }

        /** Whether the item will be attempted again. */
        public boolean isOpen() {
            return settlement instanceof Settlement.Again;
        }
    }

    /** Tries each item for about seven days. */
    public Handover(BusHandover bus, String queue, RandomGenerator random) {
        this(bus, queue, Backoff.upTo(ATTEMPTS_MAX, random));
    }

    /** @param queue whose items these are */
    public Handover(BusHandover bus, String queue, Backoff backoff) {
        this.bus = bus;
        this.queue = queue;
        this.backoff = backoff;
    }

    /** The terms of a queue whose items are handed over. */
    public static LeaseQueue.Terms terms(String queue) {
        return LeaseQueue.Terms.of(queue, BusHandover.LEASE);
    }

    @Override
    public Future<Outcome<C>> attempt(C item) {
        if (item.waits()) {
            return Future.succeededFuture(new Outcome<>(item, Handed.NO, Optional.empty(), new Settlement.Again(WAIT)));
        }
        if (item.obstacle().isPresent()) {
            return Future.succeededFuture(retryLater(item, Handed.NO, item.obstacle().get()));
        }
        return item.request()
                .map(request -> bus.offer(item.address(), request).map(answer -> switch (answer) {
                    case BusHandover.Answer.Taken taken -> done(item, Handed.YES, Optional.empty());
                    case BusHandover.Answer.Refused(String reason) -> givenUp(item, Handed.REFUSED, reason);
                    case BusHandover.Answer.NotYet(String reason, boolean perhaps) -> retryLater(item, perhaps ? Handed.PERHAPS : Handed.NO, reason);
                }))
                .orElseGet(() -> Future.succeededFuture(done(item, Handed.NO, Optional.empty())));
    }

    private Outcome<C> done(C item, Handed handed, Optional<String> trouble) {
        return new Outcome<>(item, handed, trouble, Settlement.DONE);
    }

    private Outcome<C> retryLater(C item, Handed handed, String trouble) {
        LOG.debug("{}: {} has not accepted item {} yet: {}", queue, item.address(), item.lease().key(), trouble);
        return backoff.pause(item.lease().attempts() + 1)
                .map(pause -> new Outcome<>(item, handed, Optional.of(trouble), new Settlement.Again(pause)))
                .orElseGet(() -> givenUp(item, handed, trouble));
    }

    private Outcome<C> givenUp(C item, Handed handed, String trouble) {
        LOG.error("{}: {} did not accept item {}, which is not sent again: {}", queue, item.address(), item.lease().key(), trouble);
        return done(item, handed, Optional.of(trouble));
    }
}
