package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.ExpiredHttps;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An object store, brokers, an identity provider, a model, a mailbox and a collector of traces with an expired certificate of no authority. None of them
 * is told anything, the platform says what is wrong, and it serves what needs none of them.
 */
class UntrustedCertificatesIT {

    private static final List<String> PARTS = List.of("objects", "kafka", "identityProvider.stranger", "model", "traces", "bounces");

    @TempDir
    private static Path folder;
    private static ExpiredHttps stranger;
    private static RunningPlatform platform;

    @BeforeAll
    static void start() throws Exception {
        stranger = ExpiredHttps.start(folder);
        String host = "localhost:" + stranger.port();
        JsonObject provider = new JsonObject().put("issuer", "https://" + host).put("audiences", new JsonArray().add("client")).put("clientID", "client")
                .put("jwksUrl", "https://" + host + "/keys").put("algorithms", new JsonArray().add("RS256"));
        platform = RunningPlatform.start(Files.createDirectories(folder.resolve("data")), Map.ofEntries(
                Map.entry("ACP_IDENTITY_PROVIDERS", new JsonObject().put("stranger", provider).encode()),
                Map.entry("ACP_OBJECTS_BUCKETS", "s3://records,file://evidence"), Map.entry("ACP_OBJECTS_S3_ENDPOINT", "https://" + host),
                Map.entry("ACP_OBJECTS_S3_ACCESS_KEY_ID", "platform"), Map.entry("ACP_OBJECTS_S3_SECRET_ACCESS_KEY", "the-secret-key"),
                Map.entry("ACP_KAFKA_BOOTSTRAP_SERVERS", host), Map.entry("ACP_KAFKA_PROPERTIES", new JsonObject().put("security.protocol", "SSL").encode()),
                Map.entry("ACP_AI_BASE_URL", "https://" + host + "/v1"), Map.entry("ACP_AI_API_KEY", "the-other-key"),
                Map.entry("ACP_TELEMETRY_TRACES_ENDPOINT", "https://" + host), Map.entry("ACP_EMAILS_RETURN_PATH", "bounces@mail.example.org"),
                Map.entry("ACP_EMAILS_BOUNCES_POLL_SECONDS", "1"),
                Map.entry("ACP_EMAILS_BOUNCES_IMAP_URL", "imaps://bounces:the-third-key@" + host + "/INBOX")));
    }

    @AfterAll
    static void stop() {
        platform.close();
        stranger.close();
    }

    private static JsonObject health() throws Exception {
        URI uri = URI.create("http://127.0.0.1:%d/health/ready".formatted(platform.platform().managementPort()));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return new JsonObject(client.send(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString()).body());
        }
    }

    @Test
    void noneIsToldAnythingTheReasonIsNamedAndTheRestIsServed() throws Exception {
        OpenCase open = OpenCase.on(platform);
        Answer upload = Form.of(open.caseId(), "contract", "").file("a.pdf", "application/pdf", "%PDF-1.7".getBytes(StandardCharsets.US_ASCII))
                .post(platform, open.claimant().token());
        assertThat(upload.status()).as(upload.body()).isEqualTo(503);
        assertThat(platform.get("/auth/login/stranger").status()).isEqualTo(503);
        String address = "file://evidence/awards/claim.txt";
        Files.createDirectories(platform.objectFile(address).getParent());
        Files.writeString(platform.objectFile(address), "The claimant wants the price of a crane.");
        Answer award = platform.post("/ai/generate-award", new JsonObject().put("documents", new JsonArray().add(new JsonObject().put("gsUrl", address)
                .put("contentType", "text/plain"))).put("exhibits", new JsonArray()), open.arbitrator().token());
        assertThat(award.status()).as(award.body()).isEqualTo(502);
        JsonObject health = Await.value("all are seen to be no good", () -> {
            JsonObject seen = health();
            return PARTS.stream().allMatch(part -> seen.getJsonObject("parts").getString(part).equals("DOWN")) ? seen : null;
        });
        assertThat(health.getString("status")).isEqualTo("UP");
        assertThat(PARTS).allSatisfy(part -> assertThat(health.getJsonObject("troubles").getString(part)).as(part).containsIgnoringCase("certif"));
        open.docketed(new JsonObject());
        assertThat(stranger.asked()).as("requests that reached the stranger").isZero();
    }
}
