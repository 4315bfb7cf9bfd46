package io.arbitration.platform.batching;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Executes work on items one after the other: if their content is large, or if they share one connection. */
public final class SequentialWork {

    private SequentialWork() {}

    /** The results, in order. The first failure is the failure of all; later items are not begun. */
    public static <A, B> Future<List<B>> each(Collection<A> items, Function<A, Future<B>> work) {
        Future<List<B>> all = Future.succeededFuture(new ArrayList<>(items.size()));
        for (A item : items) {
            all = all.compose(soFar -> work.apply(item).map(result -> {
                soFar.add(result);
                return soFar;
            }));
        }
        return all;
    }
}
