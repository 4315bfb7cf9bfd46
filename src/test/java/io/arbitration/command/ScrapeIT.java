package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.ai.ModelServer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees of a node on which the demo case was played, with a mail server, a model, and a broker that is away. */
class ScrapeIT {

    private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private static Path folder;

    private static GreenMail mail;
    private static ModelServer model;
    private static RunningPlatform platform;

    @BeforeAll
    static void playTheDemoCase() throws Exception {
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        model = new ModelServer();
        Map<String, String> settings = new HashMap<>(model.settings());
        settings.putAll(Map.of("ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(), "ACP_SMTP_START_TLS", "never",
                "ACP_EMAILS_RETURN_PATH", "bounces@example.org", "ACP_EMAILS_BOUNCES_MAILDIR", Files.createDirectories(folder.resolve("bounces")).toString(),
                "ACP_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + FreePort.any()));
        platform = RunningPlatform.start(folder, settings);
        try (DemoClient client = new DemoClient(area -> platform.url() + "/" + area, line -> {})) {
            new DemoCase(client, false).play();
        }
    }

    @AfterAll
    static void stop() {
        platform.close();
        model.close();
        mail.stop();
    }

    private static String management(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + platform.platform().managementPort() + path);
        return CLIENT.send(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString()).body();
    }

    /** One series of a scrape. */
    private record Series(String name, Map<String, String> labels, double value) {

        static List<Series> of(String scrape) {
            return scrape.lines().filter(line -> !line.startsWith("#")).map(SERIES::matcher).filter(Matcher::matches).map(series -> {
                Map<String, String> labels = new TreeMap<>();
                if (series.group(2) != null) {
                    LABEL.matcher(series.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
                }
                return new Series(series.group(1), labels, Double.parseDouble(series.group(3)));
            }).toList();
        }

        boolean is(String wanted, Map<String, String> with) {
            return name.equals(wanted) && labels.entrySet().containsAll(with.entrySet());
        }
    }

    private static List<Series> scrape() throws Exception {
        return Series.of(management("/metrics"));
    }

    private static double sum(List<Series> scrape, String name, Map<String, String> labels) {
        return scrape.stream().filter(series -> series.is(name, labels)).mapToDouble(Series::value).sum();
    }

    private static List<Series> eventually(Predicate<List<Series>> condition) throws Exception {
        return Await.value("what is measured", () -> {
            List<Series> scrape = scrape();
            return condition.test(scrape) ? scrape : null;
        });
    }

    /** Of the demo case everything was told that is told after its last request; what was measured then. */
    private static List<Series> awaitTold() throws Exception {
        eventually(scrape -> sum(scrape, "webhooks_attempts_total", Map.of("result", "delivered")) >= 2);
        eventually(scrape -> sum(scrape, "emails_attempts_total", Map.of("result", "sent")) >= 1);
        eventually(scrape -> sum(scrape, "notices_emails_total", Map.of("result", "accepted")) >= 1);
        eventually(scrape -> sum(scrape, "alerts_requests_total", Map.of("result", "accepted", "channel", "email")) >= 1);
        // The broker is away: the log grows, and its lag with it, while those that can read have read.
        return eventually(now -> sum(now, "events_lag", Map.of("consumer", "kafka")) >= 2
                && List.of("webhooks", "alerts").stream().allMatch(consumer -> sum(now, "events_taken_total", Map.of("consumer", consumer)) >= 2
                        && sum(now, "events_lag", Map.of("consumer", consumer)) == 0));
    }

    @Test
    void theDemoCaseIsSeenInWhatIsMeasured() throws Exception {
        List<Series> scrape = awaitTold();
        assertThat(sum(scrape, "events_lag_age_seconds", Map.of("consumer", "kafka"))).isPositive();
        Map<String, String> approved = Map.of("area", "main", "operation", "approveDocument", "status", "200");
        assertThat(sum(scrape, "acp_operation_seconds_count", approved)).isEqualTo(2);
        assertThat(scrape.stream().filter(series -> series.is("acp_operation_seconds_bucket", approved))).hasSizeGreaterThan(10)
                .extracting(series -> series.labels().get("le")).contains("0.005", "1.0", "+Inf");
        assertThat(sum(scrape, "acp_operation_seconds_count", Map.of("status", "409"))).isPositive();
        assertThat(scrape.stream().map(Series::name)).contains(
                "vertx_pool_in_use", "acp_database_waiting", "vertx_sql_processing_time_seconds_count", "push_attempts_total", "webhooks_ready",
                "acp_browser_page_seconds_bucket", "ai_model_exchanges_seconds_bucket", "ai_analyses_total", "kafka_published_total",
                "jvm_memory_used_bytes", "jvm_threads_live_threads", "process_cpu_usage", "process_resident_memory_bytes", "acp_disk_free_bytes");
    }

    @Test
    void healthNamesEachPartAndWhyOneIsNotUp() throws Exception {
        eventually(now -> sum(now, "acp_part_up", Map.of("part", "smtp")) == 1 && sum(now, "acp_part_up", Map.of("part", "kafka")) == 0);
        JsonObject health = Await.value("Kafka is seen to be away", () -> {
            JsonObject seen = new JsonObject(management("/health/ready"));
            return seen.getJsonObject("parts").getString("kafka").equals("DOWN") ? seen : null;
        });
        assertThat(health.getString("status")).isEqualTo("UP");
        assertThat(health.getJsonObject("parts").getMap()).containsEntry("database", "UP").containsEntry("migrations", "UP").containsEntry("disk", "UP")
                .containsEntry("objects", "UP").containsEntry("smtp", "UP").containsKeys("browser", "kafka", "publicServer", "model", "bounces", "traces");
        assertThat(health.getJsonObject("troubles").getString("kafka")).contains("127.0.0.1");
        assertThat(health.getString("status")).as("a broker that is away keeps nobody from serving").isEqualTo("UP");
        Set<String> measured = new TreeSet<>();
        scrape().stream().filter(series -> series.name().equals("acp_part_up")).forEach(series -> measured.add(series.labels().get("part")));
        assertThat(measured).contains("database", "migrations", "disk", "objects", "smtp", "browser", "kafka");
    }

    /** Whatever a client calls its path, method, host or request: nothing of it becomes a label. */
    @Test
    void hostileRequestsAddNoSeries() throws Exception {
        List<String> methods = List.of("POST", "GET", "DELETE", "BREW-" + UUID.randomUUID());
        awaitTold();
        // A first round makes the series that there are for what is refused.
        hostile(methods, "first");
        scrape();
        Set<String> before = names(scrape());
        for (int i = 0; i < 100; i++) {
            hostile(List.of("POST", "GET", "DELETE", "BREW-" + UUID.randomUUID()), UUID.randomUUID().toString());
        }
        Set<String> added = names(scrape());
        added.removeAll(before);
        // What goes on by itself meanwhile, as garbage collection does, may be measured for the first time.
        assertThat(added).allMatch(series -> series.startsWith("jvm_")).hasSizeLessThan(20);
    }

    private static Set<String> names(List<Series> scrape) {
        Set<String> names = new TreeSet<>();
        scrape.forEach(series -> names.add(series.name() + series.labels()));
        return names;
    }

    private static void hostile(List<String> methods, String word) throws Exception {
        for (String method : methods) {
            for (String path : List.of("/" + word, "/api/" + word, "/webhooks/urls/" + word + "?token=" + word, "/auth/authenticate/" + word)) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(platform.url() + path)).timeout(Duration.ofSeconds(60))
                        .header("Content-Type", "application/json").header("X-Request-Id", word).header("User-Agent", word)
                        .method(method, HttpRequest.BodyPublishers.ofString("{\"idToken\":\"" + word + "\"}")).build();
                assertThat(CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode()).isGreaterThanOrEqualTo(400);
            }
        }
    }

    @Test
    void ourMetricsAreNamedAsPrometheusAsks() throws Exception {
        String scrape = management("/metrics");
        Map<String, String> types = new TreeMap<>();
        Set<String> told = new TreeSet<>();
        scrape.lines().filter(line -> line.startsWith("# ")).map(line -> line.split(" ", 4)).forEach(line -> {
            if (line[1].equals("TYPE")) {
                types.put(line[2], line[3]);
            } else {
                told.add(line[2]);
            }
        });
        assertThat(types).hasSizeGreaterThan(60).allSatisfy((name, type) -> {
            assertThat(name).matches("[a-z][a-z0-9_]*");
            assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
            assertThat(name).doesNotMatch(".*_(milliseconds|millis|minutes|kilobytes|megabytes)(_.*)?");
        });
        assertThat(types.keySet().stream().filter(name -> name.matches("(acp|events|webhooks|emails|notices|alerts|push|ai|kafka)_.*") && !name.endsWith("_max")))
                .isSubsetOf(told);
    }

    // ---- What is shown, and what alarms ---------------------------------------------------------------------------------

    private static final Set<String> WORDS = Set.of("sum", "by", "rate", "increase", "max", "min", "avg", "histogram_quantile", "le", "and", "or", "unless", "on",
            "ignoring", "without", "count", "time", "clamp_min", "absent", "topk", "group_left", "label_replace", "vector", "changes", "max_over_time", "inf");

    private static List<String> expressions() throws Exception {
        List<String> all = new ArrayList<>();
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(Path.of("conf/operate/grafana-dashboard.json")));
        dashboard.findValuesAsText("expr").forEach(all::add);
        JsonNode rules = new ObjectMapper(new YAMLFactory()).readTree(Files.readString(Path.of("conf/operate/alerts.yaml")));
        rules.findValuesAsText("expr").forEach(all::add);
        return all;
    }

    /** A query of a metric, a label or a value that is nowhere shows nothing and warns of nothing, for ever. */
    @Test
    void everyQueryOfTheDashboardAndTheAlarmsIsAnswered() throws Exception {
        System.gc();
        List<Series> scrape = eventually(now -> sum(now, "jvm_gc_pause_seconds_count", Map.of()) > 0 && sum(now, "acp_disk_free_bytes", Map.of()) > 0);
        List<String> expressions = expressions();
        assertThat(expressions).hasSizeGreaterThan(40);
        for (String expression : expressions) {
            for (Selector selector : Selector.in(expression)) {
                List<Series> named = scrape.stream().filter(series -> series.name().equals(selector.name())).toList();
                if (selector.name().equals("up")) {
                    continue;
                }
                assertThat(named).as("%s, in %s", selector.name(), expression).isNotEmpty();
                selector.labels().forEach((label, value) -> assertThat(named).as("%s=%s, in %s", label, value, expression)
                        .anyMatch(series -> value.isEmpty() ? series.labels().containsKey(label) : value.equals(series.labels().get(label))));
            }
        }
    }

    /** A panel without an answer shows "No data", which an operator cannot tell from a fault. */
    @Test
    void prometheusItselfAnswersEachPanelAndEvaluatesEachAlarm() throws Exception {
        Optional<Prometheus> found = Prometheus.start(folder.resolve("prometheus"), platform.platform().managementPort());
        assumeTrue(found.isPresent(), "no prometheus");
        try (Prometheus prometheus = found.get()) {
            // Rates need two scrapes, and something that happens between them.
            Await.until("two scrapes", () -> {
                platform.administrator();
                return !prometheus.query("count_over_time(up{job=\"arbitration\"}[1m]) > 1").isEmpty() && !prometheus.query("sum(rate(acp_operation_seconds_count[5m])) > 0").isEmpty();
            });
            JsonNode dashboard = new ObjectMapper().readTree(Files.readString(Path.of("conf/operate/grafana-dashboard.json")));
            Set<String> nothingFound = new TreeSet<>();
            for (JsonNode panel : dashboard.path("panels")) {
                for (String query : panel.findValuesAsText("expr")) {
                    assertThat(query).contains("job=\"$job\"");
                    if (prometheus.query(query.replace("$job", "arbitration")).isEmpty()) {
                        nothingFound.add(panel.path("title").asText());
                    }
                }
            }
            assertThat(nothingFound).isEmpty();
            Await.until("each alarm was evaluated", () -> !prometheus.healthOfAlarms().contains("unknown"));
            assertThat(prometheus.healthOfAlarms()).containsOnly("ok").hasSize(alarms().size());
        }
    }

    private static List<String> alarms() throws Exception {
        return new ObjectMapper(new YAMLFactory()).readTree(Files.readString(Path.of("conf/operate/alerts.yaml"))).findValuesAsText("alert");
    }

    @Test
    void theGuideSaysOfEachAlarmWhatItMeans() throws Exception {
        Set<String> told = new TreeSet<>();
        Pattern.compile("(?m)^\\| `([A-Z]\\w+)` \\|").matcher(Files.readString(Path.of("docs/guides/operate.md"))).results().forEach(row -> told.add(row.group(1)));
        assertThat(told).containsExactlyInAnyOrderElementsOf(alarms());
    }

    /** A metric that a query names, with its labels and, where the query asks for one value, that value. */
    private record Selector(String name, Map<String, String> labels) {

        private static final Pattern METRIC = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)\\s*(?:\\{([^}]*)})?");
        private static final Pattern MATCH = Pattern.compile("([a-zA-Z_]+)(=~|!~|!=|=)\"([^\"]*)\"");
        private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

        static List<Selector> in(String expression) {
            String bare = expression.replaceAll("\\b(by|on|without|ignoring|group_left)\\s*\\([^)]*\\)", " ").replaceAll("\\[[^]]*]", " ");
            List<Selector> all = new ArrayList<>();
            METRIC.matcher(bare).results().filter(found -> !WORDS.contains(found.group(1)) && !found.group(1).matches("\\d.*|e\\d*")).forEach(found -> {
                Map<String, String> labels = new HashMap<>();
                if (found.group(2) != null) {
                    MATCH.matcher(found.group(2)).results().filter(label -> !OF_PROMETHEUS.contains(label.group(1)))
                            .forEach(label -> labels.put(label.group(1), label.group(2).equals("=") ? label.group(3) : ""));
                }
                all.add(new Selector(found.group(1), labels));
            });
            return all;
        }
    }
}
