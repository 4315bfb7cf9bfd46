package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary with a hot standby that takes its place: by hand, at an address that leads to the one and then to the other. */
class FailoverIT {

    private static final int WRITERS = 3;
    private static final int CASES_ON_EACH_SIDE = 15;
    /** Without a pause, writers that are refused take the processors from all other tests. */
    private static final Duration BEFORE_THE_NEXT_ATTEMPT = Duration.ofMillis(100);

    @TempDir
    private Path folder;

    private EmbeddedPostgres primary;
    private EmbeddedPostgres standby;
    private Relay address;
    private RunningPlatform platform;

    @BeforeEach
    void start() throws Exception {
        int port = FreePort.any();
        server("primary", port).close();
        copy(folder.resolve("primary"), folder.resolve("standby"));
        Files.createFile(folder.resolve("standby/standby.signal"));
        Files.writeString(folder.resolve("standby/postgresql.auto.conf"), "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres application_name=standby'%n"
                .formatted(port), StandardOpenOption.APPEND);
        primary = server("primary", port);
        standby = server("standby", 0);
        address = new Relay(port);
        platform = RunningPlatform.start(folder.resolve("data"), Map.of("ACP_DATABASE_URL",
                "postgresql://postgres:x@127.0.0.1:%d/postgres?sslmode=disable".formatted(address.port())));
        Await.until("the standby has all", () -> one(primary, "select count(*) from pg_stat_replication where replay_lsn = pg_current_wal_lsn()").equals("1"));
    }

    @AfterEach
    void stop() throws IOException {
        platform.close();
        address.close();
        standby.close();
        primary.close();
    }

    private EmbeddedPostgres server(String name, int port) throws IOException {
        ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile());
        // The builder's own default is off, as for servers that lose nothing of worth.
        return EmbeddedPostgres.builder().setDataDirectory(folder.resolve(name)).setCleanDataDirectory(false).setPort(port)
                .setServerConfig("max_connections", "60").setServerConfig("synchronous_commit", "on").setOutputRedirector(log).setErrorRedirector(log).start();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** The first column of the first row. */
    private static String one(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:%d/postgres".formatted(server.getPort()), "postgres", "x");
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            ResultSet rows = statement.getResultSet();
            rows.next();
            return rows.getString(1);
        }
    }

    private void waitForStandby() throws SQLException {
        one(primary, "alter system set synchronous_standby_names = 'standby'");
        one(primary, "select pg_reload_conf()");
        Await.until("commits wait for the standby", () -> one(primary, "select count(*) from pg_stat_replication where sync_state = 'sync'").equals("1"));
    }

    /** The machine of the primary is gone at once: nothing that it says later arrives. */
    private void loseThePrimary() throws IOException {
        address.silence();
        long postmaster = Long.parseLong(Files.readAllLines(folder.resolve("primary/postmaster.pid")).getFirst());
        ProcessHandle.of(postmaster).orElseThrow().destroyForcibly();
    }

    private void promoteTheStandby() throws SQLException, IOException {
        assertThat(one(standby, "select pg_promote()")).isEqualTo("t");
        address.leadTo(standby.getPort());
    }

    private Answer create(String key, String token) {
        return platform.post("/cases/cases/create", new JsonObject().put("title", key).put("ruleSet", "commercial"), token, "Idempotency-Key", key);
    }

    private int status(String caseId, String token) {
        return platform.post("/cases/cases/view", new JsonObject().put("caseID", caseId), token).status();
    }

    /**
     * A key that was claimed on the primary, and of whose claim the platform never learned, is in flight until its lease of two minutes ends. Ends such
     * leases, as if that time had passed.
     */
    private void endLeasesFromBefore(Instant lost) throws SQLException {
        one(standby, "update platform.idempotency set claimed_at = claimed_at - interval '2 minutes' where answer is null and claimed_at < '%s'".formatted(lost));
    }

    /** With {@code synchronous_standby_names} on the primary. */
    @Test
    void whatWasAnsweredIsThereAfterTheStandbyHasTakenOverAndWhatWasNotIsDoneOnceWhenItIsSentAgain() throws Exception {
        waitForStandby();
        OpenCase open = OpenCase.on(platform);
        open.docketed(new JsonObject());
        String token = open.claimant().token();
        Map<String, String> answered = new ConcurrentHashMap<>();
        // Of the last commit before the end a client may learn only that it was made.
        Queue<String> answerLost = new ConcurrentLinkedQueue<>();
        Queue<Answer> refused = new ConcurrentLinkedQueue<>();
        AtomicBoolean enough = new AtomicBoolean();
        List<CompletableFuture<Void>> writers = IntStream.range(0, WRITERS).mapToObj(writer -> CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                String key = UUID.randomUUID().toString();
                Answer answer = create(key, token);
                while (answer.status() != 200 && !"idempotency.answer-lost".equals(answer.header("Error-Code"))) {
                    refused.add(answer);
                    Await.elapsed(BEFORE_THE_NEXT_ATTEMPT);
                    answer = create(key, token);
                }
                if (answer.status() == 200) {
                    answered.put(key, answer.object().getString("caseID"));
                } else {
                    answerLost.add(key);
                }
            }
        }, Thread::startVirtualThread)).toList();
        Await.until(() -> answered.size() >= CASES_ON_EACH_SIDE);
        loseThePrimary();
        Instant lost = Instant.now();
        Await.until("the platform notices", () -> !platform.health().getString("status").equals("UP"));
        promoteTheStandby();
        Await.until("the platform goes on by itself", () -> platform.health().getString("status").equals("UP"));
        endLeasesFromBefore(lost);
        int before = answered.size();
        Await.until(() -> answered.size() >= before + CASES_ON_EACH_SIDE);
        enough.set(true);
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get(180, TimeUnit.SECONDS);
        // Nobody needs to be refused: what was lost before its commit was sent is tried again.
        assertThat(refused).extracting(answer -> answer.header("Error-Code"))
                .isSubsetOf("database.unavailable", "overloaded", "idempotency.in-flight", "node.out-of-service");
        assertThat(answerLost).hasSizeLessThanOrEqualTo(WRITERS);
        answered.forEach((key, caseId) -> assertThat(status(caseId, token)).as("%s of the key %s", caseId, key).isEqualTo(200));
        String[] keys = Stream.concat(answered.keySet().stream(), answerLost.stream()).toArray(String[]::new);
        assertThat(platform.rows("select count(*), count(distinct title) from cases.cases where title = any (?)", (Object) keys))
                .as("one case for each key").containsExactly(List.of(String.valueOf(keys.length), String.valueOf(keys.length)));
        open.docketed(new JsonObject());
        assertThat(open.on("/api/docket/verify", open.claimant(), new JsonObject()).object().getMap()).containsEntry("valid", true).containsEntry("entries", 2);
    }

    @Test
    void whileASynchronousStandbyIsAwayNoWriteIsAnsweredAndNoneIsLost() throws Exception {
        waitForStandby();
        String token = platform.administrator().token();
        int port = standby.getPort();
        standby.close();
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> create("waits", token), Thread::startVirtualThread);
        Await.until("a commit waits for the standby", () -> !one(primary, "select count(*) from pg_stat_activity where wait_event = 'SyncRep'").equals("0"));
        assertThat(waiting).isNotDone();
        standby = server("standby", port);
        assertThat(waiting.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
    }

    /** What the guide tells an operator to expect of a standby that commits do not wait for. */
    @Test
    void withoutWaitingForTheStandbyWhatItHasNotGotIsLostAndThePlatformGoesOnFromWhatItHas() throws Exception {
        String token = platform.administrator().token();
        String kept = create("kept", token).object().getString("caseID");
        Await.until("the standby has it", () -> one(standby, "select count(*) from cases.cases").equals("1"));
        int port = standby.getPort();
        standby.close();
        String lost = create("lost", token).object().getString("caseID");
        assertThat(status(lost, token)).isEqualTo(200);
        loseThePrimary();
        standby = server("standby", port);
        promoteTheStandby();
        Await.until("the platform goes on by itself", () -> platform.health().getString("status").equals("UP"));
        assertThat(status(kept, token)).isEqualTo(200);
        assertThat(status(lost, token)).isEqualTo(404);
        Answer again = create("lost", token);
        assertThat(again.status()).isEqualTo(200);
        assertThat(status(again.object().getString("caseID"), token)).isEqualTo(200);
    }
}
