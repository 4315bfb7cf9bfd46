package io.arbitration.platform.queue;

import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records a batch of outcomes so that one that the database refuses does not delay the others. */
public final class OutcomeBatch {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeBatch.class);

    private OutcomeBatch() {}

    /**
     * Records all in one statement. If the database refuses that, records one by one, and logs those that it refuses; their items wait for
     * the ends of their leases.
     *
     * @param together records some of them in one statement or transaction; its result is not null
     * @param name of an outcome, for the log
     * @return the results of what was recorded; fails only if the database does not answer or is overloaded
     */
    public static <O, R> Future<List<R>> record(List<O> outcomes, Function<List<O>, Future<R>> together, Function<O, String> name) {
        return Future.succeededFuture(outcomes).compose(together).map(List::of).recover(failure -> {
            if (Database.isUnavailable(failure) || Database.isOverloaded(failure)) {
                return Future.failedFuture(failure);
            }
            return SequentialWork.each(outcomes, outcome -> recordOne(outcome, together, name))
                    .map(recorded -> recorded.stream().flatMap(Optional::stream).toList());
        });
    }

    private static <O, R> Future<Optional<R>> recordOne(O outcome, Function<List<O>, Future<R>> together, Function<O, String> name) {
        return Future.succeededFuture(List.of(outcome)).compose(together).map(Optional::of).recover(failure -> {
            if (Database.isUnavailable(failure) || Database.isOverloaded(failure)) {
                return Future.failedFuture(failure);
            }
            LOG.error("the outcome of {} cannot be recorded; it waits for the end of its lease", name.apply(outcome), failure);
            return Future.succeededFuture(Optional.empty());
        });
    }
}
