package io.arbitration.webhooks;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * That a URL was disabled, for the administrators of its organization; claimed by this node until its lease ends.
 *
 * @param claim counts as long as the database holds the same one
 * @param attempts made, this one included
 * @param administrators email addresses; none when nobody administers the organization just now
 */
record Notice(long id, UUID claim, int attempts, String url, String reason, Instant at, String organizationName, List<String> administrators) {

    private static final String TEMPLATE = "webhook-disabled";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    /** The email that is asked for; the same key at every attempt, so that it is sent once. */
    JsonObject email() {
        return new JsonObject()
                .put("idempotencyKey", "webhooks.notice." + id)
                .put("to", new JsonArray(administrators))
                .put("template", TEMPLATE)
                .put("data", new JsonObject()
                        .put("url", url)
                        .put("reason", reason)
                        .put("organizationName", organizationName)
                        .put("disabledAt", TIME.format(at)));
    }
}
