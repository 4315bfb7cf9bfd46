package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;

/** The handler of an operation. A {@link Refusal}, thrown or in the future, becomes the error answer. */
@FunctionalInterface
public interface OperationHandler {

    Future<Reply> handle(Call call);
}
