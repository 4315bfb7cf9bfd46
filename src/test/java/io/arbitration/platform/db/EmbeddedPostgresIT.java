package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.PlatformProgram;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.StartFailure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresIT {

    @TempDir
    private Path folder;

    /** What was answered before the process was killed is there after the next start, which ends the server left behind. */
    @Test
    void whatWasAnsweredSurvivesAKill() throws Exception {
        Queue<String> answered = new ConcurrentLinkedQueue<>();
        int port = FreePort.any();
        Process node = node(port);
        try {
            String url = "http://localhost:" + port;
            awaitServing(url, node);
            String token = signIn(url);
            CountDownLatch busy = new CountDownLatch(200);
            try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 6; i++) {
                    String name = "kept " + i + "-";
                    clients.submit(() -> createUntilGone(url, token, name, answered, busy));
                }
                assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
                node.destroyForcibly().waitFor();
            }
        } finally {
            node.destroyForcibly();
        }
        long leftBehind = Long.parseLong(Files.readAllLines(folder.resolve("postgres/postmaster.pid")).getFirst().strip());
        assertThat(ProcessHandle.of(leftBehind)).as("the server outlives the killed platform").isPresent();
        try (RunningPlatform again = RunningPlatform.start(folder, Map.of())) {
            assertThat(ProcessHandle.of(leftBehind).filter(ProcessHandle::isAlive)).isEmpty();
            List<String> kept = again.rows("select title from cases.cases").stream().map(List::getFirst).toList();
            assertThat(kept).hasSizeGreaterThanOrEqualTo(200).containsAll(answered);
            assertThat(again.rows("select 1 from cases.cases c where not exists (select from cases.participants p where p.case_id = c.case_id)"))
                    .as("cases without the participant that was written with them").isEmpty();
        }
    }

    private Process node(int port) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(PlatformProgram.command(PlatformProgram.USUAL_HEAP_MEGABYTES));
        builder.command().add("run");
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_"));
        builder.environment().putAll(Map.of("ACP_PROFILE", "demo", "ACP_HTTP_PORT", String.valueOf(port), "ACP_MANAGEMENT_PORT", "0",
                "ACP_DATA_FOLDER", folder.toString()));
        return builder.redirectErrorStream(true).redirectOutput(folder.resolve("node.log").toFile()).start();
    }

    private static void awaitServing(String url, Process node) {
        Await.until(() -> {
            assertThat(node.isAlive()).isTrue();
            try {
                return send(url + "/auth/.well-known/jwks.json", null, null).statusCode() == 200;
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    private static String signIn(String url) throws IOException {
        JsonObject person = new JsonObject().put("email", "kill@example.org").put("first_name", "K").put("last_name", "L");
        String idToken = new JsonObject(send(url + "/auth/demo/id-token", person, null).body()).getString("idToken");
        return new JsonObject(send(url + "/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null).body()).getString("accessToken");
    }

    private static HttpResponse<String> send(String url, JsonObject body, String token) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(20));
        if (body != null) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body.encode()));
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    private static void createUntilGone(String url, String token, String name, Queue<String> answered, CountDownLatch busy) {
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int n = 0; ; n++) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/cases/cases/create")).timeout(Duration.ofSeconds(20))
                        .header("Content-Type", "application/json").header("Authorization", "Bearer " + token)
                        .POST(HttpRequest.BodyPublishers.ofString(new JsonObject().put("title", name + n).put("ruleSet", "commercial").encode())).build();
                if (client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200) {
                    answered.add(name + n);
                }
                busy.countDown();
            }
        } catch (IOException killed) {
            busy.countDown();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void theServerIsDurableGuardedAndGoesWithThePlatform() throws Exception {
        int port;
        try (RunningPlatform platform = RunningPlatform.startFromNothing(folder, Map.of())) {
            port = Integer.parseInt(platform.rows("show port").getFirst().getFirst());
            assertThat(platform.rows("show fsync")).containsExactly(List.of("on"));
            assertThat(platform.rows("show synchronous_commit")).containsExactly(List.of("on"));
            assertThat(platform.rows("show full_page_writes")).containsExactly(List.of("on"));
            assertThat(platform.rows("show listen_addresses")).containsExactly(List.of("127.0.0.1"));
            assertThat(platform.rows("show server_version").getFirst().getFirst()).startsWith("18");
            String url = "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port);
            for (String guess : new String[] {"", "postgres", "wrong"}) {
                assertThatThrownBy(() -> DriverManager.getConnection(url, "postgres", guess)).as(guess).isInstanceOf(SQLException.class);
            }
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("postgres.password")))).isEqualTo("rw-------");

            assertThatThrownBy(() -> RunningPlatform.start(folder, Map.of())).isInstanceOf(DataFolderInUse.class)
                    .hasMessage("data.folder: %s is in use by another platform; give this one its own ACP_DATA_FOLDER, or an ACP_DATABASE_URL".formatted(folder));
        }
        assertThatThrownBy(() -> new java.net.Socket(InetAddress.getByName("127.0.0.1"), port).close()).isInstanceOf(IOException.class);
        assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void aServerThatDiesAloneIsStartedAgainUnderTheRunningPlatform() throws Exception {
        try (RunningPlatform platform = RunningPlatform.start(folder, Map.of())) {
            RunningPlatform.Person claimant = platform.signIn("revival@example.org", "R", "V");
            JsonObject opening = new JsonObject().put("title", "before").put("ruleSet", "commercial");
            assertThat(platform.post("/cases/cases/create", opening, claimant.token()).status()).isEqualTo(200);
            long postmaster = Long.parseLong(Files.readAllLines(folder.resolve("postgres/postmaster.pid")).getFirst().strip());
            assertThat(ProcessHandle.of(postmaster).orElseThrow().destroyForcibly()).isTrue();
            Await.until(() -> ProcessHandle.of(postmaster).filter(ProcessHandle::isAlive).isEmpty());
            // A connection whose server process has not noticed yet that its postmaster is gone may answer once more.
            RunningPlatform.Answer listed = Await.value("the platform finds its database again", () -> {
                RunningPlatform.Answer answer = platform.post("/cases/cases/list", "{}", claimant.token());
                return answer.status() == 200 ? answer : null;
            });
            assertThat(listed.object().getJsonArray("cases")).hasSize(1);
            Await.until(() -> platform.post("/cases/cases/create", opening, claimant.token()).status() == 200);
        }
        assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void aPortThatIsTakenIsNamedAtOnce() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> RunningPlatform.start(folder, Map.of("ACP_DATABASE_EMBEDDED_PORT", String.valueOf(taken.getLocalPort()))))
                    .isInstanceOf(StartFailure.class).hasMessageStartingWith("database.embeddedPort: %d cannot be listened on".formatted(taken.getLocalPort()));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
        }
    }

    /** A backup may bring back the data without the mark beside it: it must not be taken for rubbish. */
    @Test
    void dataWithoutItsMarkIsSetAsideAndNotRemoved() throws Exception {
        Files.createDirectories(folder.resolve("postgres"));
        Files.writeString(folder.resolve("postgres/precious"), "data");
        try (EmbeddedPostgres server = EmbeddedPostgres.start(folder, 0)) {
            assertThat(server.url().port()).isPositive();
        }
        try (var names = Files.list(folder)) {
            List<Path> aside = names.filter(path -> path.getFileName().toString().startsWith("postgres.unfinished-")).toList();
            assertThat(aside).hasSize(1);
            assertThat(aside.getFirst().resolve("precious")).hasContent("data");
        }
    }
}
