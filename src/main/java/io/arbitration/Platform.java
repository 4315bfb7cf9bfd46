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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running node. It starts database, services, areas and public server in this order, and stops them in the reverse order. Both
 * {@link #start} and {@link #close} block.
 */
public final class Platform implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Platform.class);
    private static final Duration START_WAIT = Duration.ofMinutes(2);
    /** The time for telling clients on keep-alive connections to disconnect, before connections are closed. */
    private static final Duration LEAVE = Duration.ofMillis(300);
    private static final int ANSWER_GRACE_SECONDS = 30;
    /** More than the number of files that a browser loads when it first opens the console. */
    private static final int ASSETS_OF_A_PAGE = 20;
    private static final Duration RATE_PERIOD = Duration.ofSeconds(1);
    /** One for reads, one for rotating keys and deleting expired rows. */
    private static final int AUTHENTICATION_CONNECTIONS = 2;
    /** These connections are used every second, so one that is silent for this long is broken. */
    private static final Duration HEARTBEAT_SILENCE = Duration.ofSeconds(5);

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
    private final AtomicInteger managementPort = new AtomicInteger();
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

    /** Starts Vert.x, in the cluster of the nodes if there is one. */
    private void openVertx() {
        VertxOptions options = new VertxOptions().setEventLoopPoolSize(settings.server().eventLoops());
        VertxBuilder builder = Vertx.builder().with(options).withMetrics(measured.measure(options)).withTransport(connectionLimit);
        traces.factory().ifPresent(builder::withTracer);
        cluster = settings.cluster().map(joining -> Cluster.join(joining, builder, options));
        vertx = cluster.map(Cluster::vertx).orElseGet(builder::build);
    }

    /** The contracts of all areas as one OpenAPI document in YAML, which a node serves at {@code /openapi/platform.yaml}. */
    public static byte[] contract() throws IOException {
        return ReferencePages.whole(Areas.CONTRACTS);
    }

    /** Starts a node. If a step fails, closes everything again and throws the failure. */
    public static Platform start(Settings settings, Clock clock) {
        HeapBudget.of(settings).check(Runtime.getRuntime().maxMemory());
        // The database takes longest to start, so definitions, cryptography, Vert.x and keys are started at the same time.
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
        // Waits for both even if one fails: otherwise the other would still write into the data folder after the platform is closed.
        join(CompletableFuture.allOf(url, kms).exceptionally(failed -> null));
        database = Database.open(vertx, join(url), settings.database());
        // Authentication has connections of its own, so that it does not wait when other requests use up the pool.
        authenticationDatabase = Database.open(vertx, join(url), settings.database().withConnections(AUTHENTICATION_CONNECTIONS), HEARTBEAT_SILENCE);
        meters.gauge("acp.http.connections", connectionLimit.open());
        Gauge.builder("acp.database.waiting", database, Database::waiting).description("Statements and transactions that wait for a connection to the database")
                .register(meters);
        NodeServices made = new NodeServices(settings, vertx, database, authenticationDatabase, nodeId, meters, traces, sender, rates, new SecurityEvents(meters), managementPort::get, clock);
        services = made.open(join(kms));
        // Each waits for the database, so they start together. This waits for all even if one fails, as for the areas below.
        await(Future.join(services.signingKeys().start(vertx), services.revocations().start(vertx), services.notifications().start()));
        services.signingKeys().listen(services.notifications());
        services.revocations().listen(services.notifications());
        areas = prepared.areas(services);
        nodeDatabase = Database.open(vertx, join(url), settings.database().withConnections(1), HEARTBEAT_SILENCE);
        nodes = new Nodes(vertx, nodeId, nodeDatabase, services.notifications(), facts(prepared), settings.database().clockSkew(), settings.definitions().replace(), clock);
        await(nodes.register());
        database.guard(nodes::mayBegin);
        areaNames = areas.stream().map(AreaVerticle::name).toList();
        // Waits for all even if one fails: Vert.x must not be closed while a verticle is still starting.
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
        Probe migrations = new Probe(vertx, "migrations", HealthParts.PERIOD, () -> Migrations.check(database));
        await(migrations.start());
        // Readiness asks the database itself; the metric shows the result of the last probe.
        Supplier<PartState> answers = parts.probe("database", HealthParts.PERIOD, database::check);
        Management.measure(meters, "database", answers);
        management = new Management(settings.management(), database, parts.all(migrations, startKafka(), own::state), meters, draining);
        await(vertx.deployVerticle(management));
        managementPort.set(management.port());
    }

    /** The sign-in providers for browsers; none if this node does not serve the area of identity. */
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

    /** The services of this node; for tests of this package. */
    AreaServices services() {
        return services;
    }

    /** The settings of this node; for tests of this package. */
    Settings settings() {
        return settings;
    }

    /** The Vert.x of this node; for tests of this package. */
    Vertx vertx() {
        return vertx;
    }

    public int port() {
        return publicServers.getFirst().port();
    }

    /** The port of an area that has its own one in the configuration. */
    public Optional<Integer> port(String area) {
        return publicServers.getFirst().port(area);
    }

    public int managementPort() {
        return management.port();
    }

    /** The names of the areas that this node serves, as in addresses and settings. */
    public List<String> areaNames() {
        return areaNames;
    }

    /** Answers all requests that have arrived, then stops areas, connections and database. A second call does nothing. */
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
        // Extensions send requests to the areas, so they stop first.
        extensions.ifPresent(own -> step("stopping the extensions", own.stop()));
        step("stopping the areas", Future.join(areaDeployments.stream().map(id -> vertx.undeploy(id)).toList()));
        if (services != null) {
            step("closing the browser", services.pages().close());
            step("ending the processes that read files", services.reading()::close);
            if (nodes != null) {
                step("leaving the other nodes", nodes.deregister());
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

    /** Logs a failure and continues, so that the steps after it, such as stopping the database, are executed. */
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
