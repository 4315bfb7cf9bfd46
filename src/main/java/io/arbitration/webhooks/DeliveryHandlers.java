package io.arbitration.webhooks;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The operations under {@code /deliveries} and {@code /events}. */
final class DeliveryHandlers {

    private static final int DELIVERIES_USUAL = 50;
    private static final int EVENTS_USUAL = 100;
    /** Between two deliveries that one call brings back: at most 50 a second beside the live ones. */
    private static final Duration REDELIVERY_PAUSE = Duration.ofMillis(20);

    private final DeliveryRepository deliveries;
    private final UrlRepository urls;
    private final FeedRepository feed;
    private final MemberRepository members;

    DeliveryHandlers(DeliveryRepository deliveries, UrlRepository urls, FeedRepository feed, MemberRepository members) {
        this.deliveries = deliveries;
        this.urls = urls;
        this.feed = feed;
        this.members = members;
    }

    void bind(Contract contract) {
        contract.bind("listDeliveries", this::list)
                .bind("redeliver", this::redeliver)
                .bind("listEvents", this::events);
    }

    private Future<Reply> list(Call call) {
        return members.member(call.caller()).compose(member -> {
            OptionalLong before = call.optionalText("cursor").map(DeliveryHandlers::cursor).orElse(OptionalLong.empty());
            Optional<String> eventId = call.optionalText("eventID");
            Optional<UUID> event = eventId.flatMap(Identifiers::uuid);
            if (eventId.isPresent() && event.isEmpty()) {
                return Future.succeededFuture(page(List.of()));
            }
            return deliveries.list(member.organizationId(),
                    new DeliveryRepository.Filter(call.optionalText("url"), event, call.optionalText("state")),
                    before, call.whole("limit", DELIVERIES_USUAL)).map(DeliveryHandlers::page);
        });
    }

    private static OptionalLong cursor(String text) {
        OptionalLong id = Identifiers.number(text);
        if (id.isEmpty()) {
            throw WebhooksError.INVALID_CURSOR.refusal();
        }
        return id;
    }

    private static Reply page(List<Delivery> page) {
        return Reply.json(new JsonObject().put("deliveries", new JsonArray(page.stream().map(DeliveryHandlers::json).toList())));
    }

    private static JsonObject json(Delivery delivery) {
        return new JsonObject()
                .put("deliveryID", String.valueOf(delivery.id()))
                .put("eventID", delivery.eventId().toString())
                .put("event", delivery.event())
                .put("url", delivery.url())
                .put("state", delivery.state())
                .put("attempts", new JsonArray(delivery.attempts().stream().map(DeliveryHandlers::json).toList()))
                .put("nextAttemptAt", delivery.nextAttemptAt() == null ? null : Timestamps.text(delivery.nextAttemptAt()));
    }

    private static JsonObject json(Attempt attempt) {
        JsonObject json = new JsonObject().put("at", Timestamps.text(attempt.at()));
        if (attempt.status() == null) {
            json.put("error", attempt.error());
        } else {
            json.put("status", attempt.status());
        }
        json.put("durationMillis", attempt.durationMillis());
        return attempt.response() == null ? json : json.put("response", attempt.response());
    }

    private Future<Reply> redeliver(Call call) {
        return members.administrator(call.caller()).compose(member -> {
            boolean one = call.hasAny("deliveryID");
            if (one == call.hasAny("url", "since") || !one && !(call.hasAny("url") && call.hasAny("since"))) {
                return Future.failedFuture(WebhooksError.ONE_OR_SINCE.refusal());
            }
            return one ? one(call.requester().key(), member, call.text("deliveryID")) : since(call.requester().key(), member, call.text("url"), instant(call.text("since")));
        }).map(count -> Reply.json(new JsonObject().put("redelivered", count)));
    }

    private static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException broken) {
            throw WebhooksError.INVALID_SINCE.refusal();
        }
    }

    private Future<Integer> one(Optional<RequestKey> key, Member member, String deliveryId) {
        OptionalLong id = Identifiers.number(deliveryId);
        if (id.isEmpty()) {
            return Future.failedFuture(WebhooksError.DELIVERY_NOT_FOUND.refusal());
        }
        return deliveries.redeliver(key, member.organizationId(), id.getAsLong()).compose(done -> done
                ? Future.succeededFuture(1)
                : deliveries.standing(member.organizationId(), id.getAsLong()).compose(standing -> Future.failedFuture(
                        standing.isEmpty() ? WebhooksError.DELIVERY_NOT_FOUND.refusal()
                                : standing.get().open() ? WebhooksError.DELIVERY_PENDING.refusal() : WebhooksError.URL_CLOSED.refusal())));
    }

    private Future<Integer> since(Optional<RequestKey> key, Member member, String url, Instant since) {
        return urls.find(member.organizationId(), url).compose(found -> {
            RegisteredUrl registered = found.orElseThrow(WebhooksError.URL_NOT_FOUND::refusal);
            return registered.disabledAt() != null
                    ? Future.failedFuture(WebhooksError.URL_CLOSED.refusal())
                    : deliveries.redeliverSince(key, member.organizationId(), registered, since, REDELIVERY_PAUSE);
        });
    }

    private Future<Reply> events(Call call) {
        long after = call.body().getLong("afterSequence", 0L);
        return members.member(call.caller())
                .compose(member -> feed.after(member.organizationId(), after, call.optionalText("event"), call.whole("limit", EVENTS_USUAL)))
                .map(told -> {
                    JsonArray events = new JsonArray();
                    told.forEach(one -> events.add(new JsonObject().put("sequence", one.position()).mergeIn(new JsonObject(one.envelope()))));
                    return Reply.json(new JsonObject().put("events", events)
                            .put("nextSequence", told.isEmpty() ? after : told.getLast().position()));
                });
    }
}
