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
 * The message to the administrators of an organization that a URL was disabled; this node may send it until its lease ends.
 *
 * @param administrators email addresses; none when nobody administers the organization just now
 */
record Notice(Lease lease, String url, String reason, Instant at, String organizationName, List<String> administrators) implements LeasedItem {

    private static final String TEMPLATE = "webhook-disabled";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    /** The email that is asked for; the same key at every attempt, so that it is sent once. */
    JsonObject email() {
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
