package io.arbitration.platform.queue;

import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * Work that is kept in the database and done by whichever node claims it. A claim is a lease: when it ends without a record,
 * the node that made it is taken for dead and the work may be claimed again. So every piece is done at least once.
 *
 * @param <C> a claimed piece of work
 * @param <O> how an attempt at it went
 */
public interface WorkQueue<C, O> {

    /**
     * What was claimed.
     *
     * @param again whether more could be claimed at once
     * @param remain whether there may be more that is due but has to wait until attempts in flight have ended
     */
    record Claims<C>(List<C> claimed, boolean again, boolean remain) {

        /** From a queue that gives whatever is due, up to so many. */
        public static <C> Claims<C> of(List<C> claimed, int most) {
            return new Claims<>(claimed, claimed.size() == most, true);
        }
    }

    /** Claims at most so many pieces that are due, under a claim that nobody has used before. */
    Future<Claims<C>> claim(UUID claim, int most);

    /** Does a piece once. When this fails, nothing is recorded and the piece waits for the end of its lease. */
    Future<O> attempt(C claimed);

    /** Records how attempts went. An outcome changes nothing when its claim is no longer the current one. */
    Future<Void> record(List<O> outcomes);

    /** Called every second: makes claimable what only time has made so. Tells how many pieces that were. */
    Future<Integer> activateDue();

    /** Gives back what was claimed and not done, so that another node need not wait for the end of the lease. */
    Future<Void> release(List<C> claimed);
}
