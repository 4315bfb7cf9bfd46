package io.arbitration.platform.http;

import io.vertx.core.Future;

/** What an operation of a contract does that answers with a stream. A {@link Refusal}, thrown or in the future, becomes the error answer. */
@FunctionalInterface
public interface StreamHandler {

    Future<Streamed> handle(Call call);
}
