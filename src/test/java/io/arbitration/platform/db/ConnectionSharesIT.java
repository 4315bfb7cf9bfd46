package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.internal.ContextInternal;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections of a pool, shared out among tenants. */
@ExtendWith(VertxExtension.class)
class ConnectionSharesIT {

    private static final long LOCK = 4_711_004L;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<Promise<Void>> working = new CopyOnWriteArrayList<>();

    @Test
    void statementsOfOneTenantThatNeverEndLeaveConnectionsToOthers(Vertx vertx) throws Exception {
        RunningPlatform platform = RunningPlatform.shared();
        Database database = Database.open(vertx, url(platform), platform.settings().database().withConnections(4));
        List<Future<List<Integer>>> stuck = new ArrayList<>();
        try (Connection holder = platform.sql(); var lock = holder.createStatement()) {
            lock.execute("select pg_advisory_lock(%d)".formatted(LOCK));
            for (int i = 0; i < 10; i++) {
                stuck.add(on(vertx, "client " + i, "organization", () -> database.query("select 1 from pg_advisory_xact_lock_shared($1)", Tuple.of(LOCK), row -> row.getInteger(0))));
            }
            assertThat(on(vertx, "user", "user", () -> database.query("select 1", Tuple.tuple(), row -> row.getInteger(0))).await(60, TimeUnit.SECONDS)).containsExactly(1);
            assertThat(stuck).noneMatch(Future::isComplete);
            assertThat(database.waiting()).isEqualTo(8);
            lock.execute("select pg_advisory_unlock(%d)".formatted(LOCK));
        }
        for (Future<List<Integer>> one : stuck) {
            assertThat(one.await(60, TimeUnit.SECONDS)).containsExactly(1);
        }
        database.close().await(60, TimeUnit.SECONDS);
    }

    private static DatabaseUrl url(RunningPlatform platform) {
        var own = platform.services().database().connection();
        return DatabaseUrl.parse("postgresql://%s:%s@127.0.0.1:%d/%s?sslmode=disable".formatted(own.getUser(), own.getPassword(), own.getPort(), own.getDatabase()));
    }

    @Test
    void theNextConnectionGoesToTheTenantThatHasTheLeastAndInItToItsCallersInTurns(Vertx vertx) {
        ConnectionShares shares = new ConnectionShares(vertx, 2, 100, LONG);
        on(vertx, "a1", "A", () -> shares.run(work("a1 first")));
        on(vertx, "b1", "B", () -> shares.run(work("b1 first")));
        for (String name : List.of("a1 second", "a1 third", "a2 first", "c1 first")) {
            on(vertx, name.substring(0, 2), name.substring(0, 1).toUpperCase(), () -> shares.run(work(name)));
        }
        Await.until("all wait", () -> shares.waiting() == 4);
        endAndAwait(0, 3);
        endAndAwait(1, 4);
        endAndAwait(3, 5);
        endAndAwait(4, 6);
        // C had none when A still had one; the callers of A come in turns.
        assertThat(begun).containsExactly("a1 first", "b1 first", "c1 first", "a1 second", "a2 first", "a1 third");
    }

    private void endAndAwait(int which, int begunThen) {
        working.get(which).complete();
        Await.until(begunThen + " have begun: " + begun, () -> begun.size() == begunThen);
    }

    @Test
    void aTenantThatWaitsAsMuchAsIsFreeIsRefusedAndOthersWaitOn(Vertx vertx) {
        ConnectionShares shares = new ConnectionShares(vertx, 1, 10, LONG);
        List<Future<Void>> asked = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            String caller = "a" + i;
            asked.add(on(vertx, caller, "A", () -> shares.run(work(caller))));
        }
        assertThat(asked.stream().filter(Future::failed)).hasSize(1)
                .allSatisfy(refused -> assertThat(refused.cause()).isInstanceOf(TenantShareUsedUp.class));
        assertThat(on(vertx, "b", "B", () -> shares.run(work("b"))).failed()).isFalse();
        Future<Void> own = shares.run(work("the node's own"));
        for (int i = 0; i < 3; i++) {
            assertThat(shares.run(work("the node's own")).failed()).isFalse();
        }
        assertThat(shares.run(work("one too many")).cause()).isInstanceOf(ConnectionPoolTooBusyException.class);
        endAndAwait(0, 2);
        assertThat(own.failed()).isFalse();
    }

    @Test
    void whatHasWaitedForTooLongFailsAndIsNotBegun(Vertx vertx) throws Exception {
        ConnectionShares shares = new ConnectionShares(vertx, 1, 10, Duration.ofMillis(10));
        Future<Void> first = on(vertx, "a", "A", () -> shares.run(work("first")));
        Future<Void> late = on(vertx, "a", "A", () -> shares.run(work("late")));
        assertThatThrownBy(() -> late.await(60, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(shares.waiting()).isZero();
        working.getFirst().complete();
        first.await(60, TimeUnit.SECONDS);
        assertThat(begun).containsExactly("first");
    }

    @Test
    void whatWaitsWithinATransactionIsNotHeldUpByTheTenantsOtherTransactions(Vertx vertx) throws Exception {
        RunningPlatform platform = RunningPlatform.shared();
        Database database = Database.open(vertx, url(platform), platform.settings().database().withConnections(2));
        Future<List<Integer>> nested = on(vertx, "a", "A", () -> database.transaction(transaction -> database.query("select 1", Tuple.tuple(), row -> row.getInteger(0))));
        assertThat(nested.await(60, TimeUnit.SECONDS)).containsExactly(1);
        database.close().await(60, TimeUnit.SECONDS);
    }

    private Supplier<Future<Void>> work(String name) {
        return () -> {
            Promise<Void> done = Promise.promise();
            working.add(done);
            begun.add(name);
            return done.future();
        };
    }

    /** As on the context of a request of that caller. */
    private static <T> Future<T> on(Vertx vertx, String caller, String tenant, Supplier<Future<T>> act) {
        Promise<Future<T>> asked = Promise.promise();
        ((ContextInternal) vertx.getOrCreateContext()).duplicate().runOnContext(on -> {
            WorkOwner.begin(vertx, caller, tenant);
            asked.complete(act.get());
        });
        Await.until("it was asked", () -> asked.future().isComplete());
        return asked.future().result();
    }
}
