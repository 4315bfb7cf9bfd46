package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
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
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** slowhttptest, a Debian package, against a node with TLS and the rates of production. Skipped, with the reason printed, where it is not to be had. */
class SlowhttptestIT {

    private static final int ATTACK_SECONDS = 5;
    /** The ways of being slow: heads, bodies, many ranges of one file, and readers. */
    private static final Map<String, List<String>> SLOW = Map.of(
            "heads", List.of("-H", "-i", "2", "-t", "GET", "-x", "24"),
            "bodies", List.of("-B", "-i", "2", "-t", "POST", "-s", "8192", "-x", "10"),
            "ranges", List.of("-R", "-t", "HEAD", "-a", "10", "-b", "3000"),
            "readers", List.of("-X", "-n", "2", "-w", "10", "-y", "20", "-z", "32", "-k", "3"));

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;
    private static HttpClient elsewhere;

    @BeforeAll
    static void start() throws Exception {
        ServerCertificate certificate = ServerCertificate.in(folder);
        Map<String, String> settings = new HashMap<>(certificate.settings());
        settings.put("ACP_RATE_LIMIT_ENABLED", "true");
        platform = RunningPlatform.start(folder.resolve("data"), settings);
        elsewhere = HttpClient.newBuilder().sslContext(certificate.trusting()).localAddress(InetAddress.getByName("127.0.0.2")).build();
    }

    @AfterAll
    static void stop() {
        platform.close();
        elsewhere.close();
    }

    private static URI at(String path) {
        return URI.create("https://localhost:" + platform.platform().port() + path);
    }

    private static boolean isOnPath(String program) {
        return List.of(System.getenv("PATH").split(":")).stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Somebody from another address signs in: two calls, of which one writes. */
    private static void signIn() throws IOException, InterruptedException {
        String idToken = answer("/auth/demo/id-token", new JsonObject().put("email", UUID.randomUUID() + "@example.org").put("first_name", "H").put("last_name", "O"))
                .getString("idToken");
        assertThat(answer("/auth/authenticate/demo", new JsonObject().put("idToken", idToken)).getString("accessToken")).isNotEmpty();
    }

    private static JsonObject answer(String path, JsonObject body) throws IOException, InterruptedException {
        HttpResponse<String> answer = elsewhere.send(HttpRequest.newBuilder(at(path)).timeout(Duration.ofSeconds(60)).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.encode())).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static Process run(List<String> command, Path output) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }

    @Test
    void slowClientsOfEveryKindLeaveTheNodeToOthers() throws Exception {
        boolean there = isOnPath("slowhttptest");
        if (!there) {
            System.out.println("skipped: no slowhttptest on this machine (Debian: apt install slowhttptest)");
        }
        Assumptions.assumeTrue(there, "no slowhttptest on this machine");
        signIn();
        for (Map.Entry<String, List<String>> slow : SLOW.entrySet()) {
            List<String> command = new ArrayList<>(List.of("slowhttptest", "-c", "300", "-r", "45", "-p", "3", "-l", String.valueOf(ATTACK_SECONDS), "-u", at("/docs").toString()));
            command.addAll(slow.getValue());
            Path output = folder.resolve(slow.getKey());
            Process attack = run(command, output);
            try {
                long longest = 0;
                int served = 0;
                while (attack.isAlive()) {
                    long begun = System.nanoTime();
                    signIn();
                    longest = Math.max(longest, System.nanoTime() - begun);
                    served++;
                    // Below the rate of an address.
                    attack.waitFor(200, TimeUnit.MILLISECONDS);
                }
                System.out.printf("beside slow %s: %d sign-ins of somebody else, the longest %d ms%n", slow.getKey(), served, longest / 1_000_000);
                assertThat(served).isPositive();
            } finally {
                attack.destroyForcibly();
            }
            // It has connected and come to its end: an attack that did not take place proves nothing.
            assertThat(Files.readString(output).replaceAll("\u001B\\[[0-9;]*[A-Za-z]", "")).as(slow.getKey())
                    .containsPattern("(connected|closed): +[1-9]").contains("Exit status:");
        }
        signIn();
    }
}
