package io.arbitration.push.subscriptions;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.push.subscriptions.SubscriptionRepository.Place;
import io.arbitration.push.vapid.VapidKey;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The operations on subscriptions of browsers, with or without a user. */
public final class SubscriptionHandlers {

    private static final int LIMIT_USUAL = 50;
    /** The time in milliseconds and the id of the last subscription of a page. */
    private static final Pattern CURSOR = Pattern.compile("(\\d{1,14})\\.([0-9a-f-]{36})");

    private final SubscriptionService service;

    public SubscriptionHandlers(SubscriptionService service) {
        this.service = service;
    }

    public void bind(Contract contract) {
        contract.bind("subscribeToWebPush", call -> subscribe(call, call.requester().key(), Optional.of(call.caller().id())))
                .bind("subscribeToWebPushAnonymously", call -> subscribe(call, Optional.empty(), Optional.empty()))
                .bind("unsubscribeFromWebPush", call -> unsubscribe(call, Optional.of(call.caller().id())))
                .bind("unsubscribeFromWebPushAnonymously", call -> unsubscribe(call, Optional.empty()))
                .bind("listWebPushSubscriptions", this::list);
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
        Place after = call.optionalText("cursor").map(SubscriptionHandlers::place).orElse(Place.BEGINNING);
        return service.list(call.caller().id(), after, call.integer("limit", LIMIT_USUAL)).map(page -> Reply.json(new JsonObject()
                .put("subscriptions", new JsonArray(page.items().stream().map(SubscriptionHandlers::json).toList()))
                .put("nextCursor", page.more() ? cursor(page.items().getLast().subscription()) : null)));
    }

    private static String cursor(Subscription last) {
        return "%d.%s".formatted(last.created().toEpochMilli(), last.id());
    }

    private static Place place(String cursor) {
        Matcher parts = CURSOR.matcher(cursor);
        if (!parts.matches()) {
            throw SubscriptionError.INVALID_CURSOR.refusal();
        }
        UUID id = Identifiers.uuid(parts.group(2)).orElseThrow(SubscriptionError.INVALID_CURSOR::refusal);
        return new Place(Instant.ofEpochMilli(Long.parseLong(parts.group(1))), id);
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
