package io.arbitration.webhooks.deliveries;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.webhooks.deliveries.DeliveryRepository.DeliveryStatus;
import io.arbitration.webhooks.deliveries.DeliveryRepository.Filter;
import io.arbitration.webhooks.members.Member;
import io.arbitration.webhooks.members.Members;
import io.arbitration.webhooks.sending.DeliveryAttempt;
import io.arbitration.webhooks.urls.RegisteredUrl;
import io.arbitration.webhooks.urls.UrlRepository;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The deliveries of an organization: its members see them, its administrators can repeat them. */
public final class DeliveryService {

    /** The pause between two repeated deliveries of one call: at most 50 a second in addition to the new ones. */
    private static final Duration REDELIVERY_PAUSE = Duration.ofMillis(20);
    private static final int RETRY_SECONDS = 1;
    /** The estimated bytes of a delivery in an answer, without its attempts. */
    private static final int DELIVERY_BYTES = 2500;

    /** The conditions of a list of deliveries, as the body of the request has them. */
    record Wanted(Optional<String> url, Optional<String> eventId, Optional<String> state, Optional<String> cursor, int limit) {

        /** The deliveryID after which the page begins. */
        OptionalLong before() {
            return cursor.map(text -> OptionalLong.of(Identifiers.number(text).orElseThrow(DeliveryError.INVALID_CURSOR::refusal))).orElse(OptionalLong.empty());
        }
    }

    private final Database database;
    private final DeliveryRepository deliveries;
    private final UrlRepository urls;
    private final Members members;
    /** Bounds the lists that are read at once, because a page with answers of receivers takes the database a long time. */
    private final Bulkhead pages = new Bulkhead(Bulkhead.PAGES, () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
            () -> DeliveryError.PAGES_OF_CALLER.refusal(Bulkhead.PAGES.mostPerCaller()).retryAfter(RETRY_SECONDS));

    public DeliveryService(Database database, DeliveryRepository deliveries, UrlRepository urls, Members members) {
        this.database = database;
        this.deliveries = deliveries;
        this.urls = urls;
        this.members = members;
    }

    /** A page of deliveries, the newest first. It is bounded in bytes, because attempts contain answers of receivers. */
    Future<Page<Delivery>> list(Requester requester, Wanted wanted) {
        return members.member(requester).compose(member -> {
            OptionalLong before = wanted.before();
            Optional<UUID> eventId = wanted.eventId().flatMap(Identifiers::uuid);
            // A text that has not the form of an id is treated like the id of an unknown event.
            if (wanted.eventId().isPresent() && eventId.isEmpty()) {
                return Future.succeededFuture(new Page<>(List.of(), false));
            }
            return pages.run(requester.userId(), () -> deliveries
                    .list(member.organizationId(), new Filter(wanted.url(), eventId, wanted.state()), before, wanted.limit() + 1)
                    .compose(found -> page(Page.of(found, wanted.limit(), Page.BYTES_MAX, weighed -> DELIVERY_BYTES + weighed.attemptBytes()))));
        });
    }

    private Future<Page<Delivery>> page(Page<DeliveryRepository.Weighed> page) {
        List<Delivery> bare = page.items().stream().map(DeliveryRepository.Weighed::delivery).toList();
        return deliveries.attempts(bare.stream().map(Delivery::id).toList()).map((Map<Long, List<DeliveryAttempt>> attempts) -> new Page<>(
                bare.stream().map(delivery -> delivery.with(attempts.getOrDefault(delivery.id(), List.of()))).toList(), page.more()));
    }

    /** Repeats deliveries; answers how many. */
    Future<Integer> redeliver(Requester requester, RedeliveryRequest request) {
        return members.administrator(requester).compose(member -> {
            RedeliveryRequest.Order order = request.order();
            return database.transaction(requester.key(), transaction -> switch (order) {
                case RedeliveryRequest.Order.One(long deliveryId) -> one(transaction, member, deliveryId);
                case RedeliveryRequest.Order.Since(String url, Instant since) -> since(transaction, member, url, since);
            });
        });
    }

    private Future<Integer> one(SqlConnection transaction, Member member, long deliveryId) {
        return deliveries.redeliver(transaction, member.organizationId(), deliveryId).compose(done -> done
                ? Future.succeededFuture(1)
                : deliveries.status(transaction, member.organizationId(), deliveryId).compose(status -> Future.failedFuture(reason(status).refusal())));
    }

    private static DeliveryError reason(Optional<DeliveryStatus> status) {
        return status.map(known -> known.urlIsOpen() ? DeliveryError.PENDING : DeliveryError.URL_CLOSED).orElse(DeliveryError.NOT_FOUND);
    }

    private Future<Integer> since(SqlConnection transaction, Member member, String url, Instant since) {
        return urls.find(transaction, member.organizationId(), url).compose(found -> {
            RegisteredUrl registered = found.orElseThrow(DeliveryError.URL_NOT_FOUND::refusal);
            return registered.disabled().isPresent()
                    ? Future.failedFuture(DeliveryError.URL_CLOSED.refusal())
                    : deliveries.redeliverSince(transaction, member.organizationId(), registered, since, REDELIVERY_PAUSE);
        });
    }
}
