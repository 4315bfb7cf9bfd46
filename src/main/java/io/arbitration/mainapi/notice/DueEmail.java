package io.arbitration.mainapi.notice;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;

/**
 * The email to a recipient of a notice that this node may ask the mail service to send, until its lease ends.
 *
 * @param claim counts as long as the outbox holds the same one
 * @param attempts made before
 * @param mail data of the email
 * @param attachments as the mail service takes them
 */
record DueEmail(long recipientId, UUID claim, int attempts, String idempotencyKey, String email, JsonObject mail, JsonArray attachments) {

    static final String TEMPLATE = "service-of-notice";

    /** A function of what is kept: asked again, it asks for the same. */
    JsonObject request() {
        return new JsonObject().put("idempotencyKey", idempotencyKey).put("to", new JsonArray().add(email)).put("template", TEMPLATE)
                .put("data", mail).put("attachments", attachments);
    }
}
