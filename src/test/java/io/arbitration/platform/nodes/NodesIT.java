package io.arbitration.platform.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.SignedJWT;
import io.arbitration.Await;
import io.arbitration.DefinitionsCopy;
import io.arbitration.MovableClock;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.DocketInvariants;
import io.arbitration.mainapi.live.StreamClient;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.db.Freshness;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes on one database that do not agree, and a database or a clock that are not as they should be. */
class NodesIT {

    private static final String SECRET = "a secret of thirty-two characters or more";

    @TempDir
    private static Path folder;

    private static RunningPlatform first;

    @BeforeAll
    static void open() throws IOException {
        first = RunningPlatform.start(folder.resolve("first"), clustered(SECRET));
    }

    private static Map<String, String> clustered(String secret) throws IOException {
        return Map.of("ACP_CLUSTER_ENABLED", "true", "ACP_CLUSTER_HOST", "127.0.0.1", "ACP_CLUSTER_PORT", String.valueOf(FreePort.any()),
                "ACP_CLUSTER_BUS_PORT", "0", "ACP_CLUSTER_SECRET", secret);
    }

    @AfterAll
    static void close() {
        first.close();
    }

    private static Path changedDefinitions() {
        return DefinitionsCopy.in(folder.resolve("definitions")).replace("rule-sets/expedited.yaml", "allowed: [7, 14, 21, 30]", "allowed: [7, 14]").folder();
    }

    private static Answer create(RunningPlatform platform, int days) {
        return platform.post("/cases/cases/create", new JsonObject().put("title", "A v. B").put("ruleSet", "expedited").put("responseDeadlineDays", days),
                platform.administrator().token());
    }

    /** One node after the other: refused beside another, then in the place of it, and the other serves again once it is gone. */
    @Test
    void ofTwoNodesWithDifferentDefinitionsNeverBothServe() throws Exception {
        String definitions = changedDefinitions().toString();
        assertThatThrownBy(() -> first.sibling(folder.resolve("refused"), Map.of("ACP_DEFINITIONS_FOLDER", definitions))).isInstanceOf(StartFailure.class)
                .hasMessageStartingWith("definitions.folder: the definitions are not those of the node ")
                .hasMessageEndingWith(", which runs on this database; with definitions.replace they take their place, and that node stops serving");
        assertThat(create(first, 21).status()).isEqualTo(200);

        try (RunningPlatform second = first.sibling(folder.resolve("second"), Map.of("ACP_DEFINITIONS_FOLDER", definitions, "ACP_DEFINITIONS_REPLACE", "true"))) {
            assertThat(first.post("/cases/cases/view", new JsonObject(), "x")).satisfies(refused -> {
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.header("Error-Code")).isEqualTo("node.out-of-service");
                assertThat(refused.header("Retry-After")).isEqualTo("1");
            });
            assertThat(first.health().getString("status")).isEqualTo("DOWN");
            assertThat(first.health().getJsonObject("parts").getString("definitions")).isEqualTo("SUPERSEDED");
            assertThat(first.health().getJsonObject("troubles").getString("definitions")).contains("other definitions");
            assertThat(create(second, 14).status()).isEqualTo(200);
            assertThat(create(second, 21).status()).isEqualTo(400);
            assertThat(second.health().getString("status")).isEqualTo("UP");
        }
        try (RunningPlatform third = first.sibling(folder.resolve("third"), Map.of("ACP_DEFINITIONS_REPLACE", "true"))) {
            assertThat(create(third, 21).status()).isEqualTo(200);
            Await.until(() -> first.health().getString("status").equals("UP"));
            assertThat(create(first, 21).status()).isEqualTo(200);
        }
    }

    @Test
    void aNodeWithAnotherSecretOfTheClusterDoesNotStart() {
        assertThatThrownBy(() -> first.sibling(folder.resolve("stranger"), clustered("another secret of thirty-two characters")))
                .isInstanceOf(StartFailure.class).hasMessageStartingWith("cluster.secret: is not that of the node ").hasMessageNotContaining("another secret");
    }

    @Test
    void aNodeWhoseClockIsWrongDoesNotStartAndSaysByHowMuch() {
        Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(5));
        Clock behind = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-5));
        assertThatThrownBy(() -> sibling("ahead", ahead, "30")).isInstanceOf(StartFailure.class)
                .hasMessageMatching("database\\.clockSkewSeconds: the clock of this machine is (29[5-9]|30[0-5]) s ahead of that of the database, more than the 30 s that are allowed");
        assertThatThrownBy(() -> sibling("behind", behind, "30")).isInstanceOf(StartFailure.class).hasMessageContaining(" s behind that of the database");
    }

    private static RunningPlatform sibling(String name, Clock clock, String skew) {
        return first.sibling(folder.resolve(name), Map.of("ACP_DATABASE_CLOCK_SKEW_SECONDS", skew), clock);
    }

    @Test
    void theDocketGoesForwardAlsoWhenTheClocksOfNodesDiffer() throws Exception {
        try (RunningPlatform ahead = sibling("twenty", Clock.offset(Clock.systemUTC(), Duration.ofSeconds(20)), "30")) {
            OpenCase open = OpenCase.on(first);
            OpenCase there = new OpenCase(ahead, open.caseId(), open.claimant(), open.colleague(), open.observer(), open.respondent(), open.manager(),
                    open.arbitrator(), open.outsider());
            there.docketed(new JsonObject());
            open.docketed(new JsonObject());
            there.docketed(new JsonObject());
            try (Connection sql = first.sql()) {
                assertThat(DocketInvariants.violations(sql, open.caseId(), Map.of("noticeToParties", 500, "letterToTribunal", 50))).isEmpty();
            }
        }
    }

    /** On the bus and without it: both come by the database. */
    @Test
    void whatIsRevokedAndNewKeysReachEveryNodeInSeconds() throws Exception {
        MovableClock clock = new MovableClock();
        try (RunningPlatform onTheBus = first.sibling(folder.resolve("bus"), clustered(SECRET));
                RunningPlatform alone = first.sibling(folder.resolve("alone"), Map.of());
                RunningPlatform later = first.sibling(folder.resolve("later"), Map.of("ACP_DATABASE_CLOCK_SKEW_SECONDS", "0"), clock)) {
            Person person = onTheBus.signIn("revoked@example.org", "R", "V");
            for (RunningPlatform node : List.of(first, onTheBus, alone)) {
                assertThat(node.post("/auth/users/me", "", person.token()).status()).isEqualTo(200);
            }
            assertThat(alone.post("/auth/sessions/revoke", new JsonObject(), person.token()).status()).isEqualTo(200);
            long revoked = System.nanoTime();
            for (RunningPlatform node : List.of(first, onTheBus, alone)) {
                Await.until(() -> node.post("/auth/users/me", "", person.token()).status() == 401);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - revoked)).isLessThan(Duration.ofSeconds(20));

            clock.forward(Duration.ofDays(31));
            int before = keys(first);
            // What makes a node look for keys is a word of the database; its own look comes every half minute.
            try (Connection sql = first.sql(); Statement statement = sql.createStatement()) {
                statement.execute("select pg_notify('platform_signing_keys', '')");
            }
            long made = System.nanoTime();
            for (RunningPlatform node : List.of(later, first, onTheBus, alone)) {
                Await.until(() -> keys(node) == before + 1);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - made)).isLessThan(Duration.ofSeconds(20));

            Person other = onTheBus.signIn("withdrawn@example.org", "W", "D");
            for (RunningPlatform node : List.of(first, onTheBus, alone)) {
                assertThat(node.post("/auth/users/me", "", other.token()).status()).isEqualTo(200);
            }
            JsonObject withdrawn = new JsonObject().put("kid", SignedJWT.parse(other.token()).getHeader().getKeyID()).put("reason", "Stolen.");
            assertThat(first.post("/auth/keys/withdraw", withdrawn, first.administrator().token()).status()).isEqualTo(200);
            for (RunningPlatform node : List.of(first, onTheBus, alone)) {
                Await.until("a token that was seen before is refused", Await.BOUND, () -> node.post("/auth/users/me", "", other.token()).status() == 401);
            }
        }
    }

    /** The requests wait for the node while it is stopped, so that what it answers them comes before anything else that it does. */
    @Test
    void aNodeThatWasStoppedTakesNothingThatEndedMeanwhileInItsFirstAnswers() throws Exception {
        OpenCase open = OpenCase.on(first);
        Person innocent = first.signIn("innocent@example.org", "I", "N");
        Person administrator = first.administrator();
        try (PlatformProcess stopped = PlatformProcess.start(folder.resolve("stopped"), first.siblingSettings());
                StreamClient stream = StreamClient.of(stopped.platform(), open.claimant().token())) {
            List<String> tokens = List.of(open.claimant().token(), innocent.token());
            tokens.forEach(token -> assertThat(stopped.platform().post("/auth/users/me", "", token).status()).isEqualTo(200));
            stopped.suspend();
            // The claimant would be told of it, did its session not end.
            open.docketed(new JsonObject());
            assertThat(first.post("/auth/sessions/revoke", new JsonObject().put("userID", open.claimant().id()), administrator.token()).status()).isEqualTo(200);
            String kid = SignedJWT.parse(innocent.token()).getHeader().getKeyID();
            assertThat(first.post("/auth/keys/withdraw", new JsonObject().put("kid", kid).put("reason", "Stolen."), administrator.token()).status()).isEqualTo(200);
            Await.elapsed(Freshness.TRUSTED);
            List<CompletableFuture<Integer>> waiting = Stream.generate(() -> tokens).limit(5).flatMap(List::stream)
                    .map(token -> CompletableFuture.supplyAsync(() -> stopped.platform().post("/auth/users/me", "", token).status(), Thread::startVirtualThread)).toList();
            stopped.resume();
            assertThat(waiting).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(401));
            Await.until("the stream ends with its session", stream::hasEnded);
            assertThat(stream.kinds()).doesNotContain("docket_filing");
            JsonObject renewed = stopped.platform().post("/auth/sessions/refresh", new JsonObject().put("refreshToken", innocent.refreshToken()), null).object();
            assertThat(stopped.platform().post("/auth/users/me", "", renewed.getString("accessToken")).status()).as("by the next key").isEqualTo(200);
        }
    }

    private static int keys(RunningPlatform node) {
        return new JsonObject(node.get("/auth/.well-known/jwks.json").body()).getJsonArray("keys").size();
    }

    @Test
    void aDatabaseThatIsTooOldIsNamedWithItsVersion() throws Exception {
        try (ZipFile binaries = new ZipFile("target/old-postgres.jar");
                EmbeddedPostgres old = EmbeddedPostgres.builder().setDataDirectory(folder.resolve("old")).setOverrideWorkingDirectory(folder.toFile())
                        .setPgBinaryResolver((system, machine) -> binaries.getInputStream(binaries.stream().filter(file -> file.getName().endsWith(".txz"))
                                .findFirst().orElseThrow()))
                        .setOutputRedirector(ProcessBuilder.Redirect.DISCARD).setErrorRedirector(ProcessBuilder.Redirect.DISCARD).start()) {
            String url = "postgresql://postgres:postgres@localhost:%d/postgres?sslmode=disable".formatted(old.getPort());
            assertThatThrownBy(() -> RunningPlatform.start(folder.resolve("on-old"), Map.of("ACP_DATABASE_URL", url))).isInstanceOf(StartFailure.class)
                    .hasMessageMatching("database\\.url: postgresql://postgres@localhost:\\d+/postgres\\?sslmode=disable is PostgreSQL 14\\.22.*, at least 15 is needed");
        }
    }

    @Test
    void aDatabaseThatBecomesReadOnlyIsNamedAndNothingIsAnsweredWrong() throws Exception {
        try (Connection sql = first.sql(); Statement statement = sql.createStatement()) {
            String caseOwner = first.administrator().token();
            try {
                statement.execute("alter system set default_transaction_read_only = on");
                statement.execute("select pg_reload_conf()");
                Await.until(() -> first.health().getString("status").equals("DOWN"));
                assertThat(first.health().getJsonObject("parts").getString("database")).isEqualTo("READ_ONLY");
                assertThat(first.health().getJsonObject("troubles").getString("database")).isEqualTo("the database is set to be read-only");
                Answer refused = first.post("/cases/cases/create", new JsonObject().put("title", "A v. B").put("ruleSet", "commercial"), caseOwner);
                assertThat(refused.status()).isEqualTo(503);
                Map<String, String> soon = new HashMap<>(Map.of("ACP_DATABASE_CONNECT_SECONDS", "0"));
                assertThatThrownBy(() -> first.sibling(folder.resolve("read-only"), soon)).isInstanceOf(StartFailure.class)
                        .hasMessageMatching("database\\.url: postgresql://\\S+ cannot be worked on: it is set to be read-only \\(default_transaction_read_only\\)");
            } finally {
                statement.execute("set transaction_read_only = off");
                statement.execute("set default_transaction_read_only = off");
                statement.execute("alter system reset default_transaction_read_only");
                statement.execute("select pg_reload_conf()");
            }
            Await.until(() -> first.health().getString("status").equals("UP"));
            assertThat(create(first, 7).status()).isEqualTo(200);
        }
    }
}
