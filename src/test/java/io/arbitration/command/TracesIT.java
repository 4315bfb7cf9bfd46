package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.command.TraceCollector.Seen;
import io.opentelemetry.proto.trace.v1.Span;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces as a collector of OpenTelemetry gets them from a platform on which the demo case is played. */
class TracesIT {

    private static final String SECRET = "collector-token-" + Long.toHexString(System.nanoTime());

    @TempDir
    private static Path folder;

    private static TraceCollector collector;
    private static GreenMail mail;
    private static RunningPlatform platform;
    private static final List<String> TOLD = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void playTheDemoCase() throws Exception {
        collector = new TraceCollector();
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        platform = RunningPlatform.start(folder, Map.of("ACP_TELEMETRY_TRACES_ENDPOINT", collector.url(),
                "ACP_TELEMETRY_TRACES_SERVICE_NAME", "registry", "ACP_TELEMETRY_TRACES_HEADERS", "{\"Authorization\": \"Bearer " + SECRET + "\"}",
                "ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(), "ACP_SMTP_START_TLS", "never"));
        try (DemoClient client = new DemoClient(area -> platform.url() + "/" + area, TOLD::add)) {
            new DemoCase(client, false).play();
        }
    }

    @AfterAll
    static void stop() {
        platform.close();
        mail.stop();
        collector.close();
    }

    /** What the collector had when the condition held. */
    private static List<Seen> await(Predicate<List<Seen>> condition) {
        return Await.value(() -> collector.seen().stream().map(span -> span.traceId() + " " + span.name()).toList().toString(), Await.BOUND, () -> {
            List<Seen> seen = List.copyOf(collector.seen());
            return condition.test(seen) ? seen : null;
        });
    }

    /** Whether each span of a trace but its root is part of another that is there. */
    private static boolean isWhole(List<Seen> trace, Seen root) {
        Set<String> ids = trace.stream().map(Seen::spanId).collect(Collectors.toSet());
        return trace.stream().filter(span -> span != root).allMatch(span -> ids.contains(span.parentId()));
    }

    private static List<Seen> ofTrace(List<Seen> all, Seen root) {
        return all.stream().filter(span -> span.traceId().equals(root.traceId())).toList();
    }

    private static boolean has(List<Seen> spans, String name) {
        return spans.stream().anyMatch(span -> span.name().equals(name));
    }

    @Test
    void oneTraceGoesFromTheRequestThroughStatementsAndEventToWebhookAlertAndEmail() {
        Set<String> wanted = Set.of("main.approveDocument", "filings decide", "webhooks takes docket_filing", "webhooks deliver",
                "alerts takes docket_filing", "alerts send by email", "emails send");
        // A span is sent when it has ended: what it is part of ends later, and comes later.
        List<Seen> all = await(seen -> seen.stream().filter(span -> span.name().equals("main.approveDocument"))
                .anyMatch(root -> wanted.stream().allMatch(name -> has(ofTrace(seen, root), name)) && isWhole(ofTrace(seen, root), root)));
        Seen request = all.stream().filter(span -> span.name().equals("main.approveDocument"))
                .filter(root -> wanted.stream().allMatch(name -> has(ofTrace(all, root), name)) && isWhole(ofTrace(all, root), root)).findFirst().orElseThrow();
        List<Seen> trace = ofTrace(all, request);
        assertThat(request.kind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
        assertThat(request.parentId()).isEmpty();
        assertThat(request.attributes()).containsKey("acp.request.id");
        assertThat(trace.stream().map(TracesIT::statement)).anyMatch(sql -> sql.contains("insert into mainapi.filings"))
                .anyMatch(sql -> sql.contains("insert into platform.events"));
        // Every span hangs on another of its trace, up to the request.
        Map<String, Seen> byId = new HashMap<>();
        trace.forEach(span -> byId.put(span.spanId(), span));
        trace.stream().filter(span -> span != request).forEach(span -> assertThat(byId).as(span.name()).containsKey(span.parentId()));
        // The POST itself is part of the delivery, and that it was answered.
        Seen delivery = trace.stream().filter(span -> span.name().equals("webhooks deliver")).findFirst().orElseThrow();
        assertThat(delivery.kind()).isEqualTo(Span.SpanKind.SPAN_KIND_PRODUCER);
        assertThat(trace.stream().filter(span -> span.parentId().equals(delivery.spanId())))
                .anyMatch(span -> span.kind() == Span.SpanKind.SPAN_KIND_CLIENT && span.attributes().getOrDefault("http.response.status_code", "").startsWith("20"));
        assertThat(collector.services()).containsOnly("registry");
        assertThat(collector.authorizations()).containsOnly("Bearer " + SECRET);
    }

    private static String statement(Seen span) {
        return span.attributes().getOrDefault("db.query.text", span.attributes().getOrDefault("db.statement", ""));
    }

    @Test
    void theWorkOfNobodysRequestIsNotTraced() {
        List<Seen> all = await(seen -> has(seen, "webhooks deliver"));
        Set<String> roots = all.stream().filter(span -> span.parentId().isEmpty()).map(Seen::name).collect(Collectors.toSet());
        assertThat(roots).isNotEmpty().allMatch(name -> name.matches("[a-z-]+\\.[A-Za-z]+"));
        assertThat(all.stream().map(TracesIT::statement)).noneMatch(sql -> sql.contains("platform.event_consumers"));
    }

    /** Who may read a docket is looked up for many requests by one query; what each does afterwards belongs to its own trace all the same. */
    @Test
    void requestsThatShareAQueryAreTracedAsThemselves() {
        RunningPlatform.Person person = platform.signIn("dora.docket@example.org", "Dora", "Docket");
        String caseId = platform.post("/cases/cases/create", new JsonObject().put("title", "Traced v. Traced").put("ruleSet", "commercial"),
                person.token()).object().getString("caseID");
        List<String> requestIds = IntStream.range(0, 24).mapToObj(i -> "docket-" + i).toList();
        List<CompletableFuture<RunningPlatform.Answer>> answers = requestIds.stream().map(id -> CompletableFuture.supplyAsync(() -> platform.post(
                "/api/docket/entries/list", new JsonObject().put("caseID", caseId).put("limit", 5), person.token(), "X-Request-Id", id),
                Thread::startVirtualThread)).toList();
        assertThat(answers.stream().map(CompletableFuture::join)).allMatch(answer -> answer.status() == 200);
        await(seen -> requestIds.stream().allMatch(id -> seen.stream().anyMatch(span -> id.equals(span.attributes().get("acp.request.id"))
                && ofTrace(seen, span).stream().filter(other -> statement(other).contains("from mainapi.entries")).count() == 1)));
    }

    /** What people write, tokens, values of statements and the addresses of webhooks are none of a collector's business. */
    @Test
    void noTokenNoBodyAndNoValueIsInASpan() throws Exception {
        String path = "/hook/its-path-is-its-secret";
        List<String> arrived = new ArrayList<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 20);
        receiver.createContext("/", exchange -> {
            synchronized (arrived) {
                arrived.add(exchange.getRequestHeaders().keySet().toString().toLowerCase());
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        RunningPlatform.Person person = platform.signIn("tracy.traced@example.org", "Tracy", "Unmistakable");
        platform.post("/auth/organizations/create", new JsonObject().put("name", "Unmistakable Traders"), person.token());
        String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
        JsonObject registered = platform.post("/webhooks/urls/create", new JsonObject().put("url", url).put("events", new io.vertx.core.json.JsonArray().add("case_created")),
                person.token()).object();
        String forged = "00-" + "ab".repeat(16) + "-" + "cd".repeat(8) + "-01";
        RunningPlatform.Answer opened = platform.post("/cases/cases/create?token=" + person.token(),
                new JsonObject().put("title", "Unmistakable v. Confidential").put("ruleSet", "commercial"), person.token(), "traceparent", forged);
        assertThat(opened.status()).as(opened.body()).isEqualTo(200);
        String caseId = opened.object().getString("caseID");
        List<Seen> all = await(seen -> seen.stream().anyMatch(span -> span.name().equals("webhooks deliver")
                && ofTrace(seen, span).stream().anyMatch(other -> other.name().equals("webhooks takes case_created")
                        && caseId.equals(other.attributes().get("acp.case.id")))));
        String everything = all.stream().map(span -> span.whole().toString()).collect(Collectors.joining("\n"));
        assertThat(everything).doesNotContain("Unmistakable", "tracy.traced", "its-path-is-its-secret", registered.getString("secret"), SECRET)
                .doesNotContain(person.token(), person.refreshToken(), "eyJ", "whsec_", "Claimant Shipping GmbH v", "harbour cranes");
        assertThat(all.stream().map(Seen::traceId)).as("a stranger's trace is not gone on with").doesNotContain("ab".repeat(16));
        synchronized (arrived) {
            assertThat(arrived).isNotEmpty().noneMatch(headers -> headers.contains("traceparent"));
        }
        receiver.stop(0);
    }

    /** The collector of the project itself, which prints what it takes. */
    @Test
    void aCollectorOfTheProjectTakesTheSpans(@TempDir Path elsewhere) throws Exception {
        Optional<Path> program = OtherRuntimes.largeGoSource(Path.of("dev/collector").toAbsolutePath());
        Assumptions.assumeTrue(program.isPresent(), "no collector");
        int port = io.arbitration.platform.FreePort.any();
        Path printed = elsewhere.resolve("spans.txt");
        Path settings = Files.writeString(elsewhere.resolve("collector.yaml"), """
                receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%d"}}}}
                exporters: {debug: {verbosity: detailed, use_internal_logger: false}}
                service: {pipelines: {traces: {receivers: [otlp], exporters: [debug]}}}
                """.formatted(port));
        Process real = new ProcessBuilder(program.get().toString(), "--config", "file:" + settings).redirectErrorStream(true).redirectOutput(printed.toFile()).start();
        try (RunningPlatform alone = RunningPlatform.start(elsewhere.resolve("data"), Map.of("ACP_TELEMETRY_TRACES_ENDPOINT", "http://127.0.0.1:" + port,
                "ACP_TELEMETRY_TRACES_SERVICE_NAME", "registry-of-this-test"))) {
            Await.until(() -> "spans are printed in " + printed, Await.BOUND, () -> {
                alone.signIn("spans@example.org", "S", "Pans");
                String all = Files.readString(printed);
                return all.contains("registry-of-this-test") && all.contains("identity.authenticate");
            });
            Await.until("health says so", () -> alone.health().getJsonObject("parts").getString("traces").equals("UP"));
        } finally {
            real.destroy();
            real.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        }
    }

    /** It may want another token, or have no space left. */
    @Test
    void aCollectorThatTakesNoSpansIsNamedAndTakesThemAgain(@TempDir Path elsewhere) throws Exception {
        try (TraceCollector refusing = new TraceCollector(); RunningPlatform alone = RunningPlatform.start(elsewhere, Map.of(
                "ACP_TELEMETRY_TRACES_ENDPOINT", refusing.url(), "ACP_TELEMETRY_TRACES_HEADERS", "{\"Authorization\": \"Bearer " + SECRET + "\"}"))) {
            for (int status : new int[] {401, 507}) {
                refusing.answer(status);
                JsonObject health = Await.value("status " + status, () -> {
                    alone.signIn("spans@example.org", "S", "Pans");
                    JsonObject seen = alone.health();
                    return seen.getJsonObject("parts").getString("traces").equals("DOWN") ? seen : null;
                });
                assertThat(health.getJsonObject("troubles").getString("traces")).contains("the collector refused them");
                assertThat(health.encode()).doesNotContain(SECRET);
                refusing.answer(200);
                Await.until("spans arrive", () -> {
                    alone.signIn("spans@example.org", "S", "Pans");
                    return alone.health().getJsonObject("parts").getString("traces").equals("UP");
                });
            }
            assertThat(refusing.seen()).isNotEmpty();
        }
    }

    @Test
    void aCollectorThatIsAwayKeepsNobodyWaiting(@TempDir Path elsewhere) throws Exception {
        RunningPlatform alone = RunningPlatform.start(elsewhere, Map.of("ACP_TELEMETRY_TRACES_ENDPOINT", "http://127.0.0.1:" + io.arbitration.platform.FreePort.any()));
        try {
            long begun = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                assertThat(alone.signIn("away" + i + "@example.org", "A", "Way").token()).isNotEmpty();
            }
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)).isLessThan(60);
            Await.until("the collector is seen to be away", () -> alone.health().getJsonObject("parts").getString("traces").equals("DOWN"));
        } finally {
            alone.close();
        }
    }
}
