package io.arbitration.command.bench;

import io.arbitration.Platform;
import io.arbitration.Settings;
import io.arbitration.platform.config.Configuration;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Draft awards of a few made-up cases by the configured model: what is right about them, what they cost. The cases are kept, so
 * that models and versions of the prompt can be held against each other; whether an outcome is right is told by words in it.
 */
@Command(name = "award", description = "Draft awards of made-up cases, by the model of ai.baseUrl.", mixinStandardHelpOptions = true)
final class AwardBench implements Callable<Integer> {

    private static final String CASES = "/bench/award-cases.json";
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(300);
    private static final Pattern TOKENS = Pattern.compile("(?m)^ai_model_tokens_total\\{kind=\"(prompt|answer)\"[^}]*} ([0-9.E]+)$");
    private static final String ROW = "%-28s %6s %8s %10s %10s %9s %8s  %s";

    /** What is right about one award. */
    record Judged(boolean form, boolean citations, boolean relevant, boolean outcome) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("acp-bench-award-");
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(Map.of("ACP_PROFILE", "demo", "ACP_HTTP_PORT", "0", "ACP_MANAGEMENT_PORT", "0", "ACP_DATA_FOLDER", data.toString()));
        Path home = Path.of(Optional.ofNullable(System.getenv("ACP_HOME")).orElse(".")).toAbsolutePath().normalize();
        Settings settings = Settings.read(Configuration.load(home, environment), home);
        if (settings.ai().model().isEmpty()) {
            throw new BenchFailed("no model is configured: set ACP_AI_BASE_URL and ACP_AI_MODEL, or start one with dev/local-model");
        }
        try (Platform platform = Platform.start(settings, Clock.systemUTC());
                HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            Site site = new Site(client, "http://localhost:" + platform.port(), "http://localhost:" + platform.managementPort(), settings.objects().folder());
            Report.title("Draft awards by %s", settings.ai().model().get());
            Report.line(ROW, "case", "form", "outcome", "citations", "relevant", "tokens", "seconds", "");
            List<Judged> all = cases().stream().map(one -> judge(site, (JsonObject) one)).toList();
            Report.line("form valid %d, outcome right %d, citations valid %d, citations relevant %d, of %d", count(all, Judged::form),
                    count(all, Judged::outcome), count(all, Judged::citations), count(all, Judged::relevant), all.size());
        } finally {
            remove(data);
        }
        return 0;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static long count(List<Judged> all, java.util.function.Predicate<Judged> right) {
        return all.stream().filter(right).count();
    }

    static JsonArray cases() throws IOException {
        try (InputStream in = AwardBench.class.getResourceAsStream(CASES)) {
            return new JsonArray(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static Judged judge(Site site, JsonObject one) {
        long tokensBefore = site.tokens();
        long begin = System.nanoTime();
        HttpResponse<String> answer = site.draft(one);
        double seconds = (System.nanoTime() - begin) / 1e9;
        Judged judged = judged(one, answer.statusCode(), answer.headers().firstValue("Error-Code").orElse(""), answer.body());
        Report.line(ROW, one.getString("name"), word(judged.form), word(judged.outcome), word(judged.citations), word(judged.relevant),
                site.tokens() - tokensBefore, String.format(java.util.Locale.ROOT, "%.1f", seconds), shown(answer));
        return judged;
    }

    /** What was refused for its citations had the form of an award; nothing else that was refused is judged. */
    static Judged judged(JsonObject one, int status, String errorCode, String body) {
        if (status != 200) {
            return new Judged(errorCode.equals("model.unknown-exhibits"), false, false, false);
        }
        JsonObject award = new JsonObject(body);
        String outcome = award.getString("outcome");
        String reasons = award.getString("reasons");
        boolean relevant = one.getJsonArray("relevant").stream().anyMatch(number -> cites(reasons, (String) number))
                && one.getJsonArray("distractors").stream().noneMatch(number -> cites(reasons, (String) number));
        return new Judged(true, true, relevant, found(one.getString("winner"), outcome) && !found(one.getString("loser"), outcome));
    }

    private static boolean cites(String reasons, String number) {
        return found("exhibits?[^\\]\\n]{0,40}\\b" + Pattern.quote(number) + "(?![\\p{Alnum}-])", reasons);
    }

    private static boolean found(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(text).find();
    }

    private static String word(boolean right) {
        return right ? "yes" : "no";
    }

    private static String shown(HttpResponse<String> answer) {
        String text = answer.statusCode() == 200 ? new JsonObject(answer.body()).getString("outcome") : answer.statusCode() + " " + answer.body();
        return text.length() > 100 ? text.substring(0, 100).replace('\n', ' ') + "…" : text.replace('\n', ' ');
    }

    /** The platform that is measured. */
    private static final class Site {

        private final HttpClient client;
        private final String url;
        private final String management;
        private final Path objects;
        private final String token;
        private int stored;

        Site(HttpClient client, String url, String management, Path objects) {
            this.client = client;
            this.url = url;
            this.management = management;
            this.objects = objects;
            JsonObject person = new JsonObject().put("email", "bench@demo.example").put("first_name", "Ben").put("last_name", "Ch");
            String idToken = new JsonObject(post("/auth/demo/id-token", person, null).body()).getString("idToken");
            this.token = new JsonObject(post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null).body()).getString("accessToken");
        }

        HttpResponse<String> draft(JsonObject one) {
            JsonArray documents = new JsonArray(one.getJsonArray("documents").stream().map(text -> object((String) text)).toList());
            JsonArray exhibits = new JsonArray(one.getJsonArray("exhibits").stream().map(JsonObject.class::cast)
                    .map(exhibit -> object(exhibit.getString("text")).put("number", exhibit.getString("number"))
                            .put("description", exhibit.getString("description")).put("party", exhibit.getString("party"))).toList());
            return post("/ai/generate-award", new JsonObject().put("documents", documents).put("exhibits", exhibits), token);
        }

        private JsonObject object(String text) {
            String path = "evidence/bench/%d.txt".formatted(++stored);
            try {
                Files.createDirectories(objects.resolve("evidence/bench"));
                Files.writeString(objects.resolve(path), text);
            } catch (IOException failed) {
                throw new BenchFailed("%s could not be written: %s".formatted(objects.resolve(path), failed.getMessage()));
            }
            return new JsonObject().put("gsUrl", "file://" + path).put("contentType", "text/plain");
        }

        /** As the model's server counts them; zero where it doesn't. */
        long tokens() {
            Matcher lines = TOKENS.matcher(send(HttpRequest.newBuilder(URI.create(management + "/metrics")).GET()).body());
            double tokens = 0;
            while (lines.find()) {
                tokens += Double.parseDouble(lines.group(2));
            }
            return Math.round(tokens);
        }

        private HttpResponse<String> post(String path, JsonObject body, String bearer) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(Json.encode(body)));
            if (bearer != null) {
                request.header("Authorization", "Bearer " + bearer);
            }
            return send(request);
        }

        private HttpResponse<String> send(HttpRequest.Builder request) {
            try {
                return client.send(request.timeout(ANSWER_WAIT).build(), HttpResponse.BodyHandlers.ofString());
            } catch (IOException failed) {
                throw new BenchFailed("the platform did not answer: " + failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new BenchFailed("interrupted");
            }
        }
    }
}
