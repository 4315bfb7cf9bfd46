package io.arbitration;

import io.arbitration.identity.IdentitySettings;
import io.arbitration.identity.IdentityVerticle;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.BrowserAccess;
import io.arbitration.platform.auth.Issuer;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.browser.Pages;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.CommitNotifications;
import io.arbitration.platform.events.EventLog;
import io.arbitration.platform.idempotency.Idempotency;
import io.arbitration.platform.idempotency.IdempotencyRepository;
import io.arbitration.platform.keys.Kms;
import io.arbitration.platform.keys.SigningKeys;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.limits.SharedRateLimiters;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.arbitration.platform.outbound.AddressRules;
import io.arbitration.platform.outbound.EgressProxy;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.pipeline.ReplySender;
import io.arbitration.platform.queue.DueItemsPoll;
import io.arbitration.platform.queue.QueueItemRepository;
import io.arbitration.platform.reading.ReadingProcesses;
import io.arbitration.platform.telemetry.DiskProbe;
import io.arbitration.platform.telemetry.ObservedParts;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the services that the areas of a node share. */
final class NodeServices {

    private static final Logger LOG = LoggerFactory.getLogger(NodeServices.class);
    private static final Duration RATE_PERIOD = Duration.ofSeconds(1);
    private static final Duration FORGET_PERIOD = Duration.ofMinutes(10);

    private final Settings settings;
    private final Vertx vertx;
    private final Database database;
    private final Database ofAuthentication;
    private final UUID nodeId;
    private final MeterRegistry meters;
    private final Traces traces;
    private final ReplySender sender;
    private final SecurityEvents security;
    private final IntSupplier managementPort;
    private final Clock clock;
    private final SharedRateLimiters rates;

    /**
     * @param ofAuthentication separate connections, for the data with which each request is authenticated
     * @param managementPort   the port of the management server; 0 before it listens
     */
    NodeServices(Settings settings, Vertx vertx, Database database, Database ofAuthentication, UUID nodeId, MeterRegistry meters, Traces traces, ReplySender sender, SharedRateLimiters rates,
            SecurityEvents security, IntSupplier managementPort, Clock clock) {
        this.settings = settings;
        this.vertx = vertx;
        this.database = database;
        this.ofAuthentication = ofAuthentication;
        this.nodeId = nodeId;
        this.meters = meters;
        this.traces = traces;
        this.sender = sender;
        this.security = security;
        this.managementPort = managementPort;
        this.clock = clock;
        this.rates = rates;
    }

    AreaServices open(Kms kms) {
        IdentitySettings identity = settings.identity();
        SigningKeys signingKeys = new SigningKeys(ofAuthentication, kms, identity.signingKey(), identity.accessToken(), clock);
        Revocations revocations = new Revocations(ofAuthentication, identity.accessToken(), identity.revocationsMax(), clock);
        String publicUrl = settings.server().publicUrl().orElse("http://localhost:" + settings.server().port());
        AccessTokens tokens = new AccessTokens(Issuer.of(identity.issuer(), settings.areas(), publicUrl), identity.audience(),
                identity.accessToken(), signingKeys, revocations, identity.rememberedMax(), clock);
        Idempotency idempotency = new Idempotency(vertx, new IdempotencyRepository(database, nodeId), kms, clock);
        vertx.setPeriodic(FORGET_PERIOD.toMillis(), timer -> idempotency.deleteExpired()
                .onFailure(failed -> LOG.warn("removing old idempotency keys failed: {}", failed.getMessage())));
        rates.share(vertx, database, nodeId);
        BrowserAccess browsers = BrowserAccess.of(
                IdentityVerticle.cookieSessions(identity, settings.profile(), database, revocations, clock), settings.areas(), publicUrl);
        OperationPipeline pipeline = new OperationPipeline(tokens, browsers, settings.body(), rates.limiter("caller", settings.rateLimit().perCaller(), RATE_PERIOD),
                rates.limiter("organization", settings.rateLimit().perOrganization(), RATE_PERIOD),
                addresses(), idempotency, meters, traces, sender);
        SecureRandom random = new SecureRandom();
        AddressRules callable = new AddressRules(settings.outbound().allowedPrivate(), managementPort);
        ObjectStores objects = ObjectStores.open(vertx, settings.objects(), new PendingObjectRepository(vertx, database), clock, random);
        DueItemsPoll dueItems = new DueItemsPoll(vertx, new QueueItemRepository(database));
        dueItems.start();
        return new AreaServices(nodeId, publicUrl, database, new EventLog(), new CommitNotifications(vertx, database), dueItems, new AuditTrail(), kms, signingKeys, revocations,
                tokens, pipeline, rates, objects, new ReadingProcesses(vertx), new DiskProbe(vertx, settings.dataFolder(), settings.management().diskFreeBytesMin()), callable, pages(callable), meters,
                security, traces, new ObservedParts(clock), clock, random);
    }

    /** Counts requests without a token, by address. */
    RateLimiter addresses() {
        return rates.limiter("address", settings.rateLimit().perAddress(), RATE_PERIOD);
    }

    private Pages pages(AddressRules callable) {
        EgressProxy egress = new EgressProxy(vertx, callable, settings.outbound().nameServers(),
                new EgressProxy.Bounds(settings.browser().connectionsMax(), settings.browser().downloadBytesMax()));
        return Pages.open(vertx, settings.browser(), egress, meters);
    }
}
