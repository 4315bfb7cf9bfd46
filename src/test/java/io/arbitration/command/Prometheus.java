package io.arbitration.command;

import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A Prometheus server that scrapes one node each second and evaluates the shipped alarms. */
final class Prometheus implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final String url;

    private Prometheus(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Empty, with the reason printed, where the program is not to be had. */
    static Optional<Prometheus> start(Path folder, int managementPort) throws IOException {
        Path configuration = Files.writeString(Files.createDirectories(folder).resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: arbitration
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                """.formatted(Path.of("conf/operate/alerts.yaml").toAbsolutePath(), managementPort));
        String address = "127.0.0.1:" + FreePort.any();
        Optional<ProcessBuilder> program = OtherRuntimes.program("prometheus", "--config.file=" + configuration, "--storage.tsdb.path=" + folder.resolve("series"),
                "--web.listen-address=" + address);
        if (program.isEmpty()) {
            return Optional.empty();
        }
        Path log = folder.resolve("prometheus.log");
        Prometheus prometheus = new Prometheus(program.get().redirectErrorStream(true).redirectOutput(log.toFile()).start(), "http://" + address);
        try {
            Await.despiteFailures("Prometheus answers, see " + log, Await.BOUND, () -> {
                if (!prometheus.process.isAlive()) {
                    throw new IllegalStateException(Files.readString(log));
                }
                return prometheus.get("/-/ready").statusCode() == 200;
            });
            return Optional.of(prometheus);
        } catch (RuntimeException | AssertionError failed) {
            prometheus.close();
            throw failed;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** What a query finds now; fails with what the server says of a query that it does not understand. */
    List<Object> query(String expression) throws IOException, InterruptedException {
        JsonObject answer = new JsonObject(get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8)).body());
        if (!answer.getString("status").equals("success")) {
            throw new IllegalStateException("%s: %s".formatted(expression, answer.encode()));
        }
        return answer.getJsonObject("data").getJsonArray("result").stream().toList();
    }

    /** Health of each alarm as the server evaluates it: {@code ok}, {@code unknown} before the first time, or {@code err}. */
    List<String> healthOfAlarms() throws IOException, InterruptedException {
        return new JsonObject(get("/api/v1/rules").body()).getJsonObject("data").getJsonArray("groups").getJsonObject(0).getJsonArray("rules").stream()
                .map(rule -> ((JsonObject) rule).getString("health")).toList();
    }

    @Override
    public void close() {
        client.close();
        process.destroy();
        process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
