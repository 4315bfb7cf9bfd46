package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.EventStream;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * The handler of an operation that answers with events as long as the client stays connected. The future gives the consumer of
 * the open stream. A {@link Refusal}, thrown or in the future, becomes the error answer.
 */
@FunctionalInterface
public interface EventStreamHandler {

    Future<Consumer<EventStream>> handle(Call call);
}
