package io.arbitration.platform.queue;

import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * A queue in the database, whose items are executed by the node that claims them. A claim is a lease: if it ends before an outcome is
 * recorded, the node is assumed to be dead and the item may be claimed again. So every item is executed at least once.
 *
 * @param <C> a claimed item
 * @param <O> the outcome of an attempt
 */
public interface WorkQueue<C, O> {

    /**
     * The result of a claim.
     *
     * @param again whether another claim at once may find more
     * @param remain whether there may be more due items, which can only be claimed when attempts in flight have ended
     */
    record Claims<C>(List<C> claimed, boolean again, boolean remain) {

        /** For a queue that claims any due items: a full batch means that there may be more. */
        public static <C> Claims<C> of(List<C> claimed, int most) {
            return new Claims<>(claimed, claimed.size() == most, true);
        }
    }

    /** Claims at most so many due items, under a token that was never used before. */
    Future<Claims<C>> claim(UUID claim, int most);

    /** Identifies an item in the log, without its content. */
    String key(C claimed);

    /** Executes an item once. If the future fails, nothing is recorded, and the item is claimed again when its lease has ended. */
    Future<O> attempt(C claimed);

    /** Records outcomes. An outcome changes nothing if its claim is not the current one any more. */
    Future<Void> record(List<O> outcomes);

    /**
     * Looks for items that become due with time: whose pause or whose lease has ended. While some can be claimed, calls the listener about
     * once a second, on the context of this call.
     */
    Watch watch(Runnable due);

    /** A watch that can be ended. Afterwards the listener may be called at most once more. */
    @FunctionalInterface
    interface Watch {
        void end();
    }

    /** Releases claimed items that were not executed, so that another node can claim them before their leases end. */
    Future<Void> release(List<C> claimed);
}
