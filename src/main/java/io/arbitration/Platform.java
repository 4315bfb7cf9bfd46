package io.arbitration;

import io.arbitration.identity.IdentityVerticle;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.PartState;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.cluster.Cluster;
import io.arbitration.platform.console.ConsolePages;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.db.Migrations;
import io.arbitration.platform.events.EventBusVerticle;
import io.arbitration.platform.extensions.Extensions;
import io.arbitration.platform.kafka.KafkaVerticle;
import io.arbitration.platform.keys.CryptoProvider;
import io.arbitration.platform.keys.Kms;
import io.arbitration.platform.keys.LocalKeyset;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.limits.SharedRateLimiters;
import io.arbitration.platform.nodes.NodeFacts;
import io.arbitration.platform.nodes.Nodes;
import io.arbitration.platform.pipeline.AnswerBudget;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.ReplySender;
import io.arbitration.platform.reference.ReferencePages;
import io.arbitration.platform.server.ConnectionLimit;
import io.arbitration.platform.server.Management;
import io.arbitration.platform.server.PublicServer;
import io.arbitration.platform.telemetry.Meters;
import io.arbitration.platform.telemetry.Probe;
import io.arbitration.platform.telemetry.SecurityEvents;
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
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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
    private static final int ANSWER_GRACE_SECONDS = 30;
    /** Parts that a browser asks for at once when it opens the console for the first time; some more than there are. */
    private static final int ASSETS_OF_A_PAGE = 20;
    private static final Duration RATE_PERIOD = Duration.ofSeconds(1);
    /** One reads while another rotates keys or forgets what is old. */
    private static final int AUTHENTICATION_CONNECTIONS = 2;
    /** Over each of the connections of its own something comes every second. */
    private static final Duration BEAT_SILENCE = Duration.ofSeconds(5);

    private final Settings settings;
    private final NodeDatabase server;
    private final Meters measured = new Meters();
    private final Traces traces;
    private final ReplySender sender;
    private final PrometheusMeterRegistry meters = measured.registry();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final SharedRateLimiters rates;
    private final RateLimiter refusals;
    private final ConnectionLimit connectionLimit;
    private final List<PublicServer> publicServers = new ArrayList<>();
    private Vertx vertx;
    private Optional<Cluster> cluster = Optional.empty();
    private Database database;
    private Database authenticationDatabase;
    private AreaServices services;
    private final UUID nodeId = UUID.randomUUID();
    private Database nodeDatabase;
    private Nodes nodes;
    private Management management;
    private Optional<Extensions> extensions = Optional.empty();
    private boolean closed;
    private List<String> areaNames = List.of();
    private List<AreaVerticle> areas = List.of();
    private final List<String> areaDeployments = new ArrayList<>();

    private Platform(Settings settings, NodeDatabase server) {
        this.settings = settings;
        this.server = server;
        this.rates = new SharedRateLimiters(settings.rateLimit().enabled(), settings.rateLimit().keysMax());
        this.refusals = rates.limiter("refusals", settings.rateLimit().refusalsPerAddress(), RATE_PERIOD);
        this.connectionLimit = new ConnectionLimit(settings.server(), rates.limiter("connections", settings.rateLimit().connectionsPerAddress(), RATE_PERIOD), refusals);
        this.traces = Traces.of(settings.traces());
        this.sender = new ReplySender(settings.server().compression(), new LeastPace(settings.server().paceBytesMin(), ANSWER_GRACE_SECONDS),
                new AnswerBudget(settings.server().answers()), settings.docket().compressedBytesMax(), meters);
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
        NodeDatabase server = NodeDatabase.start(settings);
        Areas.Prepared prepared = Areas.prepare(settings, clock);
        CryptoProvider.install();
        Platform platform = new Platform(settings, server);
        try {
            platform.open(prepared, clock);
            return platform;
        } catch (RuntimeException | Error failed) {
            platform.close();
            throw failed;
        }
    }

    private void open(Areas.Prepared prepared, Clock clock) {
        CompletableFuture<DatabaseUrl> url = server.migrated();
        openVertx();
        CompletableFuture<Kms> kms = CompletableFuture.supplyAsync(() -> LocalKeyset.open(settings.keys(), clock), Thread::startVirtualThread);
        // Also the other when one fails: it would go on writing into the folder of a platform that is closed.
        join(CompletableFuture.allOf(url, kms).exceptionally(failed -> null));
        database = Database.open(vertx, join(url), settings.database());
        // What every request waits for when it was not read lately does not wait for those who keep the pool busy.
        authenticationDatabase = Database.open(vertx, join(url), settings.database().withConnections(AUTHENTICATION_CONNECTIONS), BEAT_SILENCE);
        meters.gauge("acp.http.connections", connectionLimit.open());
        Gauge.builder("acp.database.waiting", database, Database::waiting).description("Statements and transactions that wait for a connection to the database")
                .register(meters);
        NodeServices made = new NodeServices(settings, vertx, database, authenticationDatabase, nodeId, meters, traces, sender, rates, new SecurityEvents(meters), clock);
        services = made.open(join(kms));
        await(services.signingKeys().start(vertx));
        await(services.revocations().start(vertx));
        await(services.notifications().start());
        services.signingKeys().listen(services.notifications());
        services.revocations().listen(services.notifications());
        areas = prepared.areas(services);
        nodeDatabase = Database.open(vertx, join(url), settings.database().withConnections(1), BEAT_SILENCE);
        nodes = new Nodes(vertx, nodeId, nodeDatabase, services.notifications(), facts(prepared), settings.database().clockSkew(), settings.definitions().replace(), clock);
        await(nodes.enter());
        database.guard(nodes::mayBegin);
        areaNames = areas.stream().map(AreaVerticle::name).toList();
        // Each start is waited for, also when another has failed: Vert.x must not be closed under one that is still going on.
        areaDeployments.addAll(await(Future.join(areas.stream().map(vertx::deployVerticle).toList())).list());
        await(nodes.serve());
        ReferencePages reference = new ReferencePages(vertx, sender, made.addresses(), Areas.CONTRACTS);
        ConsolePages console = new ConsolePages(sender, made.addresses(),
                rates.limiter("assets", ASSETS_OF_A_PAGE * settings.rateLimit().perAddress(), RATE_PERIOD), signIns());
        await(vertx.deployVerticle(() -> {
            PublicServer listening = new PublicServer(settings.server(), settings.areas().addresses(), areas, draining, nodes::outOfService, connectionLimit, reference, console, made.addresses(),
                    refusals, services.security(), sender);
            synchronized (publicServers) {
                publicServers.add(listening);
            }
            return listening;
        }, new DeploymentOptions().setInstances(settings.server().eventLoops())));
        startEventBus();
        Extensions own = Extensions.start(vertx, settings.extensions());
        extensions = Optional.of(own);
        HealthParts parts = new HealthParts(vertx, settings, services, nodes, cluster, meters);
        Probe migrations = new Probe(vertx, "migrations", HealthParts.LOOK, () -> Migrations.look(database));
        await(migrations.start());
        // Asked anew whenever readiness is; what is measured is what was seen last.
        Supplier<PartState> answers = parts.probe("database", HealthParts.LOOK, database::look);
        Management.measure(meters, "database", answers);
        management = new Management(settings.management(), database, parts.all(migrations, startKafka(), own::state), meters, draining);
        await(vertx.deployVerticle(management));
    }

    /** The providers at which browsers sign in; none when this node does not serve that area. */
    private List<String> signIns() {
        return settings.areas().serves("auth") ? IdentityVerticle.browserProviders(settings.identity(), settings.profile()) : List.of();
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
        areas.forEach(AreaVerticle::drain);
        if (!publicServers.isEmpty()) {
            step("telling clients to leave", vertx.timer(LEAVE.toMillis(), TimeUnit.MILLISECONDS));
            step("answering the requests in flight",
                    Future.join(publicServers.stream().map(server -> server.close(settings.server().drain().toMillis())).toList()));
        }
        // They ask the areas, so they stop first.
        extensions.ifPresent(own -> step("stopping the extensions", own.stop()));
        step("stopping the areas", Future.join(areaDeployments.stream().map(id -> vertx.undeploy(id)).toList()));
        if (services != null) {
            step("closing the browser", services.pages().close());
            step("ending the processes that read files", services.reading()::close);
            if (nodes != null) {
                step("leaving the other nodes", nodes.leave());
                step("closing the connection for the other nodes", nodeDatabase.close());
            }
            services.revocations().stop(vertx);
            services.signingKeys().stop(vertx);
            step("listening no more", services.notifications().close());
        }
        if (authenticationDatabase != null) {
            step("closing the connection for authentication", authenticationDatabase.close());
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
        step("stopping the database", server::close);
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
