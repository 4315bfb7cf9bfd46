package io.arbitration.platform.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lease queue on a node that runs no dispatcher of its own, so that the test is the only claimant. */
class LeaseQueueIT {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Contents contents = new Contents();

    @BeforeAll
    static void open() {
        platform = RunningPlatform.start(folder, Map.of("ACP_AREAS_ENABLED", "auth"));
        sql("create table public.done (key bigint not null, by_node text not null)");
        sql("grant all on public.done to public");
    }

    @AfterAll
    static void close() {
        platform.close();
    }

    @BeforeEach
    void clean() {
        sql("delete from platform.queue_items");
        sql("delete from public.done");
    }

    private static void sql(String sql, Object... values) {
        try (Connection connection = platform.sql(); PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.execute();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void enqueue(long... keys) {
        sql("select platform.enqueue('test', ?::bigint[])", LongStream.of(keys).mapToObj(String::valueOf).collect(Collectors.joining(",", "{", "}")));
    }

    private static void enqueueInLane(String lane, long... keys) {
        for (long key : keys) {
            sql("select platform.enqueue('test', array[?::bigint], array[?])", key, lane);
        }
    }

    private record Piece(Lease lease) implements LeasedItem {}

    private record Ended(Lease lease, Settlement settlement, String node) implements AttemptOutcome {
        static Ended done(Piece piece) {
            return new Ended(piece.lease, Settlement.DONE, "one");
        }
    }

    /** What the items are about: a line in a table for each that was done. */
    private static final class Contents implements ContentRepository<Piece, Ended> {

        private volatile Function<Long, Boolean> isReadable = key -> true;
        private volatile Function<Long, Boolean> isThere = key -> true;

        @Override
        public Future<List<Piece>> read(List<Lease> leases) {
            if (leases.stream().anyMatch(lease -> !isReadable.apply(lease.key()))) {
                return Future.failedFuture(new IllegalArgumentException("not JSON"));
            }
            return Future.succeededFuture(leases.stream().filter(lease -> isThere.apply(lease.key())).map(Piece::new).toList());
        }

        @Override
        public Future<Void> record(SqlConnection transaction, List<Ended> outcomes) {
            Future<Void> all = Future.succeededFuture();
            for (Ended outcome : outcomes) {
                all = all.compose(before -> transaction.preparedQuery("insert into public.done (key, by_node) values ($1, $2)")
                        .execute(Tuple.of(outcome.lease.key(), outcome.node)).mapEmpty());
            }
            return all;
        }
    }

    private LeaseQueue<Piece, Ended> queue(ItemHandler<Piece, Ended> work, boolean fair, Duration lease) {
        return new LeaseQueue<>(platform.vertx(), new LeaseQueue.Terms("test", lease, false, fair), new QueueItemRepository(platform.database()),
                platform.services().dueItems(), contents, work, meters);
    }

    private LeaseQueue<Piece, Ended> queue() {
        return queue(piece -> Future.succeededFuture(Ended.done(piece)), false, LEASE);
    }

    private static List<Piece> claim(LeaseQueue<Piece, Ended> queue, int most) {
        return Await.result(queue.claim(UUID.randomUUID(), most)).claimed();
    }

    private static List<Long> keys(List<Piece> pieces) {
        return pieces.stream().map(piece -> piece.lease.key()).sorted().toList();
    }

    private static List<Long> recorded() {
        return platform.rows("select key from public.done order by key").stream().map(row -> Long.valueOf(row.getFirst())).toList();
    }

    private static List<Long> waiting() {
        return platform.rows("select key from platform.queue_items order by key").stream().map(row -> Long.valueOf(row.getFirst())).toList();
    }

    private static void endLeases() {
        sql("update platform.queue_items set due = now() where claim is not null");
    }

    private double count(String name) {
        return meters.get(name).tag("queue", "test").counter().count();
    }

    @Test
    void aClaimedItemIsNobodyElsesUntilItsLeaseEnds() {
        enqueue(1, 2, 3);
        assertThat(keys(claim(queue(), 2))).hasSize(2);
        assertThat(keys(claim(queue(), 5))).hasSize(1);
        assertThat(claim(queue(), 5)).isEmpty();
        endLeases();
        assertThat(keys(claim(queue(), 5))).containsExactly(1L, 2L, 3L);
        assertThat(count("queue.unrecorded")).isEqualTo(3);
    }

    @Test
    void whatWasDoneLeavesTheQueueWithItsRecordOrNotAtAll() {
        enqueue(1, 2);
        LeaseQueue<Piece, Ended> queue = queue();
        List<Piece> claimed = claim(queue, 2);
        Await.result(queue.record(claimed.stream().map(Ended::done).toList()));
        assertThat(recorded()).containsExactly(1L, 2L);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void anOutcomeUnderAClaimThatIsAnothersByNowChangesNothingUnlessItIsCertain() {
        enqueue(1, 2);
        LeaseQueue<Piece, Ended> queue = queue();
        List<Piece> late = claim(queue, 2);
        endLeases();
        List<Piece> current = claim(queue, 2);
        Await.result(queue.record(List.of(Ended.done(late.getFirst()), new Ended(late.getLast().lease, Settlement.DONE_WHOEVER_HOLDS_IT, "one"))));
        assertThat(recorded()).containsExactly(late.getLast().lease.key());
        assertThat(count("queue.lost")).isEqualTo(1);
        Await.result(queue.record(current.stream().map(Ended::done).toList()));
        assertThat(recorded()).as("each once").containsExactly(1L, 2L);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void whatIsToBeTriedAgainIsDueAfterItsPauseWithItsAttemptsCounted() {
        enqueue(1);
        LeaseQueue<Piece, Ended> queue = queue();
        Piece first = claim(queue, 1).getFirst();
        assertThat(first.lease.attempts()).isZero();
        Await.result(queue.record(List.of(new Ended(first.lease, new Settlement.Again(Duration.ofHours(2)), "one"))));
        assertThat(claim(queue, 1)).isEmpty();
        assertThat(platform.rows("select claim is null, due between now() + interval '119 minutes' and now() + interval '120 minutes' from platform.queue_items"))
                .containsExactly(List.of("t", "t"));
        sql("update platform.queue_items set due = now()");
        assertThat(claim(queue, 1).getFirst().lease.attempts()).isEqualTo(1);
        assertThat(count("queue.unrecorded")).isZero();
    }

    @Test
    void whatIsGivenBackIsDueAtOnceAsIfItHadNeverBeenClaimed() {
        enqueue(1, 2);
        LeaseQueue<Piece, Ended> queue = queue();
        List<Piece> claimed = claim(queue, 2);
        Await.result(queue.release(claimed));
        List<Piece> next = claim(queue, 2);
        assertThat(keys(next)).containsExactly(1L, 2L);
        assertThat(count("queue.unrecorded")).isZero();
        Await.result(queue.release(claimed));
        assertThat(claim(queue, 2)).as("what another holds is not given back").isEmpty();
    }

    @Test
    void aLeaseIsExtendedByItsHolderAlone() {
        enqueue(1);
        QueueItemRepository items = new QueueItemRepository(platform.database());
        Lease lease = claim(queue(), 1).getFirst().lease;
        assertThat(Await.result(items.extend("test", lease, Duration.ofHours(1)))).isTrue();
        assertThat(platform.rows("select due > now() + interval '59 minutes' from platform.queue_items")).containsExactly(List.of("t"));
        endLeases();
        claim(queue(), 1);
        assertThat(Await.result(items.extend("test", lease, Duration.ofHours(1)))).isFalse();
    }

    @Test
    void anItemThatIsNeverRecordedIsLeasedLongerAndLongerAndHoldsUpNoOther() {
        enqueue(1);
        for (int claim = 1; claim <= 12; claim++) {
            assertThat(claim(queue(), 1)).hasSize(1);
            long minutes = Math.round(Double.parseDouble(platform.rows("select extract(epoch from due - now()) / 60 from platform.queue_items").getFirst().getFirst()));
            assertThat(minutes).as("lease of claim " + claim).isEqualTo(1L << Math.clamp(claim - 3, 0, 6));
            endLeases();
        }
        enqueue(2);
        sql("update platform.queue_items set due = now() - interval '1 day' where key = 1");
        assertThat(keys(claim(queue(), 2))).containsExactly(1L, 2L);
    }

    @Test
    void anItemThatCannotBeReadOrIsAboutNothingHoldsUpNoOtherAndIsNotLost() {
        enqueue(1, 2, 3, 4);
        contents.isReadable = key -> key != 2;
        contents.isThere = key -> key != 3;
        LeaseQueue<Piece, Ended> queue = queue();
        List<Piece> claimed = claim(queue, 4);
        assertThat(keys(claimed)).containsExactly(1L, 4L);
        Await.result(queue.record(claimed.stream().map(Ended::done).toList()));
        assertThat(waiting()).containsExactly(2L, 3L);
    }

    @Test
    void anOutcomeThatTheDatabaseRefusesHoldsUpNoOther() {
        enqueue(1, 2, 3);
        LeaseQueue<Piece, Ended> queue = queue();
        List<Ended> outcomes = new ArrayList<>(claim(queue, 3).stream().map(Ended::done).toList());
        Ended refused = outcomes.removeFirst();
        outcomes.add(1, new Ended(refused.lease, refused.settlement, "\0"));
        Await.result(queue.record(outcomes));
        assertThat(recorded()).hasSize(2).doesNotContain(refused.lease.key());
        assertThat(waiting()).containsExactly(refused.lease.key());
    }

    @Test
    void lanesAreServedOneAfterTheOtherHoweverMuchOneHasPutIn() {
        enqueueInLane("b-busy", LongStream.range(100, 160).toArray());
        enqueueInLane("a", 1, 2);
        enqueueInLane("c", 3);
        LeaseQueue<Piece, Ended> queue = queue(piece -> Future.succeededFuture(Ended.done(piece)), true, LEASE);
        assertThat(keys(claim(queue, 2))).containsExactly(1L, 100L);
        assertThat(keys(claim(queue, 2))).as("c, and then from the first again").containsExactly(2L, 3L);
        assertThat(keys(claim(queue, 2))).as("b alone is left, one of it at a time").containsExactly(101L);
        enqueueInLane("a", 4);
        assertThat(keys(claim(queue, 2))).containsExactly(4L, 102L);
    }

    @Test
    void twoNodesShareTheWorkAndEachItemIsDoneOnce() {
        enqueue(LongStream.range(0, 600).toArray());
        List<Running> nodes = new ArrayList<>();
        // The first node could do all before the second begins: it ends nothing before that.
        Map<String, Promise<Void>> begun = Map.of("one", Promise.promise(), "other", Promise.promise());
        for (String node : begun.keySet()) {
            LeaseQueue<Piece, Ended> queue = queue(piece -> {
                begun.get(node).tryComplete();
                return Future.all(begun.values().stream().map(Promise::future).toList()).map(both -> new Ended(piece.lease, Settlement.DONE, node));
            }, false, LEASE);
            nodes.add(running(queue));
        }
        Await.until("all are recorded", () -> recorded().size() == 600);
        nodes.forEach(Running::stop);
        assertThat(recorded()).doesNotHaveDuplicates();
        assertThat(waiting()).isEmpty();
        assertThat(platform.rows("select distinct by_node from public.done")).hasSize(2);
    }

    @Test
    void whatADeadNodeHeldIsDoneByAnotherWhenItsLeaseHasEnded() {
        enqueue(1, 2, 3);
        assertThat(claim(queue(piece -> Future.failedFuture("never"), false, Duration.ofMillis(600)), 2)).hasSize(2);
        Running other = running(queue());
        Await.until("all are recorded", () -> recorded().size() == 3);
        other.stop();
        assertThat(recorded()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aNodeThatStopsGivesBackWhatItCouldNotDo() {
        enqueue(1, 2);
        List<Long> begun = new CopyOnWriteArrayList<>();
        Running dispatcher = running(queue(piece -> {
            begun.add(piece.lease.key());
            return piece.lease.key() == 1 ? Future.succeededFuture(Ended.done(piece)) : Promise.<Ended>promise().future();
        }, false, Duration.ofHours(1)));
        Await.until("one is recorded and one hangs", () -> recorded().size() == 1 && begun.contains(2L));
        dispatcher.stop();
        assertThat(platform.rows("select key, claim is null, due <= now(), unrecorded from platform.queue_items")).containsExactly(List.of("2", "t", "t", "0"));
    }

    @Test
    void aNotificationOfTheCommitStartsTheWork() {
        AtomicBoolean begun = new AtomicBoolean();
        Running dispatcher = running(queue(piece -> {
            begun.set(true);
            return Future.succeededFuture(Ended.done(piece));
        }, false, LEASE));
        enqueue(7);
        Await.until("it is done", () -> begun.get() && waiting().isEmpty());
        dispatcher.stop();
    }

    /** Its notification was lost: nothing but the poll finds it. */
    @Test
    void anItemIsFoundWithoutANotificationAtItsTime() {
        Running dispatcher = running(queue());
        sql("insert into platform.queue_items (queue, key, due) values ('test', 1, now()), ('test', 2, now() + interval '1500 milliseconds')");
        Await.until("both are done", () -> waiting().isEmpty());
        assertThat(recorded()).containsExactly(1L, 2L);
        dispatcher.stop();
    }

    @Test
    void oneStatementAnswersForEachQueueWhatIsDueAndWhenTheNextWillBe() {
        sql("""
                insert into platform.queue_items (queue, key, due) values
                  ('late', 1, now() - interval '1 hour'), ('late', 2, now() - interval '1 minute'), ('late', 3, now() + interval '1 hour'),
                  ('waiting', 1, now() + interval '2 hours'), ('waiting', 2, now() + interval '3 hours')
                """);
        Map<String, QueueItemRepository.DueItems> found = Await.result(new QueueItemRepository(platform.database()).due(Set.of("late", "waiting", "empty"))).stream()
                .collect(Collectors.toMap(QueueItemRepository.DueItems::queue, one -> one));
        assertThat(found.get("late").lateSeconds().orElseThrow()).isBetween(3600.0, 4000.0);
        assertThat(found.get("late").next().orElseThrow()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        assertThat(found.get("waiting").lateSeconds()).isEmpty();
        assertThat(found.get("waiting").next().orElseThrow()).isBetween(Duration.ofMinutes(110), Duration.ofHours(2));
        assertThat(found.get("empty")).isEqualTo(new QueueItemRepository.DueItems("empty", Optional.empty(), Optional.empty()));
        sql("delete from platform.queue_items");
    }

    private static int adopted(String queue) {
        return Integer.parseInt(platform.rows("select platform.adopt_queue_items('%s')".formatted(queue)).getFirst().getFirst());
    }

    /** A node of the release before keeps its queue in its own tables, and claims what is due there. */
    @Test
    void whatANodeOfTheReleaseBeforePutInIsTakenOverUnlessItHoldsItUnderALease() {
        sql("delete from emails.queue");
        sql("""
                insert into emails.queue (delivery_id, attempts, due, claim) values
                  (1, 0, now(), null), (2, 3, now() + interval '2 hours', null),
                  (3, 1, now() + interval '1 minute', gen_random_uuid()), (4, 2, now() - interval '1 second', gen_random_uuid())
                """);
        assertThat(adopted("emails")).isEqualTo(3);
        assertThat(platform.rows("select delivery_id from emails.queue")).as("in flight on the older node").containsExactly(List.of("3"));
        assertThat(platform.rows("select key, attempts, due <= now(), claim is null from platform.queue_items where queue = 'emails' order by key"))
                .containsExactly(List.of("1", "0", "t", "t"), List.of("2", "3", "f", "t"), List.of("4", "2", "t", "t"));
        // The older node puts it back, or dies: then it is taken over, too.
        sql("update emails.queue set claim = null, attempts = 2, due = now() + interval '1 minute'");
        assertThat(adopted("emails")).isEqualTo(1);
        assertThat(adopted("emails")).isZero();
        sql("delete from platform.queue_items");
    }

    @Test
    void whatIsTakenOverFromATableThatKeepsTheContentIsNeverDueForANodeOfTheReleaseBefore() {
        sql("delete from alerts.alerts");
        sql("""
                insert into alerts.alerts (sequence, user_id, channel, state, due, claim) values
                  (1, gen_random_uuid(), 'email', 'pending', now(), null),
                  (2, gen_random_uuid(), 'email', 'pending', now() + interval '1 minute', gen_random_uuid()),
                  (3, gen_random_uuid(), 'email', 'pending', now() - interval '1 second', gen_random_uuid()),
                  (4, gen_random_uuid(), 'email', 'told', null, null)
                """);
        sql("insert into webhooks.notices (organization_id, url, reason, at) values (gen_random_uuid(), 'https://a.example', 'It answered 410 Gone.', now())");
        assertThat(adopted("alerts")).isEqualTo(2);
        assertThat(adopted("webhook_notices")).isEqualTo(1);
        assertThat(adopted("alerts")).isZero();
        assertThat(platform.rows("select sequence from alerts.alerts where due <= now()")).isEmpty();
        assertThat(platform.rows("select sequence from alerts.alerts where claim is not null")).as("in flight on the older node").containsExactly(List.of("2"));
        assertThat(platform.rows("select 1 from webhooks.notices where due <= now()")).isEmpty();
        // The older node records what it held, as it does.
        sql("update alerts.alerts set state = 'told', claim = null, due = null where sequence = 2");
        assertThat(adopted("alerts")).isZero();
        sql("delete from platform.queue_items");
        sql("delete from alerts.alerts");
        sql("delete from webhooks.notices");
    }

    /** A dispatcher and the context that it belongs to. */
    private record Running(Context context, Dispatcher<Piece, Ended> dispatcher) {

        void stop() {
            Promise<Void> stopped = Promise.promise();
            context.runOnContext(now -> dispatcher.stop().onComplete(stopped));
            Await.result(stopped.future());
        }
    }

    private static Running running(LeaseQueue<Piece, Ended> queue) {
        Context context = ((VertxInternal) platform.vertx()).createEventLoopContext();
        Promise<Running> started = Promise.promise();
        context.runOnContext(now -> {
            Dispatcher<Piece, Ended> dispatcher = new Dispatcher<>(platform.vertx(), "test", queue, platform.services().notifications(), "test_due",
                    Dispatcher.Bounds.of(8), new Random());
            dispatcher.start();
            started.complete(new Running(context, dispatcher));
        });
        return Await.result(started.future());
    }
}
