package io.arbitration.platform.batching;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Work on items one after the other: where their content is large, or where they share one connection. */
public final class OneByOne {

    private OneByOne() {}

    /** What came of each, in their order. The first failure is the failure of all; what is behind it is not begun. */
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
