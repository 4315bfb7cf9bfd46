package io.arbitration.webhooks;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.outbound.OutboundFailure;
import io.arbitration.platform.outbound.TargetUrl;
import io.arbitration.platform.outbound.UnsafeUrl;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The rules of registering URLs. */
final class UrlService {

    static final List<String> USUAL_EVENTS = List.of("docket_filing");
    private static final Duration SECRET_BESIDE = Duration.ofHours(24);

    /** @param secret present at the first registration only */
    record Registered(RegisteredUrl url, Optional<SigningSecret> secret) {}

    private final UrlRepository urls;
    private final DeliveryRepository deliveries;
    private final GuardedClient client;
    private final WebhookMessage message;
    private final SecretBox secrets;
    private final OwnAddresses own;
    private final int urlsMax;
    private final Clock clock;
    private final RandomGenerator random;

    UrlService(AreaServices services, UrlRepository urls, DeliveryRepository deliveries, GuardedClient client, WebhookMessage message, SecretBox secrets,
            OwnAddresses own, int urlsMax) {
        this.urls = urls;
        this.deliveries = deliveries;
        this.client = client;
        this.message = message;
        this.secrets = secrets;
        this.own = own;
        this.urlsMax = urlsMax;
        this.clock = services.clock();
        this.random = services.random();
    }

    Future<Registered> register(Optional<RequestKey> key, Member by, String url, List<String> events) {
        return checked(url).compose(target -> {
            SigningSecret secret = SigningSecret.random(random);
            return urls.register(key, by, url, events, USUAL_EVENTS, secrets.seal(secret, by.organizationId(), url), urlsMax,
                            Timestamps.milliseconds(clock.instant()))
                    .map(done -> new Registered(done.url(), done.fresh() ? Optional.of(secret) : Optional.empty()));
        });
    }

    /** Whether the URL could be called from here. A name that cannot be resolved yet may be: each delivery checks again. */
    private Future<TargetUrl> checked(String url) {
        TargetUrl target;
        try {
            target = TargetUrl.parse(url);
        } catch (UnsafeUrl unsafe) {
            return Future.failedFuture(WebhooksError.INVALID_URL.refusal(unsafe.getMessage()));
        }
        if (own.names(target)) {
            return Future.failedFuture(WebhooksError.INVALID_URL.refusal(OwnAddresses.REASON));
        }
        return client.check(target)
                .recover(refused -> mayComeUp(target, refused)
                        ? Future.succeededFuture(List.of())
                        : Future.failedFuture(WebhooksError.INVALID_URL.refusal(refused.getMessage())))
                .compose(addresses -> addresses.stream().anyMatch(address -> own.isThis(address, target.port()))
                        ? Future.failedFuture(WebhooksError.INVALID_URL.refusal(OwnAddresses.REASON))
                        : Future.succeededFuture(target));
    }

    private static boolean mayComeUp(TargetUrl target, Throwable refused) {
        return target.secure() && refused instanceof OutboundFailure failure && failure.kind() == OutboundFailure.Kind.NAME_NOT_RESOLVED;
    }

    Future<Void> delete(UUID organizationId, String url) {
        return urls.delete(organizationId, url).compose(UrlService::orNotFound);
    }

    Future<Void> enable(UUID organizationId, String url) {
        return urls.enable(organizationId, url).compose(UrlService::orNotFound);
    }

    Future<SigningSecret> rotate(Optional<RequestKey> key, UUID organizationId, String url) {
        SigningSecret secret = SigningSecret.random(random);
        return urls.rotate(key, organizationId, url, secrets.seal(secret, organizationId, url), SECRET_BESIDE)
                .compose(UrlService::orNotFound)
                .map(secret);
    }

    private static Future<Void> orNotFound(boolean found) {
        return found ? Future.succeededFuture() : Future.failedFuture(WebhooksError.URL_NOT_FOUND.refusal());
    }

    /** Sends a sample now, once, whether the URL is enabled or not, and tells how it went. */
    Future<Attempt> test(Optional<RequestKey> key, Member by, String url) {
        return urls.find(by.organizationId(), url)
                .compose(found -> found.isEmpty()
                        ? Future.failedFuture(WebhooksError.URL_NOT_FOUND.refusal())
                        : urls.secrets(by.organizationId(), url).compose(sealed -> {
                            UUID eventId = Identifiers.random(random);
                            List<SigningSecret> open = sealed.stream().map(one -> secrets.open(one, by.organizationId(), url)).toList();
                            return message.send(url, eventId.toString(), sample(eventId, by).encode(), open, Map.of("webhook-test", "true"))
                                    .compose(sent -> deliveries.insertTest(key, found.get().id(), by.organizationId(), eventId, sent.attempt())
                                            .map(sent.attempt()));
                        }));
    }

    /** The shape of a docket filing, under another event name, so that no receiver takes it for one. */
    private JsonObject sample(UUID eventId, Member by) {
        String now = Timestamps.text(clock.instant());
        return new JsonObject()
                .put("id", eventId.toString())
                .put("timestamp", now)
                .put("event", "test")
                .put("data", new JsonObject()
                        .put("entryID", "1")
                        .put("enteredAt", now)
                        .put("filingID", "1")
                        .put("caseID", "00000000-0000-0000-0000-000000000000")
                        .put("phaseID", "caseFiling")
                        .put("documentID", "statementOfClaim")
                        .put("userID", by.userId().toString())
                        .put("organizationID", by.organizationId().toString())
                        .put("partyID", "claimant")
                        .put("rootEntryID", null)
                        .put("parentEntryID", null));
    }
}
