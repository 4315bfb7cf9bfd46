package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.events.CommitNotifications;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that has gone without a word, as its machine does when it loses its power: the connection is not even closed. */
@ExtendWith(VertxExtension.class)
class SilentDatabaseIT {

    @Test
    void aConnectionThatBringsNothingIsGivenUpAndTheNextIsAnother(Vertx vertx) throws Exception {
        try (Relay relay = new Relay(serverPort())) {
            Database database = oneConnection(vertx, relay.port(), Duration.ofSeconds(2));
            assertThat(done(one(database))).containsExactly(1);
            relay.silence();
            Throwable failure = done(one(database).map((Throwable) null).otherwise(failed -> failed));
            assertThat(failure).isNotNull();
            // What comes while the connection is being given up may still meet it.
            assertThat(Database.isUnavailable(failure)).as(failure.toString()).isTrue();
            List<Integer> answer = List.of();
            while (answer.isEmpty()) {
                answer = done(one(database).recover(SilentDatabaseIT::unavailable));
            }
            assertThat(answer).containsExactly(1);
        }
    }

    @Test
    void aStatementIsNotSentOverAConnectionThatIsAboutToBeGivenUpForItsSilence(Vertx vertx) throws Exception {
        try (Relay relay = new Relay(serverPort())) {
            Database database = oneConnection(vertx, relay.port(), Duration.ofSeconds(8));
            assertThat(done(sleep(database, 0))).containsExactly(1);
            Await.elapsed(Duration.ofSeconds(6));
            // Known to the first connection already, it would bring nothing there before its answer, which comes after the connection's time.
            assertThat(done(sleep(database, 4))).containsExactly(1);
        }
    }

    /** As after a suspension, until the node has sent its next heartbeat. */
    @Test
    void theWorkOfATransactionBeginsWhenTheNodeMay(Vertx vertx) throws Exception {
        Database database = oneConnection(vertx, serverPort(), Duration.ofSeconds(60));
        Promise<Void> heard = Promise.promise();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        database.guard(() -> {
            asked.complete(null);
            return heard.future();
        });
        AtomicBoolean begun = new AtomicBoolean();
        Future<Integer> work = database.transaction(connection -> {
            begun.set(true);
            return Database.query(connection, "select 1", Tuple.tuple(), row -> row.getInteger(0)).map(List::getFirst);
        });
        asked.get(60, TimeUnit.SECONDS);
        assertThat(begun).isFalse();
        heard.complete();
        assertThat(done(work)).isEqualTo(1);
        database.guard(() -> Future.failedFuture(new IOException("this node was silent")));
        begun.set(false);
        Throwable refused = done(database.transaction(connection -> {
            begun.set(true);
            return Future.succeededFuture();
        }).map((Throwable) null).otherwise(failed -> failed));
        assertThat(refused).hasMessage("this node was silent");
        assertThat(begun).isFalse();
    }

    @Test
    void aTransactionThatWasEndedBecauseTheProcessStoodStillIsTriedAgain(Vertx vertx) throws Exception {
        Database database = RunningPlatform.shared().services().database();
        AtomicInteger attempts = new AtomicInteger();
        int answered = done(database.transaction(connection -> Database.query(connection, "select 1", Tuple.tuple(), row -> row.getInteger(0))
                .compose(first -> {
                    Promise<Void> still = Promise.promise();
                    // Longer than the database lets a transaction wait, at the first attempt.
                    vertx.setTimer(attempts.incrementAndGet() == 1 ? 4500 : 1, later -> still.complete());
                    return still.future();
                }).compose(waited -> Database.query(connection, "select 2", Tuple.tuple(), row -> row.getInteger(0))).map(List::getFirst)));
        assertThat(answered).isEqualTo(2);
        assertThat(attempts).hasValueGreaterThan(1);
    }

    /** As when the process has no processor for some seconds: the server has answered, waited for the next statement, and ended the session. */
    @Test
    void aTransactionWhoseSessionHasEndedWhenTheAnswerToBeginArrivesIsTriedAgain(Vertx vertx) throws Exception {
        try (Relay relay = new Relay(serverPort())) {
            Database database = oneConnection(vertx, relay.port(), Duration.ofSeconds(60));
            int session = session(database);
            relay.holdAnswers();
            Future<Integer> work = database.transaction(SilentDatabaseIT::oneWithin);
            Await.until("the transaction has begun", () -> state(session).equals(List.of("idle in transaction")));
            Await.until("the server has ended the session", () -> state(session).isEmpty());
            relay.releaseAnswers();
            assertThat(done(work)).isEqualTo(1);
        }
    }

    @Test
    void aTransactionWhoseConnectionIsLostBeforeTheAnswerToBeginIsTriedAgain(Vertx vertx) throws Exception {
        try (Relay relay = new Relay(serverPort())) {
            Database database = oneConnection(vertx, relay.port(), Duration.ofSeconds(60));
            int session = session(database);
            relay.holdAnswers();
            Future<Integer> work = database.transaction(SilentDatabaseIT::oneWithin);
            Await.until("the transaction has begun", () -> state(session).equals(List.of("idle in transaction")));
            relay.leadTo(serverPort());
            assertThat(done(work)).isEqualTo(1);
        }
    }

    @Test
    void aTransactionWhoseSessionTheServerEndsIsTriedAgain(Vertx vertx) throws Exception {
        Database database = oneConnection(vertx, serverPort(), Duration.ofSeconds(60));
        AtomicInteger attempts = new AtomicInteger();
        int answered = done(database.transaction(connection -> Database.query(connection, "select pg_backend_pid()", Tuple.tuple(), row -> row.getInteger(0))
                .compose(session -> vertx.executeBlocking(() -> attempts.incrementAndGet() > 1 ? List.of()
                        : RunningPlatform.shared().rows("select pg_terminate_backend(?)", session.getFirst())))
                .compose(ended -> oneWithin(connection))));
        assertThat(answered).isEqualTo(1);
        // Once more for each time in which the process stands still for longer than the database lets a transaction wait.
        assertThat(attempts).hasValueGreaterThan(1);
    }

    @Test
    void aTransactionWhoseCommitWasSentIsNeverTriedAgain(Vertx vertx) throws Exception {
        try (Relay relay = new Relay(serverPort())) {
            Database database = oneConnection(vertx, relay.port(), Duration.ofSeconds(60));
            int session = session(database);
            AtomicInteger attempts = new AtomicInteger();
            Future<Throwable> failure = database.transaction(connection -> oneWithin(connection).map(worked -> {
                attempts.incrementAndGet();
                relay.holdAnswers();
                return worked;
            })).map((Throwable) null).otherwise(failed -> failed);
            Await.until("the commit is made", () -> RunningPlatform.shared().rows(
                    "select state from pg_stat_activity where pid = ? and query = 'COMMIT'", session).equals(List.of(List.of("idle"))));
            relay.leadTo(serverPort());
            assertThat(done(failure)).matches(Database::isUnavailable);
            assertThat(attempts).hasValue(1);
        }
    }

    /** The server takes the connection and says nothing in the handshake. */
    @ParameterizedTest
    @ValueSource(strings = {"disable", "prefer"})
    void aConnectionOverWhichNothingComesWhileItIsMadeIsGivenUp(String sslMode, Vertx vertx) throws Exception {
        try (Relay relay = new Relay(serverPort())) {
            Database database = oneConnection(vertx, relay.port(), Duration.ofSeconds(2), sslMode);
            relay.silenceAll();
            Future<List<Integer>> first = one(database).recover(SilentDatabaseIT::unavailableOrBusy);
            Await.until("the connection is made", () -> relay.opened() == 1);
            relay.carryNew();
            done(first);
            Await.until("a statement is answered over another connection",
                    () -> !done(one(database).recover(SilentDatabaseIT::unavailableOrBusy)).isEmpty());
        }
    }

    @Test
    void theConnectionThatListensForCommitsIsMadeAnewWhenItHasGoneSilent(Vertx vertx) throws Exception {
        try (Relay relay = new Relay(serverPort())) {
            Database database = oneConnection(vertx, relay.port(), Duration.ofSeconds(3));
            CommitNotifications notifications = new CommitNotifications(vertx, database);
            AtomicInteger heard = new AtomicInteger();
            notifications.on("silent_database", heard::incrementAndGet);
            done(notifications.start());
            Await.until("told when it listens", () -> heard.get() > 0);
            List<List<String>> asked = asked(relay);
            Await.until("it asks something of its own", () -> asked(relay).size() == 1 && !asked(relay).equals(asked));
            int heardBefore = heard.get();
            relay.silence();
            notifyListeners();
            Await.until("told to read on", () -> heard.get() > heardBefore);
            Await.until("told of commits again", () -> {
                int before = heard.get();
                notifyListeners();
                Await.until(() -> heard.get() > before);
                return true;
            });
            done(notifications.close());
            done(database.close());
        }
    }

    /** When the newest connection has asked something last. */
    private static List<List<String>> asked(Relay relay) {
        return RunningPlatform.shared().rows("select query_start from pg_stat_activity where client_port = ? and query like 'LISTEN%'", relay.newestServerPort());
    }

    private static void notifyListeners() {
        RunningPlatform.shared().rows("select pg_notify('silent_database', '')");
    }

    private static Future<Integer> oneWithin(SqlConnection connection) {
        return Database.query(connection, "select 1", Tuple.tuple(), row -> row.getInteger(0)).map(List::getFirst);
    }

    /** The process of the server that works for the only connection. */
    private static int session(Database database) throws Exception {
        return done(database.query("select pg_backend_pid()", Tuple.tuple(), row -> row.getInteger(0))).getFirst();
    }

    private static List<String> state(int session) {
        return RunningPlatform.shared().rows("select state from pg_stat_activity where pid = ?", session).stream().map(List::getFirst).toList();
    }

    private static int serverPort() throws Exception {
        return RunningPlatform.shared().services().database().connection().getPort();
    }

    /** A pool of one connection to the database of the shared platform, by a port that leads to it. */
    private static Database oneConnection(Vertx vertx, int port, Duration silence) throws Exception {
        return oneConnection(vertx, port, silence, "disable");
    }

    private static Database oneConnection(Vertx vertx, int port, Duration silence, String sslMode) throws Exception {
        RunningPlatform platform = RunningPlatform.shared();
        PgConnectOptions own = platform.services().database().connection();
        return Database.open(vertx, DatabaseUrl.parse("postgresql://%s:%s@127.0.0.1:%d/%s?sslmode=%s".formatted(
                own.getUser(), own.getPassword(), port, own.getDatabase(), sslMode)), platform.settings().database().withConnections(1), silence);
    }

    private static Future<List<Integer>> sleep(Database database, double seconds) {
        return database.query("select 1 from pg_sleep($1)", Tuple.of(seconds), row -> row.getInteger(0));
    }

    private static Future<List<Integer>> unavailable(Throwable failed) {
        return Database.isUnavailable(failed) ? Future.succeededFuture(List.of()) : Future.failedFuture(failed);
    }

    /** The pool lets nobody wait for as long as a handshake may be silent. */
    private static Future<List<Integer>> unavailableOrBusy(Throwable failed) {
        return Database.isOverloaded(failed) ? Future.succeededFuture(List.of()) : unavailable(failed);
    }

    private static Future<List<Integer>> one(Database database) {
        return database.query("select 1", Tuple.tuple(), row -> row.getInteger(0));
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
