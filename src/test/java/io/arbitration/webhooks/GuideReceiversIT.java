package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.webhooks.sending.SigningSecret;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The receivers of the guide, as they stand there, run against the platform. */
class GuideReceiversIT {

    private static final Path GUIDE = Path.of("docs/guides/receive-webhooks.md");

    /** A language of the guide: how its receiver is run, and how to tell that it can be here. */
    enum Language {
        JAVA("java", "Receiver.java", List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "Receiver.java"),
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--version")),
        PYTHON("python", "receiver.py", List.of("python3", "receiver.py"), List.of("python3", "-c", "'x'.removeprefix('x')")),
        /** Under the name that every Node.js runs: the guide says that the text is JavaScript as well. */
        TYPESCRIPT("typescript", "receiver.mjs", List.of("node", "receiver.mjs"), List.of("node", "--version")),
        GO("go", "receiver.go", List.of("go", "run", "receiver.go"), List.of("go", "version"));

        private final String fence;
        private final String file;
        private final List<String> run;
        private final List<String> probe;

        Language(String fence, String file, List<String> run, List<String> probe) {
            this.fence = fence;
            this.file = file;
            this.run = run;
            this.probe = probe;
        }

        boolean isHere() throws InterruptedException {
            try {
                Process process = new ProcessBuilder(probe).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
                return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
            } catch (IOException notInstalled) {
                return false;
            }
        }

        String source() throws IOException {
            Matcher block = Pattern.compile("```" + fence + "\n(.*?)\n```", Pattern.DOTALL).matcher(Files.readString(GUIDE));
            assertThat(block.find()).as("%s in %s", fence, GUIDE).isTrue();
            return block.group(1);
        }
    }

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Language.class)
    void theReceiverTakesWhatIsSignedAndRefusesTheRest(Language language) throws Exception {
        if (!language.isHere()) {
            System.out.printf("skipped: no runtime for the %s receiver of the guide on this machine (tried %s)%n", language.fence, String.join(" ", language.probe));
        }
        Assumptions.assumeTrue(language.isHere(), "no runtime for " + language.fence);
        Files.writeString(folder.resolve(language.file), language.source());
        Hooked hooked = Hooked.on(RunningPlatform.shared());
        int port = FreePort.any();
        String url = "http://127.0.0.1:%d/hook".formatted(port);
        String secret = hooked.register(url);
        ProcessBuilder builder = new ProcessBuilder(language.run).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put("WEBHOOK_SECRET", secret);
        builder.environment().put("PORT", String.valueOf(port));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process receiver = builder.start();
        try {
            awaitListening(receiver, url);
            String entryId = hooked.docket();
            Hooked.await(() -> output().contains("\"entryID\":\"" + entryId + "\"") ? true : null, this::output);
            hooked.log(1);
            // Signed with both secrets, and the receiver knows the old one.
            Hooked.ok(hooked.post("/urls/rotate-secret", new JsonObject().put("url", url)));
            assertThat(Hooked.ok(hooked.post("/urls/test", new JsonObject().put("url", url))).sentence()).startsWith("Test event delivered: the URL answered 204");
            checkRefusals(url, SigningSecret.parse(secret));
        } finally {
            receiver.descendants().forEach(ProcessHandle::destroyForcibly);
            receiver.destroyForcibly();
        }
    }

    private void checkRefusals(String url, SigningSecret secret) throws Exception {
        long now = System.currentTimeMillis() / 1000;
        String body = "{\"n\":\"ünïcode\"}";
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String good = secret.signature("e1", now, bytes);
        assertThat(post(url, "e1", now, good, body)).isEqualTo(204);
        assertThat(post(url, "e1", now, "v1,AAAA " + good, body)).isEqualTo(204);
        assertThat(post(url, "e1", now, good, body + " ")).isEqualTo(401);
        assertThat(post(url, "e2", now, good, body)).isEqualTo(401);
        assertThat(post(url, "e1", now + 1, good, body)).isEqualTo(401);
        assertThat(post(url, "e1", now, good.substring(3), body)).isEqualTo(401);
        assertThat(post(url, "e1", now - 400, secret.signature("e1", now - 400, bytes), body)).isEqualTo(401);
        assertThat(post(url, "e1", now + 400, secret.signature("e1", now + 400, bytes), body)).isEqualTo(401);
        HttpRequest unsigned = HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.ofString(body)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(unsigned, HttpResponse.BodyHandlers.discarding()).statusCode()).isEqualTo(401);
        }
    }

    private static int post(String url, String id, long timestamp, String signature, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60))
                .header("webhook-id", id).header("webhook-timestamp", String.valueOf(timestamp)).header("webhook-signature", signature)
                .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    private void awaitListening(Process receiver, String url) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(120).toNanos();
        while (true) {
            try {
                post(url, "probe", 0, "none", "");
                return;
            } catch (ConnectException notYet) {
                assertThat(receiver.isAlive() && System.nanoTime() < end).as(output()).isTrue();
                receiver.waitFor(20, TimeUnit.MILLISECONDS);
            }
        }
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output"));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
