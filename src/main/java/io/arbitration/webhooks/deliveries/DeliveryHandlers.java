package io.arbitration.webhooks.deliveries;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.webhooks.sending.DeliveryAttempt;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The operations under {@code /deliveries}. */
public final class DeliveryHandlers {

    private static final int LIMIT_USUAL = 50;

    private final DeliveryService service;

    public DeliveryHandlers(DeliveryService service) {
        this.service = service;
    }

    public void bind(Contract contract) {
        contract.bind("listWebhookDeliveries", this::list).bind("redeliverWebhooks", this::redeliver);
    }

    private Future<Reply> list(Call call) {
        return service.list(call.requester(), new DeliveryService.Wanted(call.optionalText("url"), call.optionalText("eventID"),
                call.optionalText("state"), call.optionalText("cursor"), call.integer("limit", LIMIT_USUAL))).map(DeliveryHandlers::page);
    }

    private static Reply page(Page<Delivery> page) {
        return Reply.json(new JsonObject()
                .put("deliveries", new JsonArray(page.items().stream().map(DeliveryHandlers::json).toList()))
                .put("nextCursor", page.more() ? String.valueOf(page.items().getLast().id()) : null));
    }

    private static JsonObject json(Delivery delivery) {
        return new JsonObject()
                .put("deliveryID", String.valueOf(delivery.id()))
                .put("eventID", delivery.eventId().toString())
                .put("event", delivery.event())
                .put("url", delivery.url())
                .put("state", delivery.state())
                .put("attempts", new JsonArray(delivery.attempts().stream().map(DeliveryHandlers::json).toList()))
                .put("nextAttemptAt", delivery.nextAttemptAt().map(Timestamps::text).orElse(null));
    }

    private static JsonObject json(DeliveryAttempt attempt) {
        JsonObject json = new JsonObject().put("at", Timestamps.text(attempt.at()));
        attempt.status().ifPresent(status -> json.put("status", status));
        attempt.error().ifPresent(error -> json.put("error", error));
        json.put("durationMillis", attempt.durationMillis());
        attempt.response().ifPresent(response -> json.put("response", response));
        return json;
    }

    private Future<Reply> redeliver(Call call) {
        return service.redeliver(call.requester(), new RedeliveryRequest(call.optionalText("deliveryID"), call.optionalText("url"), call.optionalText("since")))
                .map(count -> Reply.json(new JsonObject().put("redelivered", count)));
    }
}
