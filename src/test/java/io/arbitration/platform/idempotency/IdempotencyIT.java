package io.arbitration.platform.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.MovableClock;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.server.RawConnection;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IdempotencyIT {

    private static final String CREATE = "/cases/cases/create";
    private static final MovableClock CLOCK = new MovableClock();

    @TempDir
    private static Path folder;

    private static RunningPlatform platform;

    @BeforeAll
    static void start() {
        platform = RunningPlatform.start(folder, Map.of("ACP_IDENTITY_ACCESS_TOKEN_SECONDS", "86400"), CLOCK);
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    private static RunningPlatform.Person person() {
        return platform.signIn(UUID.randomUUID() + "@example.org", "I", "D");
    }

    private static String titled(String title) {
        return new JsonObject().put("title", title).put("ruleSet", "commercial").encode();
    }

    private static int cases(String title) {
        return platform.rows("select 1 from cases.cases where title = ?", title).size();
    }

    @Test
    void theSameRequestAgainGetsTheSameAnswerAndChangesNothing() {
        RunningPlatform.Person person = person();
        RunningPlatform.Answer first = platform.post(CREATE, titled("once"), person.token(), "Idempotency-Key", "k-1");
        RunningPlatform.Answer second = platform.post(CREATE, titled("once"), person.token(), "Idempotency-Key", "k-1");
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("Idempotent-Replayed")).isNull();
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.header("ETag")).isEqualTo(first.header("ETag")).isNotNull();
        assertThat(second.header("X-Request-Id")).isNotEqualTo(first.header("X-Request-Id"));
        assertThat(cases("once")).isEqualTo(1);
    }

    @Test
    void theSameKeyWithAnotherBodyIsRefused() {
        RunningPlatform.Person person = person();
        platform.post(CREATE, titled("one body"), person.token(), "Idempotency-Key", "k-2");
        RunningPlatform.Answer other = platform.post(CREATE, titled("other body"), person.token(), "Idempotency-Key", "k-2");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.header("Error-Code")).isEqualTo("idempotency.key-reused");
        assertThat(cases("other body")).isZero();
    }

    @Test
    void aKeyBelongsToACallerAndAnOperation() {
        RunningPlatform.Answer mine = platform.post(CREATE, titled("ours"), person().token(), "Idempotency-Key", "k-3");
        RunningPlatform.Person other = person();
        RunningPlatform.Answer theirs = platform.post(CREATE, titled("ours"), other.token(), "Idempotency-Key", "k-3");
        assertThat(theirs.header("Idempotent-Replayed")).isNull();
        assertThat(theirs.object().getString("caseID")).isNotEqualTo(mine.object().getString("caseID"));
        RunningPlatform.Answer operation = platform.post("/auth/users/update", "{\"first_name\":\"New\"}", other.token(), "Idempotency-Key", "k-3");
        assertThat(operation.status()).as(operation.body()).isEqualTo(200);
        assertThat(operation.header("Idempotent-Replayed")).isNull();
    }

    @Test
    void aRefusalIsToldAgain() {
        RunningPlatform.Person person = person();
        String body = titled("x").replace("commercial", "no such rules");
        RunningPlatform.Answer first = platform.post(CREATE, body, person.token(), "Idempotency-Key", "k-4");
        RunningPlatform.Answer second = platform.post(CREATE, body, person.token(), "Idempotency-Key", "k-4");
        assertThat(first.status()).isBetween(400, 499);
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("Error-Code")).isEqualTo(first.header("Error-Code"));
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    }

    /** What breaks the contract never ran: the corrected request may carry the same key. */
    @Test
    void aBodyThatBreaksTheContractDoesNotTakeTheKey() {
        RunningPlatform.Person person = person();
        assertThat(platform.post(CREATE, "{}", person.token(), "Idempotency-Key", "k-5").status()).isEqualTo(400);
        assertThat(platform.post(CREATE, titled("corrected"), person.token(), "Idempotency-Key", "k-5").status()).isEqualTo(200);
    }

    static Stream<String> insaneKeys() {
        return Stream.of("", " ", "x".repeat(201), "a b", "ключ", "tab\there");
    }

    @ParameterizedTest
    @MethodSource("insaneKeys")
    void aKeyOutOfItsBoundsIsRefused(String key) throws Exception {
        String request = "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nIdempotency-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s";
        String body = titled("insane");
        try (RawConnection connection = new RawConnection(platform.platform().port())) {
            connection.send(request.formatted(CREATE, person().token(), key, body.length(), body).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            RawConnection.Answer answer = connection.read();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).isEqualTo("\"Idempotency-Key: 1 to 200 printable characters\"");
        }
    }

    @Test
    void ofManyAtOnceOneRuns() throws Exception {
        RunningPlatform.Person person = person();
        List<RunningPlatform.Answer> answers = new ArrayList<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<RunningPlatform.Answer>> sent = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                sent.add(clients.submit(() -> platform.post(CREATE, titled("at once"), person.token(), "Idempotency-Key", "k-6")));
            }
            for (Future<RunningPlatform.Answer> one : sent) {
                answers.add(one.get());
            }
        }
        assertThat(cases("at once")).isEqualTo(1);
        assertThat(answers).extracting(RunningPlatform.Answer::status).isSubsetOf(200, 409);
        assertThat(answers).filteredOn(answer -> answer.status() == 200 && answer.header("Idempotent-Replayed") == null).hasSize(1);
    }

    private interface Step {
        void take() throws Exception;
    }

    /** A request that stands still before it can commit, until something else is done. */
    private static RunningPlatform.Answer heldUp(RunningPlatform.Person person, String title, String key, Step meanwhile) throws Exception {
        CompletableFuture<RunningPlatform.Answer> answer;
        try (Connection lock = platform.sql(); Statement statement = lock.createStatement()) {
            lock.setAutoCommit(false);
            statement.execute("lock table cases.cases in access exclusive mode");
            answer = CompletableFuture.supplyAsync(() -> platform.post(CREATE, titled(title), person.token(), "Idempotency-Key", key));
            Await.until("the request is under way", () -> !platform.rows("select 1 from platform.idempotency where key = ?", key).isEmpty());
            meanwhile.take();
            lock.commit();
        }
        return answer.get();
    }

    @Test
    void whileTheFirstStillRunsTheSecondIsToldSo() throws Exception {
        RunningPlatform.Person person = person();
        RunningPlatform.Answer first = heldUp(person, "slow", "k-7", () -> {
            RunningPlatform.Answer second = platform.post(CREATE, titled("slow"), person.token(), "Idempotency-Key", "k-7");
            assertThat(second.status()).isEqualTo(409);
            assertThat(second.header("Error-Code")).isEqualTo("idempotency.in-flight");
            assertThat(second.header("Retry-After")).isNotNull();
        });
        assertThat(first.status()).isEqualTo(200);
    }

    @Test
    void aKeyIsForgottenAfterADay() {
        RunningPlatform.Person person = person();
        platform.post(CREATE, titled("a day"), person.token(), "Idempotency-Key", "k-8");
        CLOCK.forward(Duration.ofHours(23).plusMinutes(50));
        assertThat(platform.post(CREATE, titled("a day"), person.token(), "Idempotency-Key", "k-8").header("Idempotent-Replayed")).isEqualTo("true");
        CLOCK.forward(Duration.ofMinutes(20));
        RunningPlatform.Person later = new RunningPlatform.Person(person.id(), person.email(), platform.signIn(person.email(), "I", "D").token(), null);
        assertThat(platform.post(CREATE, titled("a day"), later.token(), "Idempotency-Key", "k-8").header("Idempotent-Replayed")).isNull();
        assertThat(cases("a day")).isEqualTo(2);
    }

    /** A node that died before it committed holds its key no longer than the lease. */
    @Test
    void theKeyOfARequestThatDiedIsFreeAgain() throws SQLException {
        RunningPlatform.Person person = person();
        platform.post(CREATE, titled("died"), person.token(), "Idempotency-Key", "k-9");
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            statement.execute("update platform.idempotency set answer = null, decided = false where key = 'k-9'");
        }
        assertThat(platform.post(CREATE, titled("died"), person.token(), "Idempotency-Key", "k-9").status()).isEqualTo(409);
        CLOCK.forward(Duration.ofMinutes(3));
        assertThat(platform.post(CREATE, titled("died"), person.token(), "Idempotency-Key", "k-9").status()).isEqualTo(200);
    }

    @Test
    void aRequestWhoseAnswerWasLostWithItsNodeIsNotRunAgain() throws SQLException {
        RunningPlatform.Person person = person();
        platform.post(CREATE, titled("lost"), person.token(), "Idempotency-Key", "k-12");
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            statement.execute("update platform.idempotency set answer = null where key = 'k-12'");
            assertThat(platform.post(CREATE, titled("lost"), person.token(), "Idempotency-Key", "k-12").header("Error-Code")).isEqualTo("idempotency.in-flight");
            statement.execute("update platform.idempotency set node_id = gen_random_uuid() where key = 'k-12'");
        }
        RunningPlatform.Answer again = platform.post(CREATE, titled("lost"), person.token(), "Idempotency-Key", "k-12");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.header("Error-Code")).isEqualTo("idempotency.answer-lost");
        assertThat(cases("lost")).isEqualTo(1);
        assertThat(platform.post(CREATE, titled("other"), person.token(), "Idempotency-Key", "k-12").status()).isEqualTo(422);
    }

    /** A node may stand still for so long that another is given its key: of the two, one commits. */
    @Test
    void aRequestWhoseKeyIsAnothersByNowCommitsNothing() throws Exception {
        RunningPlatform.Answer first = heldUp(person(), "overtaken", "k-13", () -> {
            try (Connection sql = platform.sql(); Statement other = sql.createStatement()) {
                other.execute("update platform.idempotency set claimed_at = claimed_at + interval '1 minute' where key = 'k-13'");
            }
        });
        assertThat(first.header("Error-Code")).isEqualTo("idempotency.in-flight");
        assertThat(cases("overtaken")).isZero();
    }

    @Test
    void aFailureOfTheDatabaseLeavesTheKeyFree() throws SQLException {
        RunningPlatform.Person person = person();
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            statement.execute("alter table cases.cases rename to away");
            try {
                assertThat(platform.post(CREATE, titled("5xx"), person.token(), "Idempotency-Key", "k-10").status()).isEqualTo(500);
            } finally {
                statement.execute("alter table cases.away rename to cases");
            }
        }
        assertThat(platform.post(CREATE, titled("5xx"), person.token(), "Idempotency-Key", "k-10").status()).isEqualTo(200);
    }

    @Test
    void aSecretInAStoredAnswerIsNotInTheDatabaseInTheClear() {
        RunningPlatform.Person administrator = platform.administrator();
        String body = "{\"name\":\"machine\",\"permissions\":[\"emails.email.sender\"]}";
        RunningPlatform.Answer first = platform.post("/auth/clients/create", body, administrator.token(), "Idempotency-Key", "k-11");
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        String secret = first.object().getString("clientSecret");
        assertThat(platform.post("/auth/clients/create", body, administrator.token(), "Idempotency-Key", "k-11").object().getString("clientSecret")).isEqualTo(secret);
        List<List<String>> stored = platform.rows("select encode(answer, 'escape') from platform.idempotency where key = 'k-11'");
        assertThat(stored).hasSize(1);
        assertThat(stored.getFirst().getFirst()).isNotEmpty().doesNotContain(secret).doesNotContain("clientSecret");
    }
}
