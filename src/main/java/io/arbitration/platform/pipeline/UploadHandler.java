package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.files.FormFile;
import io.arbitration.platform.files.FormPart;
import io.vertx.core.Future;

/**
 * What an operation does that takes a form with one file. A {@link Refusal}, thrown or in a future, becomes the error answer.
 *
 * @param <F> where the file goes
 */
public interface UploadHandler<F extends FormFile> {

    /**
     * The file begins.
     *
     * @param soFar the fields that came before it, not yet checked against the contract
     * @param complete whether these are all fields that the contract requires, and valid
     */
    Future<F> begin(Call soFar, boolean complete, FormPart part);

    /** The request is whole and its fields are valid. From here on the file is this method's to keep or abandon. */
    Future<Reply> complete(Call call, F file);
}
