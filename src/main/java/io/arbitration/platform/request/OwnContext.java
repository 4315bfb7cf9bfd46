package io.arbitration.platform.request;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** Answers a caller on its own context although the work was done on that of another one. */
public final class OwnContext {

    private OwnContext() {}

    /** The same result, on the context of this call, so that log lines and spans of what follows are those of its request. */
    public static <T> Future<T> of(Vertx vertx, Future<T> future) {
        Context own = vertx.getOrCreateContext();
        Promise<T> answer = Promise.promise();
        future.onComplete(result -> own.runOnContext(back -> answer.handle(result)));
        return answer.future();
    }
}
