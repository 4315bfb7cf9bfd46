package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShutdownIT {

    private static final int CLIENTS = 16;

    @TempDir
    private Path folder;

    /** Every change that the database keeps was answered: a client is never left to wonder about one that was made. */
    @Test
    void noRequestThatWasAcceptedLosesItsAnswer() throws Exception {
        RunningPlatform platform = RunningPlatform.start(folder, Map.of());
        String token = platform.signIn("drain@example.org", "D", "R").token();
        Queue<String> answered = new ConcurrentLinkedQueue<>();
        Queue<Integer> odd = new ConcurrentLinkedQueue<>();
        CountDownLatch busy = new CountDownLatch(50 * CLIENTS);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> loops = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                HttpClient.Version version = i % 2 == 0 ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2;
                String name = "case " + i + " ";
                loops.add(clients.submit(() -> createUntilRefused(platform.url(), version, token, name, answered, odd, busy)));
            }
            busy.await();
            platform.close();
            for (Future<?> loop : loops) {
                loop.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(odd).as("answers other than 200 while draining").isEmpty();
        try (RunningPlatform again = RunningPlatform.start(folder, Map.of())) {
            Set<String> kept = new HashSet<>();
            again.rows("select title from cases.cases where title like 'case %'").forEach(row -> kept.add(row.getFirst()));
            assertThat(kept).hasSizeGreaterThan(49 * CLIENTS).isEqualTo(new HashSet<>(answered));
        }
    }

    private static void createUntilRefused(String url, HttpClient.Version version, String token, String name, Queue<String> answered,
            Queue<Integer> odd, CountDownLatch busy) {
        try (HttpClient client = HttpClient.newBuilder().version(version).connectTimeout(Duration.ofSeconds(5)).build()) {
            for (int n = 0; ; n++) {
                String body = new JsonObject().put("title", name + n).put("ruleSet", "commercial").encode();
                HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/cases/cases/create")).timeout(Duration.ofSeconds(60))
                        .header("Authorization", "Bearer " + token).header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)).build();
                HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    answered.add(name + n);
                } else {
                    odd.add(answer.statusCode());
                }
                busy.countDown();
            }
        } catch (IOException closed) {
            // The platform is gone: what this client asked last was either refused or never read.
            busy.countDown();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aRequestThatWaitsInTheDatabaseIsAnswered() throws Exception {
        RunningPlatform platform = RunningPlatform.start(folder, Map.of());
        RunningPlatform.Person person = platform.signIn("slow@example.org", "S", "L");
        CompletableFuture<Void> closed;
        CompletableFuture<Integer> status;
        String ready = "http://localhost:" + platform.platform().managementPort() + "/health/ready";
        try (Connection lock = platform.sql(); Statement statement = lock.createStatement()) {
            lock.setAutoCommit(false);
            statement.execute("lock table identity.users in access exclusive mode");
            status = CompletableFuture.supplyAsync(() -> platform.post("/auth/users/update", "{\"first_name\":\"Slow\"}", person.token()).status());
            try (Connection other = platform.sql(); Statement watch = other.createStatement()) {
                Await.until(() -> waiting(watch) > 0);
            }
            closed = CompletableFuture.runAsync(platform::close);
            Await.until(() -> health(ready) == 503);
            assertThat(status).isNotDone();
            lock.commit();
        }
        assertThat(status.get(60, TimeUnit.SECONDS)).isEqualTo(200);
        closed.get(60, TimeUnit.SECONDS);
    }

    private static int waiting(Statement statement) {
        try (var rows = statement.executeQuery("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")) {
            rows.next();
            return rows.getInt(1);
        } catch (java.sql.SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static int health(String url) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString()).statusCode();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
