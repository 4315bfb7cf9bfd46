package io.arbitration.platform.queue;

import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * Work that is kept in the database and done by whichever node claims it. A claim is a lease: when it ends without a record,
 * its node is taken for gone and the work may be claimed again.
 *
 * @param <C> a claimed piece of work
 * @param <O> how an attempt at it went
 */
public interface WorkQueue<C, O> {

    /**
     * What was claimed.
     *
     * @param again whether more could be claimed at once
     * @param remain whether there may be more that is ready but had to wait for what is on its way
     */
    record Claims<C>(List<C> claimed, boolean again, boolean remain) {

        /** From a queue that gives whatever is ready, up to so many. */
        public static <C> Claims<C> of(List<C> claimed, int most) {
            return new Claims<>(claimed, claimed.size() == most, true);
        }
    }

    /** Claims at most so many pieces that are ready, under a claim that nobody has used. */
    Future<Claims<C>> claim(UUID claim, int most);

    /** Does a piece once. Failing means that nothing is recorded and the piece waits for the end of its lease. */
    Future<O> attempt(C claimed);

    /** Records how attempts went; one whose claim is no longer that of the queue changes nothing. */
    Future<Void> record(List<O> outcomes);

    /** Makes ready what waited for its time, and what a node that is gone had claimed. */
    Future<Integer> promote();

    /** Gives back what was claimed and not done. */
    Future<Void> release(List<C> claimed);
}
