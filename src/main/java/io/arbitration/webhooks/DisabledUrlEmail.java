package io.arbitration.webhooks;

import io.arbitration.domain.time.UtcMoment;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The email that informs the administrators of an organization that one of its URLs was disabled. This node may send it until its lease
 * ends.
 *
 * @param administrators their email addresses; none while nobody administers the organization
 */
record DisabledUrlEmail(Lease lease, String url, String reason, Instant at, String organizationName, List<String> administrators) implements Handover.Item {

    private static final String TEMPLATE = "webhook-disabled";

    @Override
    public String address() {
        return Addresses.EMAILS_SEND;
    }

    @Override
    public Optional<String> obstacle() {
        return administrators.isEmpty() ? Optional.of("nobody administers the organization") : Optional.empty();
    }

    @Override
    public Optional<JsonObject> request() {
        return Optional.of(new JsonObject()
                .put("idempotencyKey", "webhooks.notice." + lease.key())
                .put("to", new JsonArray(administrators))
                .put("template", TEMPLATE)
                .put("data", new JsonObject()
                        .put("url", url)
                        .put("reason", reason)
                        .put("organizationName", organizationName)
                        .put("disabledAt", UtcMoment.minute(at))));
    }
}
