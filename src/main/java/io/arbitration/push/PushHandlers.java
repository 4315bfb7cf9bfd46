package io.arbitration.push;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keys, subscriptions and the sending to one of them. */
final class PushHandlers {

    private final VapidKeys keys;
    private final SubscriptionService subscriptions;
    private final SendService sending;
    private final Duration usualTtl;

    PushHandlers(VapidKeys keys, SubscriptionService subscriptions, SendService sending, Duration usualTtl) {
        this.keys = keys;
        this.subscriptions = subscriptions;
        this.sending = sending;
        this.usualTtl = usualTtl;
    }

    void bind(Contract contract) {
        contract.bind("createVapidKey", this::createKey)
                .bind("listVapidKeys", this::listKeys)
                .bind("subscribe", call -> subscribe(call, call.requester().key(), Optional.of(call.caller().id())))
                .bind("subscribeAnonymously", call -> subscribe(call, Optional.empty(), Optional.empty()))
                .bind("unsubscribe", call -> unsubscribe(call, Optional.of(call.caller().id())))
                .bind("unsubscribeAnonymously", call -> unsubscribe(call, Optional.empty()))
                .bind("listSubscriptions", this::list)
                .bind("sendWebPushToSubscription", this::send);
    }

    private Future<Reply> createKey(Call call) {
        return keys.create(call.requester().key()).map(created -> Reply.text("Vapid key created successfully."));
    }

    private Future<Reply> listKeys(Call call) {
        return keys.all().map(all -> {
            List<JsonObject> listed = new ArrayList<>();
            for (VapidKey key : all) {
                listed.add(new JsonObject()
                        .put("vapidKey", VapidKey.text(key.publicKey()))
                        .put("created", Timestamps.text(key.created()))
                        .put("active", listed.isEmpty()));
            }
            return Reply.json(new JsonObject().put("keys", new JsonArray(listed)));
        });
    }

    private Future<Reply> subscribe(Call call, Optional<RequestKey> key, Optional<UUID> userId) {
        JsonObject subscription = call.body().getJsonObject("subscription");
        JsonObject browserKeys = subscription.getJsonObject("keys");
        return subscriptions.subscribe(key, userId, new SubscriptionService.Asked(call.text("vapidKey"), subscription.getString("endpoint"),
                        subscription.getNumber("expirationTime"), browserKeys.getString("p256dh"), browserKeys.getString("auth")))
                .map(id -> Reply.json(new JsonObject().put("subscriptionID", id.toString())));
    }

    private Future<Reply> unsubscribe(Call call, Optional<UUID> userId) {
        return subscriptions.unsubscribe(userId, call.text("subscriptionID")).map(ended -> Reply.text("Unsubscribed successfully."));
    }

    private Future<Reply> list(Call call) {
        return subscriptions.list(call.caller().id()).map(all -> Reply.json(new JsonObject().put("subscriptions",
                new JsonArray(all.stream().map(PushHandlers::listed).toList()))));
    }

    private static JsonObject listed(SubscriptionRepository.Listed one) {
        Subscription subscription = one.subscription();
        return new JsonObject()
                .put("subscriptionID", subscription.id().toString())
                .put("vapidKey", VapidKey.text(one.vapidKey()))
                .put("endpoint", subscription.endpoint())
                .put("created", Timestamps.text(subscription.created()))
                .put("expires", subscription.expires().map(Timestamps::text).orElse(null));
    }

    private Future<Reply> send(Call call) {
        PushMessage message = new PushMessage(Notification.of(call.body()).payload(),
                call.hasAny("ttl") ? Duration.ofSeconds(call.whole("ttl", 0)) : usualTtl,
                call.optionalText("urgency").map(PushMessage.Urgency::of).orElse(PushMessage.Urgency.NORMAL), call.optionalText("topic"));
        return sending.send(call.text("subscriptionID"), message).map(sent -> Reply.text("Notification sent successfully."));
    }
}
