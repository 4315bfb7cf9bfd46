package io.arbitration.platform.files;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/**
 * Decides where the file of a form is stored.
 *
 * @param <F> the file while it is stored
 */
@FunctionalInterface
public interface FileDestination<F extends FormFile> {

    /**
     * Called when the file part begins.
     *
     * @param fields the text fields that came before the file, not yet checked against the contract
     * @param complete whether these fields are all that the contract requires, and valid
     */
    Future<F> begin(JsonObject fields, boolean complete, FormPart part);
}
