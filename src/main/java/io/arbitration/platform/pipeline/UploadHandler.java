package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.files.FormFile;
import io.arbitration.platform.files.FormPart;
import io.vertx.core.Future;

/**
 * The handler of an operation that takes a form with one file. A {@link Refusal}, thrown or in a future, becomes the error
 * answer.
 *
 * @param <F> the destination of the file
 */
public interface UploadHandler<F extends FormFile> {

    /**
     * Called when the file begins.
     *
     * @param soFar the fields that came before it, not yet checked against the contract
     * @param complete whether they include all fields that the contract requires, and are valid
     */
    Future<F> begin(Call soFar, boolean complete, FormPart part);

    /** Called when the request is complete and its fields are valid. From here on this method keeps or discards the file. */
    Future<Reply> complete(Call call, F file);
}
