package io.arbitration.webhooks;

import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.LeasedItem;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * The email that informs the administrators of an organization that one of its URLs was disabled. This node may send it until its lease
 * ends.
 *
 * @param administrators their email addresses; none while nobody administers the organization
 */
record DisabledUrlEmail(Lease lease, String url, String reason, Instant at, String organizationName, List<String> administrators) implements LeasedItem {

    private static final String TEMPLATE = "webhook-disabled";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    /** The request to the emails area. Its idempotency key is the same at every attempt, so that the email is sent once. */
    JsonObject request() {
        return new JsonObject()
                .put("idempotencyKey", "webhooks.notice." + lease.key())
                .put("to", new JsonArray(administrators))
                .put("template", TEMPLATE)
                .put("data", new JsonObject()
                        .put("url", url)
                        .put("reason", reason)
                        .put("organizationName", organizationName)
                        .put("disabledAt", TIME.format(at)));
    }
}
