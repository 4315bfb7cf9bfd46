package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.EventStream;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * What an operation of a contract does that answers with events for as long as the client stays. The future gives what is handed the open
 * stream. A {@link Refusal}, thrown or in the future, becomes the error answer.
 */
@FunctionalInterface
public interface EventStreamHandler {

    Future<Consumer<EventStream>> handle(Call call);
}
