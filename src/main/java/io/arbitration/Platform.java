package io.arbitration;

import io.arbitration.identity.IdentitySettings;
import io.arbitration.identity.IdentityVerticle;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.PartState;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.BrowserAccess;
import io.arbitration.platform.auth.Issuer;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.browser.Pages;
import io.arbitration.platform.cluster.Cluster;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.db.EmbeddedPostgres;
import io.arbitration.platform.db.Migrations;
import io.arbitration.platform.events.EventBusVerticle;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.EventLog;
import io.arbitration.platform.events.CommitNotifications;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.outbound.OutboundSettings;
import io.arbitration.platform.pipeline.ReplySender;
import io.arbitration.platform.server.ConnectionLimit;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.server.PublicServer;
import io.arbitration.platform.idempotency.Idempotency;
import io.arbitration.platform.idempotency.IdempotencyRepository;
import io.arbitration.platform.server.Management;
import io.arbitration.platform.reference.ReferencePages;
import io.arbitration.platform.limits.RateLimits;
import io.arbitration.platform.kafka.KafkaVerticle;
import io.arbitration.platform.keys.CryptoProvider;
import io.arbitration.platform.keys.Kms;
import io.arbitration.platform.keys.LocalKeyset;
import io.arbitration.platform.keys.SigningKeys;
import io.arbitration.platform.nodes.NodeFacts;
import io.arbitration.platform.nodes.Nodes;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.arbitration.platform.outbound.AddressRules;
import io.arbitration.platform.outbound.EgressProxy;
import io.arbitration.platform.telemetry.DiskProbe;
import io.arbitration.platform.telemetry.MailProbe;
import io.arbitration.platform.telemetry.Meters;
import io.arbitration.platform.telemetry.Probe;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running node: database → services → areas → public server, and the same backwards when it stops. Made by
 * {@link #start}, which blocks; so does {@link #close}.
 */
public final class Platform implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Platform.class);
    private static final Duration START_WAIT = Duration.ofMinutes(2);
    /** Time in which clients on kept-alive connections learn that they should leave, before any is closed. */
    private static final Duration LEAVE = Duration.ofMillis(300);
    /** Over its connection something comes every second. */
    private static final Duration BEAT_SILENCE = Duration.ofSeconds(5);
    private static final Duration RATE_PERIOD = Duration.ofSeconds(1);
    private static final Duration FORGET_PERIOD = Duration.ofMinutes(10);

    /** How often health looks at what is near, and at servers of others. */
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration LOOK_FAR = Duration.ofSeconds(15);

    private static final Executor DATABASE_START = task -> Thread.ofPlatform().name("database-start").start(task);

    private final Settings settings;
    private final CompletableFuture<Optional<EmbeddedPostgres>> embedded;
    private final Meters measured = new Meters();
    private final Traces traces;
    private final RateLimits rates;
    private final ReplySender sender;
    private final PrometheusMeterRegistry meters = measured.registry();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final ConnectionLimit connectionLimit;
    private final List<PublicServer> publicServers = new ArrayList<>();
    private Vertx vertx;
    private Optional<Cluster> cluster = Optional.empty();
    private Database database;
    private AreaServices services;
    private final UUID nodeId = UUID.randomUUID();
    private Database nodeDatabase;
    private Nodes nodes;
    private Management management;
    private boolean closed;
    private List<String> areaNames = List.of();
    private final List<String> areaDeployments = new ArrayList<>();

    private Platform(Settings settings, CompletableFuture<Optional<EmbeddedPostgres>> embedded) {
        this.settings = settings;
        this.embedded = embedded;
        this.connectionLimit = new ConnectionLimit(settings.server().connectionsMax(), settings.server().idle());
        this.traces = Traces.of(settings.traces());
        this.rates = new RateLimits(settings.rateLimit().enabled());
        this.sender = new ReplySender(settings.server().compression(), meters);
    }

    /** Alone, or on the bus of all nodes. */
    private void openVertx() {
        VertxOptions options = new VertxOptions().setEventLoopPoolSize(settings.server().eventLoops());
        VertxBuilder builder = Vertx.builder().with(options).withMetrics(measured.measure(options)).withTransport(connectionLimit);
        traces.factory().ifPresent(builder::withTracer);
        cluster = settings.cluster().map(joining -> Cluster.join(joining, builder, options));
        vertx = cluster.map(Cluster::vertx).orElseGet(builder::build);
    }

    /** The contracts of all areas in one OpenAPI document, in YAML, as a platform serves it below {@code /openapi/platform.yaml}. */
    public static byte[] contract() throws IOException {
        return ReferencePages.whole(Areas.CONTRACTS);
    }

    /** Starts a node; throws what stopped it, with everything closed again. */
    public static Platform start(Settings settings, Clock clock) {
        HeapBudget.of(settings).check(Runtime.getRuntime().maxMemory());
        // The database takes longest: it starts beside definitions, cryptography, Vert.x and keys, which need each other little.
        CompletableFuture<Optional<EmbeddedPostgres>> embedded = CompletableFuture.supplyAsync(() -> embedded(settings), DATABASE_START);
        Areas.Prepared prepared = Areas.prepare(settings, clock);
        CryptoProvider.install();
        Platform platform = new Platform(settings, embedded);
        try {
            platform.open(prepared, clock);
            return platform;
        } catch (RuntimeException | Error failed) {
            platform.close();
            throw failed;
        }
    }

    private static Optional<EmbeddedPostgres> embedded(Settings settings) {
        if (settings.database().url().isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(EmbeddedPostgres.start(settings.dataFolder(), settings.database().embeddedPort()));
        } catch (IOException failed) {
            throw new StartFailure(StartFailure.FAILED, "data.folder: the embedded PostgreSQL did not start in %s: %s; %s/postgres.log may say more"
                    .formatted(settings.dataFolder(), failed.getMessage(), settings.dataFolder()), failed);
        }
    }

    private void open(Areas.Prepared prepared, Clock clock) {
        CompletableFuture<DatabaseUrl> url = embedded.thenApplyAsync(this::migrated, DATABASE_START);
        openVertx();
        CompletableFuture<Kms> kms = CompletableFuture.supplyAsync(() -> LocalKeyset.open(settings.keys(), clock), Thread::startVirtualThread);
        database = Database.open(vertx, join(url), settings.database());
        services = services(join(kms), clock);
        await(services.signingKeys().start(vertx));
        await(services.revocations().start(vertx));
        await(services.notifications().start());
        services.signingKeys().listen(services.notifications());
        services.revocations().listen(services.notifications());
        List<AreaVerticle> areas = prepared.areas(services);
        nodeDatabase = Database.open(vertx, join(url), settings.database().withConnections(1), BEAT_SILENCE);
        nodes = new Nodes(vertx, nodeId, nodeDatabase, services.notifications(), facts(prepared), settings.database().clockSkew(), settings.definitions().replace(), clock);
        await(nodes.enter());
        database.guard(nodes::mayBegin);
        areaNames = areas.stream().map(AreaVerticle::name).toList();
        // Each start is waited for, also when another has failed: Vert.x must not be closed under one that is still going on.
        areaDeployments.addAll(await(Future.join(areas.stream().map(vertx::deployVerticle).toList())).list());
        await(nodes.serve());
        ReferencePages reference = new ReferencePages(vertx, sender, addresses(), Areas.CONTRACTS);
        await(vertx.deployVerticle(() -> {
            PublicServer server = new PublicServer(settings.server(), settings.areas().addresses(), areas, draining, nodes::outOfService, connectionLimit, reference, addresses());
            synchronized (publicServers) {
                publicServers.add(server);
            }
            return server;
        }, new DeploymentOptions().setInstances(settings.server().eventLoops())));
        startEventBus();
        Probe migrations = new Probe(vertx, "migrations", LOOK, () -> Migrations.look(database));
        await(migrations.start());
        // Asked anew whenever readiness is; what is measured is what was seen last.
        Supplier<PartState> answers = probe("database", LOOK, database::look);
        Management.measure(meters, "database", answers);
        management = new Management(settings.management(), database, parts(migrations), meters, draining);
        await(vertx.deployVerticle(management));
    }

    private Map<String, Supplier<PartState>> parts(Probe migrations) {
        Map<String, Supplier<PartState>> parts = new LinkedHashMap<>();
        parts.put("migrations", migrations::state);
        parts.put("definitions", nodes::definitions);
        parts.put("clock", nodes::clock);
        DiskProbe disk = services.disk();
        Gauge.builder("acp.disk.free", disk, DiskProbe::freeBytes).baseUnit("bytes").description("Room that is left where data.folder is").register(meters);
        parts.put("disk", probe("disk", LOOK, disk::look));
        parts.put("objects", probe("objects", LOOK_FAR, services.objects()::look));
        parts.put("smtp", settings.emails().smtp().url().map(url -> new MailProbe(vertx, url))
                .map(mail -> probe("smtp", LOOK_FAR, mail::look)).orElse(() -> PartState.of("OFF")));
        parts.put("browser", () -> PartState.of(services.pages().state().name()));
        parts.put("kafka", startKafka());
        parts.put("cluster", () -> cluster.map(Cluster::state).orElse(PartState.of("OFF")));
        return parts;
    }

    private NodeFacts facts(Areas.Prepared prepared) {
        String name = "%s/%d".formatted(Optional.ofNullable(System.getenv("HOSTNAME")).orElseGet(Platform::machine), ProcessHandle.current().pid());
        return new NodeFacts(name, prepared.fingerprint().join(), cluster.map(Cluster::secretCheck), NodeFacts.kafka(settings.kafka()));
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "a machine without a name";
        }
    }

    private Supplier<PartState> probe(String part, Duration period, Supplier<Future<PartState>> look) {
        Probe probe = new Probe(vertx, part, period, look);
        // What answers at once is known when the node is first asked; for what does not, no start waits.
        probe.start();
        return probe::state;
    }

    private void startEventBus() {
        if (settings.eventBus().events()) {
            areaDeployments.add(await(vertx.deployVerticle(new EventBusVerticle(database, services.notifications(), meters))));
        }
    }

    private Supplier<PartState> startKafka() {
        if (settings.kafka().bootstrapServers().isEmpty()) {
            return () -> PartState.of("OFF");
        }
        KafkaVerticle kafka = new KafkaVerticle(services, settings.kafka(), nodes::kafkaDiffers);
        areaDeployments.add(await(vertx.deployVerticle(kafka)));
        return kafka::state;
    }

    /** Migrates as the owner of the tables; what is answered is how this node works on them. */
    private DatabaseUrl migrated(Optional<EmbeddedPostgres> server) {
        Optional<DatabaseUrl> node = settings.database().url().map(DatabaseUrl::parse);
        DatabaseUrl owner = server.map(EmbeddedPostgres::url)
                .or(() -> settings.database().ownerUrl().map(text -> DatabaseUrl.parseOwner(text, node.orElseThrow(
                        () -> new ConfigurationError("database.ownerUrl: goes with database.url; the embedded PostgreSQL has its own")))))
                .orElseGet(node::orElseThrow);
        int migrations = Migrations.run(owner, settings.database().connectWait());
        if (migrations > 0) {
            LOG.info("{} migrations ran on {}", migrations, owner);
        }
        if (server.isPresent()) {
            return embeddedNode(server.get(), migrations > 0);
        }
        if (settings.database().ownerUrl().isPresent()) {
            Migrations.grant(owner, node.orElseThrow().user());
        } else if (settings.profile() == Profile.PRODUCTION) {
            LOG.warn("database.ownerUrl is not set: {} owns the tables that it works on, and could take the triggers off that keep audit and docket append-only",
                    node.orElseThrow().user());
        }
        return node.orElseThrow();
    }

    private DatabaseUrl embeddedNode(EmbeddedPostgres server, boolean migrated) {
        try {
            return server.nodeUrl(migrated);
        } catch (IOException failed) {
            throw new StartFailure(StartFailure.FAILED, "data.folder: the password of the platform's database role cannot be kept in %s: %s"
                    .formatted(settings.dataFolder(), failed.getMessage()), failed);
        }
    }

    private AreaServices services(Kms kms, Clock clock) {
        meters.gauge("acp.http.connections", connectionLimit.open());
        IdentitySettings identity = settings.identity();
        SigningKeys signingKeys = new SigningKeys(database, kms, identity.signingKey(), identity.accessToken(), clock);
        Revocations revocations = new Revocations(database, identity.accessToken(), clock);
        String publicUrl = settings.server().publicUrl().orElse("http://localhost:" + settings.server().port());
        AccessTokens tokens = new AccessTokens(Issuer.of(identity.issuer(), settings.areas(), publicUrl), identity.audience(),
                identity.accessToken(), signingKeys, revocations, clock);
        Idempotency idempotency = new Idempotency(vertx, new IdempotencyRepository(database, nodeId), kms, clock);
        vertx.setPeriodic(FORGET_PERIOD.toMillis(), timer -> idempotency.forgetOld()
                .onFailure(failed -> LOG.warn("forgetting old idempotency keys failed: {}", failed.getMessage())));
        rates.share(vertx, database, nodeId);
        BrowserAccess browsers = BrowserAccess.of(
                IdentityVerticle.cookieSessions(identity, settings.profile(), database, revocations, clock), settings.areas(), publicUrl);
        OperationPipeline pipeline = new OperationPipeline(tokens, browsers, settings.body(), rates.limiter("caller", settings.rateLimit().perCaller(), RATE_PERIOD),
                addresses(), idempotency, meters, traces, sender);
        SecureRandom random = new SecureRandom();
        ObjectStores objects = ObjectStores.open(vertx, settings.objects(), new PendingObjectRepository(database), clock, random);
        return new AreaServices(publicUrl, database, new EventLog(), new CommitNotifications(vertx, database), new AuditTrail(), kms, signingKeys, revocations,
                tokens, pipeline, rates, objects, new DiskProbe(vertx, settings.dataFolder(), settings.management().diskFreeBytesMin()), pages(), meters,
                traces, clock, random);
    }

    private RateLimiter addresses() {
        return rates.limiter("address", settings.rateLimit().perAddress(), RATE_PERIOD);
    }

    private Pages pages() {
        OutboundSettings outbound = settings.outbound();
        EgressProxy egress = new EgressProxy(vertx, new AddressRules(outbound.allowedPrivate()), outbound.nameServers(),
                new EgressProxy.Bounds(settings.browser().connectionsMax(), settings.browser().downloadBytesMax()));
        return Pages.open(vertx, settings.browser(), egress, meters);
    }

    /** What this node stands on; for tests of this package, which look behind the doors. */
    AreaServices services() {
        return services;
    }

    /** Its settings; for the same tests. */
    Settings settings() {
        return settings;
    }

    /** Its Vert.x; for the same tests. */
    Vertx vertx() {
        return vertx;
    }

    public int port() {
        return publicServers.getFirst().port();
    }

    /** The port of an area that the configuration gives one of its own. */
    public Optional<Integer> port(String area) {
        return publicServers.getFirst().port(area);
    }

    public int managementPort() {
        return management.port();
    }

    /** The areas this node serves, by the names they have in addresses and settings. */
    public List<String> areaNames() {
        return areaNames;
    }

    /** Stops: refuses no request that arrived, answers those in flight, then closes areas, pool and database. Again it does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        draining.set(true);
        if (!publicServers.isEmpty()) {
            step("telling clients to leave", vertx.timer(LEAVE.toMillis(), TimeUnit.MILLISECONDS));
            step("answering the requests in flight",
                    Future.join(publicServers.stream().map(server -> server.close(settings.server().drain().toMillis())).toList()));
        }
        step("stopping the areas", Future.join(areaDeployments.stream().map(id -> vertx.undeploy(id)).toList()));
        if (services != null) {
            step("closing the browser", services.pages().close());
            if (nodes != null) {
                step("leaving the other nodes", nodes.leave());
                step("closing the connection for the other nodes", nodeDatabase.close());
            }
            services.revocations().stop(vertx);
            step("listening no more", services.notifications().close());
        }
        if (database != null) {
            step("closing the database connections", database.close());
        }
        if (vertx != null) {
            step("closing Vert.x", vertx.close());
        }
        step("leaving the cluster", () -> cluster.ifPresent(Cluster::leave));
        step("closing the metrics", measured::close);
        step("closing the traces", traces::close);
        closeEmbedded();
    }

    /** A step of the way out that fails must not keep the next from being taken: the database is to be stopped in any case. */
    private static void step(String what, Future<?> step) {
        step(what, () -> await(step));
    }

    private static void step(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failed) {
            LOG.warn("{} failed", what, failed);
        }
    }

    /** When another part failed, the server may still be starting: it is waited for. */
    private void closeEmbedded() {
        Optional<EmbeddedPostgres> server = embedded.exceptionally(toldByOpen -> Optional.empty()).join();
        try {
            if (server.isPresent()) {
                server.get().close();
            }
        } catch (IOException failed) {
            LOG.warn("stopping the embedded PostgreSQL failed", failed);
        }
    }

    private static <T> T await(Future<T> future) {
        return join(future.toCompletionStage().toCompletableFuture());
    }

    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.orTimeout(START_WAIT.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (java.util.concurrent.CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }
}
