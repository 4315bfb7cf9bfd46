package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.command.bench.StatementCounts.Engine;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Webhooks, from the commit of an event to the POST on loopback, with PostgreSQL, platform and sink on this machine. Events of
 * 1 KB are appended to the log as a docketing appends them.
 */
@Command(name = "webhooks", description = "Deliveries of events to URLs on loopback.", mixinStandardHelpOptions = true)
final class WebhooksBench implements Callable<Integer> {

    private static final int PACED_PER_SECOND = 200;
    private static final int PACED_PER_SECOND_TO_MANY = 20;
    private static final int URLS_PER_ORGANIZATION = 10;
    private static final int ORGANIZATIONS = 4;
    private static final int BATCH = 64;
    private static final long DRAINED_SECONDS_MAX = 300;
    private static final long CAUGHT_SECONDS_MAX = 60;
    static final String APPEND = """
            insert into platform.events (event_id, event, case_id, occurred_at, envelope) values (?, 'docket_filing', ?::uuid, now(), ?)
            """;

    @Mixin
    private BenchOptions options;

    @Option(names = "--history", defaultValue = "1000000", description = "Past deliveries for the last comparison (${DEFAULT-VALUE}).")
    private int history;

    private final List<Person> administrators = new ArrayList<>();
    private Optional<StatementCounts> statements = Optional.empty();

    @Override
    public Integer call() {
        try (BenchSite site = BenchSite.open(options.databaseText()); WebhookSink sink = new WebhookSink()) {
            if (options.database().isEmpty()) {
                count(site);
            }
            // The hanging phase would disable nothing: it lasts seconds, not days.
            try (ServerProcess server = site.start(WebhookSink.ALLOWED);
                    BenchPeople people = new BenchPeople(server.address(), site);
                    Connection sql = BenchDatabase.connect(site.database());
                    BenchDatabase database = BenchDatabase.open(site.database())) {
                statements = StatementCounts.of(database);
                measure(site, people, server, sink, sql, database);
            } catch (SQLException failed) {
                throw new BenchFailed("cannot append events: " + failed.getMessage(), failed);
            }
        }
        return 0;
    }

    /** The embedded database is told to count statements; it does so from its next start on. */
    private static void count(BenchSite site) {
        try (ServerProcess first = site.start(Map.of()); BenchDatabase database = BenchDatabase.open(site.database())) {
            if (!StatementCounts.prepare(database)) {
                Report.progress("this PostgreSQL cannot count statements: %s".formatted(first.address()));
            }
        }
    }

    private void measure(BenchSite site, BenchPeople people, ServerProcess server, WebhookSink sink, Connection sql, BenchDatabase database) throws SQLException {
        String one = prepare(people, sink, 1, "well-alone");
        String many = prepare(people, sink, ORGANIZATIONS, "many");
        Report.progress("warming up for %d s".formatted(options.warmUp().toSeconds()));
        long end = System.nanoTime() + options.warmUp().toNanos();
        do {
            burst(sql, many, 50);
            awaitDrained(database);
        } while (System.nanoTime() < end);

        Report.title("From the commit to the POST, %d events a second to one URL", PACED_PER_SECOND);
        Load alone = paced(sql, sink, one, PACED_PER_SECOND);
        awaitDrained(database);
        Report.target("p50 from commit to POST", alone.p50Millis(), "≤", 10, "ms");
        Report.target("p99 from commit to POST", alone.p99Millis(), "≤", 50, "ms");

        Report.title("The same while somebody else's transaction, which has written, stays open on the server");
        Load beside = besideOpenTransaction(site, sql, sink, one);
        awaitDrained(database);
        Report.target("p50 beside an open transaction", beside.p50Millis(), "≤", 100, "ms");
        Report.target("p99 beside an open transaction", beside.p99Millis(), "≤", 200, "ms");

        Report.title("Durable deliveries, %d URLs", ORGANIZATIONS * URLS_PER_ORGANIZATION);
        double perCpuSecond = throughput(sql, sink, server, database, many);
        Report.target("deliveries a CPU-second of the platform", perCpuSecond, "≥", 7000, "");

        hanging(people, sink, sql, database);
        past(sql, sink, server, database, many, perCpuSecond);
    }

    /** A case whose organizations have URLs at the sink; its id. */
    private String prepare(BenchPeople people, WebhookSink sink, int organizations, String path) {
        Person manager = people.signIn("manager@bench.example", "Maya", "Manager");
        int first = administrators.size();
        IntStream.range(0, organizations).forEach(i -> administrators.add(people.claimant(first + i)));
        OpenCase open = people.openCases(1, administrators.subList(first, first + 1), List.of(manager)).getFirst();
        for (int i = 0; i < organizations; i++) {
            Person administrator = administrators.get(first + i);
            if (i > 0) {
                people.post(new Request("/cases/cases/participants/add", manager.token(), new JsonObject().put("caseID", open.id())
                        .put("userID", administrator.id()).put("partyID", "respondent").encode()));
            }
            for (int n = 0; n < (organizations == 1 ? 1 : URLS_PER_ORGANIZATION); n++) {
                String name = path.equals("mixed") ? (n == 0 ? "hang" : "well") : path;
                people.post(new Request("/webhooks/urls/create", administrator.token(),
                        new JsonObject().put("url", sink.url("%s/%d-%d".formatted(name, first + i, n))).encode()));
            }
        }
        return open.id();
    }

    private static String envelope(UUID id, String caseId) {
        JsonObject envelope = new JsonObject().put("id", id.toString()).put("timestamp", "2026-11-21T09:30:00.000Z").put("event", "docket_filing")
                .put("data", new JsonObject().put("entryID", "1").put("caseID", caseId).put("title", ""));
        envelope.getJsonObject("data").put("title", "x".repeat(1024 - envelope.encode().length()));
        return envelope.encode();
    }

    static UUID append(PreparedStatement insert, String caseId) throws SQLException {
        UUID id = UUID.randomUUID();
        insert.setObject(1, id);
        insert.setString(2, caseId);
        insert.setString(3, envelope(id, caseId));
        insert.addBatch();
        return id;
    }

    private static void burst(Connection sql, String caseId, int events) throws SQLException {
        sql.setAutoCommit(false);
        try (PreparedStatement insert = sql.prepareStatement(APPEND); var wake = sql.createStatement()) {
            for (int i = 0; i < events; i++) {
                append(insert, caseId);
            }
            insert.executeBatch();
            wake.execute("select pg_notify('platform_events', '')");
            sql.commit();
        }
    }

    /** One transaction an event, at a pace; how long each took from its commit to the sink. */
    private Load paced(Connection sql, WebhookSink sink, String caseId, int perSecond) throws SQLException {
        sink.takeWaits();
        sql.setAutoCommit(false);
        long events = options.rounds() * options.inPhase(perSecond);
        long start = System.nanoTime();
        try (PreparedStatement insert = sql.prepareStatement(APPEND); var wake = sql.createStatement()) {
            for (long i = 0; i < events; i++) {
                long due = start + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                UUID id = append(insert, caseId);
                insert.executeBatch();
                wake.execute("select pg_notify('platform_events', '')");
                // Taken before the commit, so that the wait holds all of it.
                sink.committed(id.toString(), System.nanoTime());
                sql.commit();
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        long[] waits = sink.takeWaits();
        Load load = Load.of(waits, 0, 0, seconds);
        Report.line("%-40s %12d of %d events a second for %.0f s, p50 %.2f ms, p99 %.2f ms", "arrivals", waits.length, perSecond, seconds,
                load.p50Millis(), load.p99Millis());
        return load;
    }

    /** A nightly load, as it were: everything on this server that waits for all transactions would wait for it. */
    private Load besideOpenTransaction(BenchSite site, Connection sql, WebhookSink sink, String caseId) throws SQLException {
        try (Connection own = BenchDatabase.connect(site.database()); var statement = own.createStatement()) {
            own.setAutoCommit(false);
            statement.execute("create table bench_load (id int)");
            Load load = paced(sql, sink, caseId, PACED_PER_SECOND);
            own.rollback();
            return load;
        }
    }

    /** Deliveries a CPU-second of the platform while a burst is delivered. */
    private double throughput(Connection sql, WebhookSink sink, ServerProcess server, BenchDatabase database, String caseId) throws SQLException {
        int events = options.quick ? 50 : 2500;
        ThreadTimes threads = server.threadTimes();
        double cpu = server.cpuSeconds();
        Optional<Double> machine = ThreadTimes.machineSeconds();
        long answered = sink.answered();
        long claims = calls(Engine.CLAIM);
        long records = calls(Engine.RECORD);
        long start = System.nanoTime();
        burst(sql, caseId, events);
        awaitDrained(database);
        double seconds = (System.nanoTime() - start) / 1e9;
        double used = server.cpuSeconds() - cpu;
        long delivered = sink.answered() - answered;
        Report.line("%-40s %12d in %.1f s: %.0f a second", "deliveries, as the sink counts them", delivered, seconds, delivered / seconds);
        Report.line("%-40s %12.2f (%s)", "CPU-seconds of the platform's process", used, server.threadTimes().since(threads));
        machine.ifPresent(before -> Report.line("%-40s %12.2f", "CPU-seconds of the whole machine", ThreadTimes.machineSeconds().orElse(before) - before));
        if (statements.isPresent()) {
            double perBatch = (double) BATCH / delivered;
            Report.line("%-40s %12s %.2f claims, %.2f records", "statements per %d deliveries".formatted(BATCH), "",
                    (calls(Engine.CLAIM) - claims) * perBatch, (calls(Engine.RECORD) - records) * perBatch);
            Report.target("statements per %d deliveries".formatted(BATCH),
                    (calls(Engine.CLAIM) + calls(Engine.RECORD) - claims - records) * perBatch, "≤", 2, "");
        }
        return delivered / used;
    }

    private long calls(Engine statement) {
        return statements.map(counts -> counts.calls(statement)).orElse(0L);
    }

    /** Half a minute of events to URLs of which one in ten never answers, against the same with all answering. */
    private void hanging(BenchPeople people, WebhookSink sink, Connection sql, BenchDatabase database) throws SQLException {
        String mixed = prepare(people, sink, ORGANIZATIONS, "mixed");
        Report.title("%d events a second to %d URLs, one in ten of which hangs", PACED_PER_SECOND_TO_MANY, ORGANIZATIONS * URLS_PER_ORGANIZATION);
        paced(sql, sink, mixed, PACED_PER_SECOND_TO_MANY);
        awaitDrained(database);
        Report.line("all answer:");
        Load before = paced(sql, sink, mixed, PACED_PER_SECOND_TO_MANY);
        awaitDrained(database);
        sink.hang(true);
        Report.line("one in ten hangs:");
        Load during = paced(sql, sink, mixed, PACED_PER_SECOND_TO_MANY);
        sink.hang(false);
        Report.target("p99 of the others, ratio", during.p99Millis() / before.p99Millis(), "≤", 1.2, "");
        // What hung waits for its next attempt, which is no part of what follows.
        database.run("delete from webhooks.queue");
    }

    private void past(Connection sql, WebhookSink sink, ServerProcess server, BenchDatabase database, String caseId, double perCpuSecond) throws SQLException {
        int rows = options.quick ? 10_000 : history;
        Report.progress("adding %d past deliveries".formatted(rows));
        sql.setAutoCommit(true);
        database.run("""
                with past as (
                  insert into webhooks.deliveries (url_id, organization_id, sequence, event_id, event, state, created)
                  select u.url_id, u.organization_id, -n, gen_random_uuid(), 'docket_filing', 'delivered', now() - interval '1 day'
                  from generate_series(1, %d / (select count(*) from webhooks.urls)) n, webhooks.urls u
                  returning delivery_id)
                insert into webhooks.attempts (delivery_id, at, status, duration_millis, response)
                select delivery_id, now() - interval '1 day', 204, 3, '' from past
                """.formatted(rows));
        database.run("vacuum analyze webhooks.deliveries");
        database.run("vacuum analyze webhooks.attempts");
        Report.title("Durable deliveries with %d past ones", database.number("select count(*) from webhooks.deliveries"));
        long scans = scans(database);
        double after = throughput(sql, sink, server, database, caseId);
        Report.target("deliveries a CPU-second, ratio", after / perCpuSecond, "≥", 0.9, "");
        Report.target("scans of the whole history meanwhile", scans(database) - scans, "≤", 0, "");
        if (statements.isPresent()) {
            catchAll(statements.get(), sql, caseId);
            awaitDrained(database);
            plans(statements.get());
        }
    }

    /** Each statement is seen only while a session runs it, or until it runs the next: events come until all were. */
    private static void catchAll(StatementCounts counts, Connection sql, String caseId) throws SQLException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CAUGHT_SECONDS_MAX);
        while (!counts.sawAll()) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("not every statement of the engine was seen within %d s".formatted(CAUGHT_SECONDS_MAX));
            }
            burst(sql, caseId, 20);
            for (int looks = 0; looks < 500 && !counts.sawAll(); looks++) {
                counts.watch();
            }
        }
    }

    /** The history is what grows without end: no statement of the engine may read a whole table of it. */
    private static void plans(StatementCounts counts) {
        List<String> whole = new ArrayList<>();
        for (Engine statement : Engine.values()) {
            Report.title("Plan: %s", statement.words());
            counts.plan(statement).forEach(line -> {
                Report.line("%s", line);
                if (line.matches(".*Seq Scan on (events|feed|deliveries|attempts|queue_waiting)\\b.*")) {
                    whole.add(line.strip());
                }
            });
        }
        Report.title("Plans");
        Report.target("whole tables that the engine reads", whole.size(), "≤", 0, String.join(", ", whole));
    }

    private static long scans(BenchDatabase database) {
        database.run("select pg_stat_force_next_flush()");
        return database.number("select sum(seq_scan) from pg_stat_user_tables where schemaname = 'webhooks' and relname in ('deliveries', 'attempts', 'feed')");
    }

    /** Waits until every event was fanned out and every delivery is done. */
    private void awaitDrained(BenchDatabase database) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAINED_SECONDS_MAX);
        while (database.number("""
                select (select count(*) from webhooks.queue) + (
                  select count(*) from platform.events e, platform.event_consumers c
                  where c.consumer = 'webhooks' and (e.sequence > c.read_up_to or e.sequence <@ (c.missing + c.missing_longer)))
                """) > 0) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("the queue did not empty within %d s".formatted(DRAINED_SECONDS_MAX));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }
}
