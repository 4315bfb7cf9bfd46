package io.arbitration.push.subscriptions;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.push.vapid.VapidKey;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;

/** The operations on subscriptions of browsers, of a user or of nobody. */
public final class SubscriptionHandlers {

    private final SubscriptionService service;

    public SubscriptionHandlers(SubscriptionService service) {
        this.service = service;
    }

    public void bind(Contract contract) {
        contract.bind("subscribe", call -> subscribe(call, call.requester().key(), Optional.of(call.caller().id())))
                .bind("subscribeAnonymously", call -> subscribe(call, Optional.empty(), Optional.empty()))
                .bind("unsubscribe", call -> unsubscribe(call, Optional.of(call.caller().id())))
                .bind("unsubscribeAnonymously", call -> unsubscribe(call, Optional.empty()))
                .bind("listSubscriptions", this::list);
    }

    private Future<Reply> subscribe(Call call, Optional<RequestKey> key, Optional<UUID> userId) {
        JsonObject subscription = call.body().getJsonObject("subscription");
        JsonObject browserKeys = subscription.getJsonObject("keys");
        return service.subscribe(key, userId, new SubscriptionService.Asked(call.text("vapidKey"), subscription.getString("endpoint"),
                        Optional.ofNullable(subscription.getNumber("expirationTime")), browserKeys.getString("p256dh"), browserKeys.getString("auth")))
                .map(id -> Reply.json(new JsonObject().put("subscriptionID", id.toString())));
    }

    private Future<Reply> unsubscribe(Call call, Optional<UUID> userId) {
        return service.unsubscribe(userId, call.text("subscriptionID")).map(ended -> Reply.text("Unsubscribed successfully."));
    }

    private Future<Reply> list(Call call) {
        return service.list(call.caller().id()).map(all -> Reply.json(new JsonObject().put("subscriptions",
                new JsonArray(all.stream().map(SubscriptionHandlers::json).toList()))));
    }

    private static JsonObject json(SubscriptionRepository.Listed one) {
        Subscription subscription = one.subscription();
        return new JsonObject()
                .put("subscriptionID", subscription.id().toString())
                .put("vapidKey", VapidKey.text(one.vapidKey()))
                .put("endpoint", subscription.endpoint())
                .put("created", Timestamps.text(subscription.created()))
                .put("expires", subscription.expires().map(Timestamps::text).orElse(null));
    }
}
