package io.arbitration.platform.server;

import io.arbitration.platform.PartState;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.telemetry.Probe;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The server of the management port: liveness, readiness and Prometheus metrics. It must not be reachable from the internet. */
public final class Management extends VerticleBase {

    /** Parts, in addition to the database, without which a node is not ready. */
    private static final List<String> DECIDING = List.of("migrations", "definitions", "clock");

    private final ManagementSettings settings;
    private final Database database;
    private final Map<String, Supplier<PartState>> parts;
    private final PrometheusMeterRegistry meters;
    private final AtomicBoolean draining;
    private HttpServer server;

    /** @param parts by their names in the health report, without the database and the public server */
    public Management(ManagementSettings settings, Database database, Map<String, Supplier<PartState>> parts, PrometheusMeterRegistry meters,
            AtomicBoolean draining) {
        this.settings = settings;
        this.database = database;
        this.parts = parts;
        this.meters = meters;
        this.draining = draining;
    }

    @Override
    public Future<?> start() {
        Router router = Router.router(vertx);
        parts.forEach((name, part) -> measure(meters, name, part));
        router.get("/health/live").handler(context -> context.json(new JsonObject().put("status", "UP")));
        router.get("/health/ready").handler(context -> ready().onSuccess(report -> context.response()
                .setStatusCode("UP".equals(report.getString("status")) ? 200 : 503)
                .putHeader("Content-Type", Reply.JSON)
                .end(report.toBuffer())).onFailure(context::fail));
        router.get("/metrics").handler(context -> context.response()
                .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                .end(meters.scrape()));
        // Scrapers and probes use HTTP/1.1. A client that asked to upgrade its first request to HTTP/2 was twice never answered here.
        server = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false)
                .setTracingPolicy(TracingPolicy.IGNORE)).requestHandler(router);
        return ListenFailure.listen(server, "management.port", settings.host(), settings.port());
    }

    /** Publishes the state of a part as a metric. */
    public static void measure(MeterRegistry meters, String name, Supplier<PartState> part) {
        Gauge.builder("acp.part.up", part, state -> state.get().isWell() ? 1 : 0)
                .description("1: the part works, or is not configured; 0: it does not work, and /health/ready says why")
                .tag("part", name).register(meters);
    }

    private Future<JsonObject> ready() {
        // A database that is silent answers nothing until its connection is closed; the health check does not wait that long.
        return Probe.within(database::check).map(this::report);
    }

    /**
     * Readiness depends on the database, its schema, the definitions, the clock and the public server: without them this node can
     * answer nothing, while another node may. When another part is down, the node continues to answer all requests that do not
     * need it. If such a part made a node unready, all nodes would be unready at once.
     */
    private JsonObject report(PartState databaseState) {
        JsonObject words = new JsonObject().put("database", databaseState.word()).put("publicServer", draining.get() ? "DRAINING" : "UP");
        JsonObject troubles = new JsonObject();
        databaseState.trouble().ifPresent(trouble -> troubles.put("database", trouble));
        parts.forEach((name, part) -> {
            PartState state = part.get();
            words.put(name, state.word());
            state.trouble().ifPresent(trouble -> troubles.put(name, trouble));
        });
        boolean schemaFits = DECIDING.stream().allMatch(name -> !parts.containsKey(name) || parts.get(name).get().isWell());
        JsonObject report = new JsonObject().put("status", draining.get() || !schemaFits ? "DOWN" : databaseState.isWell() ? "UP" : "DOWN").put("parts", words);
        return troubles.isEmpty() ? report : report.put("troubles", troubles);
    }

    public int port() {
        return server.actualPort();
    }
}
