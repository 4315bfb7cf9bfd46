package io.arbitration.mainapi.notice;

import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * The email to one recipient of a notice, which this node may hand to the emails area until its lease ends.
 *
 * @param mail values for the template of the email
 * @param attachments as the emails area takes them
 * @param isHeld whether it is to be kept and sent to nobody
 */
record DueEmail(Lease lease, String idempotencyKey, String email, JsonObject mail, JsonArray attachments, boolean isHeld) implements Handover.Item {

    static final String TEMPLATE = "service-of-notice";

    @Override
    public String address() {
        return Addresses.EMAILS_SEND;
    }

    /** Made of stored values only, so that each attempt makes the same request. */
    @Override
    public Optional<JsonObject> request() {
        return Optional.of(new JsonObject().put("idempotencyKey", idempotencyKey).put("to", new JsonArray().add(email)).put("template", TEMPLATE)
                .put("data", mail).put("attachments", attachments).put("hold", isHeld));
    }
}
