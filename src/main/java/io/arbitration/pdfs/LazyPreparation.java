package io.arbitration.pdfs;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Runs a preparation at the first use; all uses wait until it is done. So a node on which nobody fills a form loads neither
 * templates nor the library that reads them. Thread-safe.
 */
final class LazyPreparation {

    private final Context context;
    private final Supplier<Future<Void>> preparation;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final Promise<Void> done = Promise.promise();

    /** @param context on which the preparation begins */
    LazyPreparation(Context context, Supplier<Future<Void>> preparation) {
        this.context = context;
        this.preparation = preparation;
    }

    Future<Void> done() {
        if (begun.compareAndSet(false, true)) {
            context.runOnContext(now -> preparation.get().onComplete(done));
        }
        return done.future();
    }
}
