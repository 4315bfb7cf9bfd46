package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.files.Download;
import io.vertx.core.Future;

/** The handler of an operation that answers with a file. A {@link Refusal}, thrown or in the future, becomes the error answer. */
@FunctionalInterface
public interface DownloadHandler {

    Future<Download> handle(Call call);
}
