package io.arbitration.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.db.Migrations;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
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
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
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

    private static final String APPEND = """
            with appended as (
              insert into platform.events (event_id, event, case_id, occurred_at, envelope)
              values (gen_random_uuid(), 'docket_filing', ?, now(), '{}')
              returning sequence)
            select sequence, pg_notify('platform_events', '') from appended
            """;

    /** Appends an event in a transaction of its own; its sequence. */
    private static String append() {
        return platform.rows(APPEND, UUID.randomUUID()).getFirst().getFirst();
    }

    /** Appends an event in a transaction that goes on; its sequence. */
    private static String append(Connection transaction, UUID caseId) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(APPEND)) {
            insert.setObject(1, caseId);
            try (ResultSet row = insert.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    /** The number of the migration before one. */
    private static int before(String name) throws Exception {
        try (Stream<Path> files = Files.list(Path.of(EventConsumerIT.class.getClassLoader().getResource("db/migration").toURI()))) {
            Map<Integer, String> names = files.map(one -> one.getFileName().toString())
                    .collect(Collectors.toMap(file -> Integer.parseInt(file.substring(1, file.indexOf('_'))), file -> file));
            int number = names.keySet().stream().filter(one -> names.get(one).endsWith("__" + name + ".sql")).findFirst().orElseThrow();
            return names.keySet().stream().filter(one -> one < number).max(Integer::compare).orElseThrow();
        }
    }

    private static Connection transaction(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        return connection;
    }

    /** A connection of the owner to another database of the same server. */
    private static Connection otherDatabase(String name) throws Exception {
        try (Connection sql = platform.sql()) {
            return DriverManager.getConnection(sql.getMetaData().getURL().replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1"), "postgres",
                    Files.readString(platform.settings().dataFolder().resolve("postgres.password")));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The sequences that a consumer has not seen and waits for. */
    private static String missing(String name) {
        return platform.rows("select missing + missing_longer from platform.event_consumers where consumer = ?", name).getFirst().getFirst();
    }

    @Test
    void theOrderIsThatOfTheSequencesAndNothingIsTakenTwice() throws Exception {
        List<String> inOrder = IntStream.range(0, 12).mapToObj(i -> append()).toList();
        EventConsumer first = consumer("order", keeping("order"));
        done(first.start());
        Await.until(() -> taken("order").containsAll(inOrder));
        assertThat(taken("order").stream().filter(inOrder::contains)).containsExactlyElementsOf(inOrder);
        done(first.stop());
        EventConsumer second = consumer("order", keeping("order"));
        done(second.start());
        String last = append();
        Await.until(() -> taken("order").contains(last));
        assertThat(taken("order")).doesNotHaveDuplicates();
        done(second.stop());
    }

    @Test
    void eventsAreToldWhileATransactionOfSomebodyElseStaysOpen() throws Exception {
        EventConsumer consumer = consumer("beside", keeping("beside"));
        done(consumer.start());
        try (Connection sql = platform.sql()) {
            execute(sql, "create table public.load (id int)");
            execute(sql, "create database nightly");
        }
        try (Connection here = transaction(platform.sql()); Connection elsewhere = transaction(otherDatabase("nightly"))) {
            execute(here, "insert into public.load values (1)");
            execute(elsewhere, "create table public.load (id int)");
            execute(elsewhere, "insert into public.load values (1)");
            List<String> events = IntStream.range(0, 5).mapToObj(i -> append()).toList();
            Await.until(() -> taken("beside").containsAll(events));
            here.rollback();
            elsewhere.rollback();
        }
        done(consumer.stop());
    }

    @Test
    void anEventThatIsCommittedLateIsTakenThenAndOnce() throws Exception {
        EventConsumer consumer = consumer("late", keeping("late"));
        done(consumer.start());
        try (Connection slow = transaction(platform.sql()); Connection slower = transaction(platform.sql())) {
            String first = append(slow, UUID.randomUUID());
            String second = append(slower, UUID.randomUUID());
            List<String> others = IntStream.range(0, 3).mapToObj(i -> append()).toList();
            Await.until(() -> taken("late").containsAll(others));
            slower.commit();
            Await.until(() -> taken("late").contains(second));
            List<String> more = IntStream.range(0, 3).mapToObj(i -> append()).toList();
            Await.until(() -> taken("late").containsAll(more));
            assertThat(taken("late")).doesNotContain(first);
            slow.commit();
            Await.until(() -> taken("late").contains(first));
        }
        assertThat(taken("late")).doesNotHaveDuplicates();
        done(consumer.stop());
    }

    @Test
    void whatWasRolledBackIsForgottenWhenNoTransactionCanBringItAnyMore() throws Exception {
        EventConsumer consumer = consumer("forgetful", keeping("forgetful"));
        done(consumer.start());
        String open;
        String undone;
        try (Connection pin = transaction(platform.sql()); Connection failing = transaction(platform.sql())) {
            open = append(pin, UUID.randomUUID());
            undone = append(failing, UUID.randomUUID());
            failing.rollback();
            for (int i = 0; i < 4; i++) {
                String next = append();
                Await.until(() -> taken("forgetful").contains(next));
            }
            // While an older transaction is open nobody knows which of the two is missing for good.
            assertThat(missing("forgetful")).contains("[%s,".formatted(open));
            pin.commit();
        }
        Await.until("nothing is missing", () -> {
            append();
            return missing("forgetful").equals("{}");
        });
        assertThat(taken("forgetful")).contains(open).doesNotContain(undone).doesNotHaveDuplicates();
        done(consumer.stop());
    }

    /** Many write, hold and undo at once; a case is locked until its events are committed. Two purposes, on two nodes each, take every event once. */
    @Test
    void underWritersWhoCommitLateOrNeverEachEventIsTakenOnceAndThoseOfACaseInOrder() throws Exception {
        List<String> names = List.of("crowd-1", "crowd-2");
        List<EventConsumer> consumers = names.stream().flatMap(name -> Stream.of(consumer(name, keeping(name)), consumer(name, keeping(name)))).toList();
        for (EventConsumer consumer : consumers) {
            done(consumer.start());
        }
        List<UUID> cases = Stream.generate(UUID::randomUUID).limit(4).toList();
        Map<UUID, List<String>> committed = new ConcurrentHashMap<>();
        cases.forEach(one -> committed.put(one, new CopyOnWriteArrayList<>()));
        List<CompletableFuture<Void>> writers = IntStream.range(0, 8).mapToObj(writer -> CompletableFuture.runAsync(() -> {
            Random random = new Random(writer);
            try (Connection sql = transaction(platform.sql())) {
                for (int i = 0; i < 40; i++) {
                    UUID one = cases.get(random.nextInt(cases.size()));
                    execute(sql, "select pg_advisory_xact_lock(hashtextextended('%s', 0))".formatted(one));
                    List<String> appended = new ArrayList<>();
                    for (int n = random.nextInt(3); n >= 0; n--) {
                        appended.add(append(sql, one));
                    }
                    // The database itself takes its time, so that others commit meanwhile.
                    execute(sql, "select pg_sleep(%s)".formatted(random.nextInt(20) / 1000.0));
                    if (random.nextInt(4) == 0) {
                        sql.rollback();
                    } else {
                        committed.get(one).addAll(appended);
                        sql.commit();
                    }
                }
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }, Thread::startVirtualThread)).toList();
        writers.forEach(CompletableFuture::join);
        for (String name : names) {
            for (UUID one : cases) {
                List<String> expected = committed.get(one);
                Await.until(name + " has taken what was committed", () -> taken(name).containsAll(expected));
                assertThat(taken(name).stream().filter(expected::contains)).containsExactlyElementsOf(expected);
            }
            assertThat(taken(name)).doesNotHaveDuplicates();
        }
        for (EventConsumer consumer : consumers) {
            done(consumer.stop());
        }
    }

    /** Keeps the sequences of what is published. */
    private record Published(List<Long> sequences) implements EventSink {

        @Override
        public Future<Void> open() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> publish(List<LoggedEvent> events) {
            events.forEach(event -> sequences.add(event.sequence()));
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    /** Begins on a context of its own, as on a node. */
    private static void begin(Supplier<Future<Void>> reader) throws Exception {
        Promise<Void> begun = Promise.promise();
        vertx.getOrCreateContext().runOnContext(here -> reader.get().onComplete(begun));
        done(begun.future());
    }

    /** Appends so many events in one statement of a transaction that goes on; their sequences. */
    private static List<Long> append(Connection transaction, int count) throws SQLException {
        try (Statement insert = transaction.createStatement(); ResultSet rows = insert.executeQuery("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                  select gen_random_uuid(), 'docket_filing', gen_random_uuid(), now(), '{}' from generate_series(1, %d) returning sequence)
                select sequence, pg_notify('platform_events', '') from appended""".formatted(count))) {
            List<Long> sequences = new ArrayList<>();
            while (rows.next()) {
                sequences.add(rows.getLong(1));
            }
            return sequences;
        }
    }

    /**
     * Transactions of several hundred events each are open at once, draw their sequences in turns, and end in any order: more becomes visible
     * below the place of a reader than it reads at once.
     */
    @Test
    void ofTransactionsThatEndInAnyOrderEachEventIsReadOnceHoweverManyAreLateAtOnce() throws Exception {
        List<Long> published = new CopyOnWriteArrayList<>();
        List<Long> told = new CopyOnWriteArrayList<>();
        EventConsumer consumer = consumer("bursts", keeping("bursts"));
        EventForwarder forwarder = new EventForwarder(vertx, platform.database(), notifications, new SimpleMeterRegistry(), "bursts-forwarded", EventForwarder.From.NOW,
                new Published(published));
        EventTail tail = new EventTail(vertx, platform.database(), notifications, batch -> {
            batch.events().forEach(event -> told.add(event.sequence()));
            return Future.succeededFuture();
        });
        begin(consumer::start);
        begin(forwarder::start);
        begin(tail::start);
        Map<String, Supplier<List<Long>>> readers = Map.of("the consumer", () -> taken("bursts").stream().map(Long::valueOf).toList(),
                "the forwarder", () -> published, "the tail", () -> told);
        Set<Long> committed = new TreeSet<>();
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            List<Connection> open = new ArrayList<>();
            List<List<Long>> appended = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                open.add(transaction(platform.sql()));
                appended.add(new ArrayList<>());
            }
            for (int turn = 0; turn < 20; turn++) {
                int one = turn % open.size();
                appended.get(one).addAll(append(open.get(one), 40 + random.nextInt(120)));
            }
            committed.add(Long.valueOf(append()));
            awaitRead(seed, readers, committed);
            while (!open.isEmpty()) {
                int one = random.nextInt(open.size());
                List<Long> sequences = appended.remove(one);
                try (Connection ending = open.remove(one)) {
                    // One of each round, at least, is committed: the last.
                    if (!open.isEmpty() && random.nextInt(4) == 0) {
                        ending.rollback();
                    } else {
                        committed.addAll(sequences);
                        ending.commit();
                    }
                }
                if (random.nextBoolean()) {
                    committed.add(Long.valueOf(append()));
                    awaitRead(seed, readers, committed);
                }
            }
            awaitRead(seed, readers, committed);
        }
        done(consumer.stop());
        done(forwarder.stop());
        done(tail.stop());
        readers.forEach((who, read) -> assertThat(read.get()).as(who).doesNotHaveDuplicates());
        Set<Long> afterwards = new TreeSet<>(told);
        assertThat(afterwards).isEqualTo(committed);
    }

    private static void awaitRead(int seed, Map<String, Supplier<List<Long>>> readers, Set<Long> committed) {
        readers.forEach((who, read) -> {
            Set<Long> lacks = new TreeSet<>(committed);
            Await.until(() -> "%s reads %d more events, with seed %d".formatted(who, lacks.size(), seed), Await.BOUND, () -> {
                read.get().forEach(lacks::remove);
                return lacks.isEmpty();
            });
        });
    }

    /** A cursor of the release before is at a number of a transaction and a sequence; events before it were taken, others not. */
    @Test
    void cursorsGoOnWhereTheReleaseBeforeHasReadToAndBackAgain() throws Exception {
        try (Connection sql = platform.sql()) {
            execute(sql, "create database before");
        }
        DatabaseUrl url;
        try (Connection sql = platform.sql()) {
            String[] place = sql.getMetaData().getURL().split("[/?]");
            url = DatabaseUrl.parse("postgresql://postgres:%s@%s/before?sslmode=disable".formatted(
                    Files.readString(platform.settings().dataFolder().resolve("postgres.password")), place[2]));
        }
        Flyway.configure().dataSource(url.jdbcUrl(), url.user(), url.password()).locations("classpath:db/migration").schemas("platform")
                .defaultSchema("platform").table("migrations").target(String.valueOf(before("event_cursors"))).load().migrate();
        try (Connection sql = otherDatabase("before"); Statement statement = sql.createStatement()) {
            // In the order of the transactions: 2, 5, 1, 3, 4, 6.
            statement.execute("""
                    insert into platform.events (event_id, event, case_id, occurred_at, envelope, transaction)
                    select gen_random_uuid(), 'docket_filing', gen_random_uuid(), now(), '{}', t::text::xid8
                    from unnest(array[30, 10, 40, 50, 20, 60]) with ordinality as t(t, n) order by n""");
            statement.execute("""
                    insert into platform.event_consumers (consumer, transaction, sequence, holder, held_until, term) values
                      ('new', '0', 0, null, null, 0), ('half', '20', 5, null, null, 0), ('leased', '30', 1, gen_random_uuid(), now() + interval '1 hour', 7),
                      ('done', '60', 6, null, null, 0)""");
            Migrations.run(url);
            assertThat(unread(statement)).as("by the release before").isEqualTo(Map.of("new", "{2,5,1,3,4,6}", "half", "{1,3,4,6}", "leased", "{3,4,6}", "done", "{}"));
            // A node of this release takes one cursor after the other over; of each, only one of the two reads.
            for (String name : List.of("new", "half", "leased", "done")) {
                statement.execute("select platform.read_by_sequence('%s')".formatted(name));
                statement.execute("select platform.read_by_sequence('%s')".formatted(name));
            }
            assertThat(unread(statement).values()).as("by the release before").containsOnly("{}");
            assertThat(unreadBySequence(statement)).isEqualTo(Map.of("new", "{1,2,3,4,5,6}", "half", "{1,3,4,6}", "leased", "{3,4,6}", "done", "{}"));
            try (ResultSet row = statement.executeQuery("select term, holder from platform.event_consumers where consumer = 'leased'")) {
                row.next();
                assertThat(row.getLong(1)).as("the term of one who may be publishing has ended").isEqualTo(8);
                assertThat(row.getString(2)).isNull();
            }
            // And back: where all that was taken comes before all that was not, in the order of the release before.
            statement.execute("select platform.read_by_transaction()");
            assertThat(unread(statement)).isEqualTo(Map.of("new", "{2,5,1,3,4,6}", "half", "{1,3,4,6}", "leased", "{3,4,6}", "done", "{}"));
            statement.execute("select platform.read_by_sequence('half')");
            statement.execute("update platform.event_consumers set missing = '{[1,2)}', read_up_to = 6 where consumer = 'half'");
            assertThatThrownBy(() -> statement.execute("select platform.read_by_transaction()")).hasMessageContaining("consumer half has not read event 1 yet");
        }
    }

    /** What each cursor has before it, as the release before reads it. */
    private static Map<String, String> unread(Statement statement) throws SQLException {
        return byConsumer(statement, "(e.transaction, e.sequence) > (c.transaction, c.sequence) order by e.transaction, e.sequence");
    }

    private static Map<String, String> unreadBySequence(Statement statement) throws SQLException {
        return byConsumer(statement, "e.sequence > c.read_up_to or e.sequence <@ (c.missing + c.missing_longer) order by e.sequence");
    }

    private static Map<String, String> byConsumer(Statement statement, String which) throws SQLException {
        Map<String, String> all = new HashMap<>();
        try (ResultSet row = statement.executeQuery(
                "select c.consumer, array(select e.sequence from platform.events e where %s) from platform.event_consumers c".formatted(which))) {
            while (row.next()) {
                all.put(row.getString(1), row.getString(2));
            }
        }
        return all;
    }

    @Test
    void whileTooManySequencesAreMissingNothingIsReadBehindThemAndTheLagIsTold() throws Exception {
        EventConsumer before = consumer("full", keeping("full"));
        done(before.start());
        done(before.stop());
        platform.rows("""
                update platform.event_consumers set settles_at = '18446744073709551614', missing = (
                  select range_agg(int8range(-2 * i, 1 - 2 * i)) from generate_series(1, ?) as i)
                where consumer = 'full' returning 1""", EventCursor.MISSING_MAX + 1);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        EventConsumer consumer = new EventConsumer(vertx, platform.database(), notifications, meters, Traces.OFF, "full", Duration.ZERO, keeping("full"));
        String event = append();
        done(consumer.start());
        Await.until("the lag is told", () -> meters.get("events.lag").gauge().value() > 0);
        assertThat(taken("full")).doesNotContain(event);
        platform.rows("update platform.event_consumers set missing = '{}' where consumer = 'full' returning 1");
        Await.until(() -> taken("full").contains(event));
        done(consumer.stop());
    }

    /** Else whoever has many writes undone while a long transaction is open would stop the consumer for ever. */
    @Test
    void whenAllOfTooMuchThatIsMissingWasRolledBackTheConsumerGoesOn() throws Exception {
        EventConsumer before = consumer("stuck", keeping("stuck"));
        done(before.start());
        done(before.stop());
        platform.rows("""
                update platform.event_consumers set settles_at = '3', missing = (
                  select range_agg(int8range(-2 * i, 1 - 2 * i)) from generate_series(1, ?) as i)
                where consumer = 'stuck' returning 1""", EventCursor.MISSING_MAX + 1);
        EventConsumer consumer = consumer("stuck", keeping("stuck"));
        String event = append();
        done(consumer.start());
        Await.until(() -> taken("stuck").contains(event));
        done(consumer.stop());
    }

    @Test
    void twoNodesShareTheWorkAndEachEventIsTakenOnce() throws Exception {
        EventConsumer one = consumer("shared", keeping("shared"));
        EventConsumer other = consumer("shared", keeping("shared"));
        done(one.start());
        done(other.start());
        List<String> appended = IntStream.range(0, 300).mapToObj(i -> append()).toList();
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
                + " where e.sequence > c.read_up_to or e.sequence <@ (c.missing + c.missing_longer))").size() == 1);
        int before = looks.get();
        List<String> appended = IntStream.range(0, 50).mapToObj(i -> append()).toList();
        Await.until(() -> taken("gathering").containsAll(appended));
        assertThat(taken("gathering").stream().filter(appended::contains)).containsExactlyElementsOf(appended);
        assertThat(looks.get() - before).isLessThan(25);
        done(consumer.stop());
    }

    @Test
    void aCommitOfDraftsAloneNamesItselfAndWakesOnlyReadersOfDrafts() throws Exception {
        List<String> payloads = new CopyOnWriteArrayList<>();
        CommitNotifications.Registration heard = notifications.onEach(EventLog.CHANNEL, payloads::add);
        // The first listener of a channel is called once it listens: this is over when a commit after it is heard.
        append(List.of("filing_drafted"));
        Await.until(() -> payloads.contains("drafts"));
        AtomicInteger ofAll = new AtomicInteger();
        AtomicInteger notOfDrafts = new AtomicInteger();
        ReadingLoop all = counting(ofAll, ReadingLoop.Concern.ALL);
        ReadingLoop withoutDrafts = counting(notOfDrafts, ReadingLoop.Concern.NOT_DRAFTS);
        onContext(all::start);
        onContext(withoutDrafts::start);
        Await.until(() -> ofAll.get() == 1 && notOfDrafts.get() == 1);
        payloads.clear();
        for (List<String> kinds : List.of(List.of("filing_drafted"), List.of("filing_drafted", "filing_drafted"), List.of("filing_drafted", "docket_filing"), List.of("docket_filing"))) {
            append(kinds);
        }
        Await.until(() -> payloads.size() == 4);
        assertThat(payloads).containsExactly("drafts", "drafts", "", "");
        Await.until(() -> ofAll.get() == 5 && notOfDrafts.get() == 3);
        done(all.stop());
        done(withoutDrafts.stop());
        done(heard.end());
        // Nothing came late.
        assertThat(ofAll).hasValue(5);
        assertThat(notOfDrafts).hasValue(3);
    }

    private static void append(List<String> kinds) throws Exception {
        done(platform.database().transaction(transaction -> new EventLog().append(transaction, kinds.stream().map(EventConsumerIT::event).toList())));
    }

    private static Event event(String kind) {
        return new Event(UUID.randomUUID(), kind, UUID.randomUUID(), Optional.empty(), Instant.now(), new JsonObject(), Optional.empty(), false);
    }

    /** Counts the reads that a notification asks for. */
    private static ReadingLoop counting(AtomicInteger reads, ReadingLoop.Concern concern) {
        return new ReadingLoop(vertx, notifications, Duration.ZERO, Duration.ofMinutes(5), concern, chance -> {
            if (chance == ReadingLoop.Chance.LIKELY) {
                reads.incrementAndGet();
            }
            return Future.succeededFuture(EventCursor.Position.CAUGHT_UP);
        }, failure -> Future.succeededFuture());
    }

    private static void onContext(Runnable work) throws Exception {
        Promise<Void> ran = Promise.promise();
        vertx.runOnContext(on -> {
            work.run();
            ran.complete();
        });
        done(ran.future());
    }

    @Test
    void whenAReaderFailsItsWritesAreUndoneAndItIsAskedAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        EventConsumer consumer = consumer("failing", (transaction, events) -> keep(transaction, "failing", events)
                .compose(kept -> asked.incrementAndGet() == 1 ? Future.failedFuture("on purpose") : Future.succeededFuture()));
        String event = append();
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
        String before = append();
        Await.until(() -> taken("stopped").contains(before));
        done(consumer.stop());
        List<String> at = taken("stopped");
        EventConsumer witness = consumer("witness", keeping("witness"));
        done(witness.start());
        String after = append();
        Await.until(() -> taken("witness").contains(after));
        assertThat(taken("stopped")).isEqualTo(at);
        done(witness.stop());
    }

    /** Timers are numbered from 0, so that a number that was never given may be that of somebody else's. */
    @Test
    void readingEndsNoTimerOfOthers() throws Exception {
        Vertx node = Vertx.vertx();
        long first = node.setTimer(TimeUnit.MINUTES.toMillis(10), any -> {});
        assertThat(first).isZero();
        CommitNotifications own = new CommitNotifications(node, platform.database());
        done(own.start());
        Promise<Void> read = Promise.promise();
        ReadingLoop loop = new ReadingLoop(node, own, Duration.ZERO, Duration.ofMinutes(5), ReadingLoop.Concern.ALL, likely -> {
            read.tryComplete();
            throw new IllegalStateException("thrown, not failed");
        }, failure -> Future.succeededFuture());
        loop.start();
        done(read.future());
        // Also while it pauses after what was thrown.
        done(loop.stop());
        done(own.close());
        assertThat(node.cancelTimer(first)).isTrue();
        done(node.close());
    }
}
