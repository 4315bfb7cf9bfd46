package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.pgclient.PgConnectOptions;
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

    private static int serverPort() throws Exception {
        return RunningPlatform.shared().services().database().connection().getPort();
    }

    /** A pool of one connection to the database of the shared platform, by a port that leads to it. */
    private static Database oneConnection(Vertx vertx, int port, Duration silence) throws Exception {
        RunningPlatform platform = RunningPlatform.shared();
        PgConnectOptions own = platform.services().database().connection();
        return Database.open(vertx, DatabaseUrl.parse("postgresql://%s:%s@127.0.0.1:%d/%s?sslmode=disable".formatted(
                own.getUser(), own.getPassword(), port, own.getDatabase())), platform.settings().database().withConnections(1), silence);
    }

    private static Future<List<Integer>> sleep(Database database, double seconds) {
        return database.query("select 1 from pg_sleep($1)", Tuple.of(seconds), row -> row.getInteger(0));
    }

    private static Future<List<Integer>> unavailable(Throwable failed) {
        return Database.isUnavailable(failed) ? Future.succeededFuture(List.of()) : Future.failedFuture(failed);
    }

    private static Future<List<Integer>> one(Database database) {
        return database.query("select 1", Tuple.tuple(), row -> row.getInteger(0));
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
