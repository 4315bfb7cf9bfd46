package io.arbitration.platform.files;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/**
 * Says where the file of a form goes.
 *
 * @param <F> where the file goes
 */
@FunctionalInterface
public interface FileTaker<F extends FormFile> {

    /**
     * The file begins.
     *
     * @param fields the fields that came before it, not yet checked against the contract
     * @param complete whether these are all fields that the contract requires, and valid
     */
    Future<F> begin(JsonObject fields, boolean complete, FormPart part);
}
