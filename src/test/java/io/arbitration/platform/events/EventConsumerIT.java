package io.arbitration.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one implementation of reading the event log, with consumers of the test's own. */
class EventConsumerIT {

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;
    private static Vertx vertx;
    private static CommitNotifications notifications;

    @BeforeAll
    static void open() throws Exception {
        platform = RunningPlatform.start(folder, Map.of("ACP_AREAS_ENABLED", "auth"));
        vertx = Vertx.vertx();
        notifications = new CommitNotifications(vertx, platform.database());
        done(notifications.start());
        try (var sql = platform.sql(); var statement = sql.createStatement()) {
            statement.execute("create table public.taken (consumer text, sequence bigint, place bigint generated always as identity)");
            // The consumer works under the role of a node, which owns nothing.
            statement.execute("grant all on public.taken to public");
        }
    }

    @AfterAll
    static void close() throws Exception {
        done(notifications.close());
        done(vertx.close());
        platform.close();
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static EventConsumer consumer(String name, EventHandler handler) {
        return new EventConsumer(vertx, platform.database(), notifications, new SimpleMeterRegistry(), Traces.OFF, name, Duration.ZERO, handler);
    }

    /** Keeps what it takes in a table, in the transaction of the cursor. */
    private static EventHandler keeping(String name) {
        return (transaction, events) -> keep(transaction, name, events);
    }

    private static Future<Void> keep(SqlConnection transaction, String name, List<LoggedEvent> events) {
        return transaction.preparedQuery("insert into public.taken (consumer, sequence) select $1, unnest($2::bigint[])")
                .execute(Tuple.of(name).addArrayOfLong(events.stream().map(LoggedEvent::sequence).toArray(Long[]::new))).mapEmpty();
    }

    private static List<String> taken(String name) {
        return platform.rows("select sequence from public.taken where consumer = ? order by place", name).stream().map(List::getFirst).toList();
    }

    /** Appends an event as if by the transaction with this number, or by the present one; its sequence. */
    private static String append(Long transaction) {
        return platform.rows("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope, transaction)
                  values (gen_random_uuid(), 'docket_filing', ?, now(), '{}', coalesce(?::text::xid8, pg_current_xact_id()))
                  returning sequence)
                select sequence, pg_notify('platform_events', '') from appended
                """, UUID.randomUUID(), transaction == null ? null : String.valueOf(transaction)).getFirst().getFirst();
    }

    @Test
    void theOrderIsThatOfTheTransactionsAsNumbersAndNothingIsTakenTwice() throws Exception {
        // As text, 1000 would come before 9, and the cursor would run back and forth.
        List<String> shuffled = LongStream.of(100, 9, 1, 11, 10, 99, 2, 110).mapToObj(EventConsumerIT::append).toList();
        List<String> inOrder = IntStream.of(2, 6, 1, 4, 3, 5, 0, 7).mapToObj(shuffled::get).toList();
        EventConsumer first = consumer("order", keeping("order"));
        done(first.start());
        Await.until(() -> taken("order").containsAll(shuffled));
        assertThat(taken("order").stream().filter(shuffled::contains)).containsExactlyElementsOf(inOrder);
        done(first.stop());
        EventConsumer second = consumer("order", keeping("order"));
        done(second.start());
        String last = append(null);
        Await.until(() -> taken("order").contains(last));
        assertThat(taken("order")).doesNotHaveDuplicates();
        done(second.stop());
    }

    @Test
    void twoNodesShareTheWorkAndEachEventIsTakenOnce() throws Exception {
        EventConsumer one = consumer("shared", keeping("shared"));
        EventConsumer other = consumer("shared", keeping("shared"));
        done(one.start());
        done(other.start());
        List<String> appended = IntStream.range(0, 300).mapToObj(i -> append(null)).toList();
        Await.until(() -> taken("shared").containsAll(appended));
        assertThat(taken("shared")).doesNotHaveDuplicates();
        assertThat(taken("shared").stream().filter(appended::contains)).containsExactlyElementsOf(appended);
        done(one.stop());
        done(other.stop());
    }

    @Test
    void oneThatGathersTakesWhatComesInItsTimeTogether() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        EventConsumer consumer = new EventConsumer(vertx, platform.database(), notifications, new SimpleMeterRegistry(), Traces.OFF, "gathering", Duration.ofMillis(300),
                (transaction, events) -> {
                    looks.incrementAndGet();
                    return keep(transaction, "gathering", events);
                });
        done(consumer.start());
        Await.until(() -> platform.rows("select 1 from platform.event_consumers c where consumer = 'gathering' and not exists (select from platform.events e"
                + " where (e.transaction, e.sequence) > (c.transaction, c.sequence))").size() == 1);
        int before = looks.get();
        List<String> appended = IntStream.range(0, 50).mapToObj(i -> append(null)).toList();
        Await.until(() -> taken("gathering").containsAll(appended));
        assertThat(taken("gathering").stream().filter(appended::contains)).containsExactlyElementsOf(appended);
        assertThat(looks.get() - before).isLessThan(25);
        done(consumer.stop());
    }

    @Test
    void whenAReaderFailsItsWritesAreUndoneAndItIsAskedAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        EventConsumer consumer = consumer("failing", (transaction, events) -> keep(transaction, "failing", events)
                .compose(kept -> asked.incrementAndGet() == 1 ? Future.failedFuture("on purpose") : Future.succeededFuture()));
        String event = append(null);
        done(consumer.start());
        Await.until(() -> taken("failing").contains(event));
        assertThat(asked.get()).isGreaterThanOrEqualTo(2);
        assertThat(taken("failing")).doesNotHaveDuplicates();
        done(consumer.stop());
    }

    @Test
    void aBacklogIsTakenInBatches() throws Exception {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        List<String> appended = platform.rows("""
                insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                select gen_random_uuid(), 'docket_filing', gen_random_uuid(), now(), '{}' from generate_series(1, 1000) returning sequence
                """).stream().map(List::getFirst).toList();
        EventConsumer consumer = consumer("backlog", (transaction, events) -> {
            sizes.add(events.size());
            return keep(transaction, "backlog", events);
        });
        done(consumer.start());
        Await.until(() -> taken("backlog").containsAll(appended));
        assertThat(sizes).allMatch(size -> size <= EventConsumer.BATCH_MAX);
        assertThat(taken("backlog")).doesNotHaveDuplicates();
        done(consumer.stop());
    }

    @Test
    void afterItsStopAConsumerTakesNothing() throws Exception {
        EventConsumer consumer = consumer("stopped", keeping("stopped"));
        done(consumer.start());
        String before = append(null);
        Await.until(() -> taken("stopped").contains(before));
        done(consumer.stop());
        List<String> at = taken("stopped");
        EventConsumer witness = consumer("witness", keeping("witness"));
        done(witness.start());
        String after = append(null);
        Await.until(() -> taken("witness").contains(after));
        assertThat(taken("stopped")).isEqualTo(at);
        done(witness.stop());
    }
}
