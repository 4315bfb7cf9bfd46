package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Webhooks while long analytical transactions overlap, so that PostgreSQL may remove no dead row: what grows then, what a delivery takes, and
 * whether all of it goes back. The transactions read the event log and the deliveries by one snapshot, again and again.
 */
@Command(name = "horizon", description = "Deliveries beside long analytical transactions that overlap.", mixinStandardHelpOptions = true)
final class HorizonBench implements Callable<Integer> {

    /** As many organizations have a URL and a case each: to one URL there are at most 16 deliveries at once. */
    private static final int URLS = 8;
    private static final int APPENDERS = 4;
    /** One of which no one is alerted: emails are not measured here. */
    private static final String EVENT = "phase_changed";
    private static final int TRANSACTIONS = 3;
    private static final int STOP_WAIT_SECONDS = 30;
    private static final long ANALYSIS_PAUSE_MILLIS = 5000;
    private static final double P99_MILLIS_MAX = 200;
    private static final double DRAINED_SECONDS_MAX = 60;
    /** Two versions of a row of a queue for each event: the one that was claimed and the one that was removed. */
    private static final int DEAD_PER_EVENT_MAX = 2;
    private static final String BACKLOG = """
            select (select count(*) from webhooks.queue) + (
              select count(*) from platform.events e, platform.event_consumers c
              where c.consumer = 'webhooks' and (e.sequence > c.read_up_to or e.sequence <@ (c.missing + c.missing_longer)))
            """;
    private static final String DEAD = """
            select coalesce(sum(n_dead_tup), 0)::bigint from pg_stat_user_tables where schemaname = 'webhooks' and relname like 'queue%'
            """;
    private static final String ANALYSIS = """
            select e.event, count(*), sum(length(e.envelope)), count(d.delivery_id)
            from platform.events e left join webhooks.deliveries d on d.sequence = e.sequence group by e.event
            """;

    @Mixin
    private BenchOptions options;

    @Option(names = "--events", defaultValue = "800", description = "Events a second (${DEFAULT-VALUE}).")
    private int perSecond;

    @Option(names = "--transaction", defaultValue = "120", paramLabel = "SECONDS", description = "How long each transaction is open (${DEFAULT-VALUE}).")
    private int transactionSeconds;

    @Option(names = "--apart", defaultValue = "40", paramLabel = "SECONDS", description = "From the begin of one to that of the next (${DEFAULT-VALUE}).")
    private int apartSeconds;

    /** Commits of events that have not arrived, by id. */
    private final ConcurrentHashMap<String, Long> underWay = new ConcurrentHashMap<>();
    private final Queue<Long> waits = new ConcurrentLinkedQueue<>();
    private final Queue<Long> commits = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    /** What one window of time showed. */
    private record Seen(Load load, long backlog, long dead) {}

    @Override
    public Integer call() {
        if (options.quick) {
            transactionSeconds = 3;
            apartSeconds = 1;
            perSecond = 50;
        }
        try (BenchSite site = BenchSite.open(options.databaseText()); WebhookSink sink = new WebhookSink();
                ServerProcess server = site.start(WebhookSink.ALLOWED);
                BenchPeople people = new BenchPeople(server.address(), site);
                BenchDatabase database = BenchDatabase.open(site.database())) {
            sink.listen((id, arrived) -> {
                Long committed = underWay.remove(id);
                if (committed != null) {
                    waits.add(Math.max(0, arrived - committed));
                }
            });
            measure(site, people, sink, server, database);
        }
        return 0;
    }

    private void measure(BenchSite site, BenchPeople people, WebhookSink sink, ServerProcess server, BenchDatabase database) {
        List<String> cases = prepare(people, sink);
        try (ExecutorService work = Executors.newVirtualThreadPerTaskExecutor()) {
            List<java.util.concurrent.Future<?>> tasks = new ArrayList<>();
            try {
                IntStream.range(0, APPENDERS).forEach(one -> tasks.add(work.submit(() -> append(site, cases, one))));
                Report.progress("warming up for %d s".formatted(options.warmUp().toSeconds()));
                LockSupport.parkNanos(options.warmUp().toNanos());
                waits.clear();
                commits.clear();
                measure(site, server, database, work, tasks);
            } finally {
                stopped = true;
            }
            for (var task : tasks) {
                task.get(STOP_WAIT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        } catch (ExecutionException | TimeoutException failed) {
            throw new BenchFailed("events could not be appended or analysed: " + failed.getMessage(), failed);
        }
    }

    private void measure(BenchSite site, ServerProcess server, BenchDatabase database, ExecutorService work, List<java.util.concurrent.Future<?>> tasks) {
        Report.title("%d events a second to %d URLs; %d analytical transactions of %d s each, %d s apart", perSecond, URLS, TRANSACTIONS, transactionSeconds, apartSeconds);
        Report.line("%-28s %9s %9s %9s %12s %9s %9s %9s %9s", "", "arrived/s", "p50 ms", "p99 ms", "p99 commit", "backlog", "dead", "queue MB", "CPU");
        Seen alone = window("alone", server, database, options.phase().toMillis() / 1e3);
        double p99Most = 0;
        long deadMost = 0;
        for (int begun = 0; begun < TRANSACTIONS; begun++) {
            tasks.add(work.submit(() -> analyse(site)));
            Seen seen = window("%d open, at %d s".formatted(begun + 1, (begun + 1) * apartSeconds), server, database, apartSeconds);
            p99Most = Math.max(p99Most, seen.load.p99Millis());
            deadMost = Math.max(deadMost, seen.dead);
        }
        int rest = Math.max(1, transactionSeconds / apartSeconds - 1);
        for (int window = 0; window < rest; window++) {
            Seen seen = window("at %d s".formatted((TRANSACTIONS + window + 1) * apartSeconds), server, database, apartSeconds);
            p99Most = Math.max(p99Most, seen.load.p99Millis());
            deadMost = Math.max(deadMost, seen.dead);
        }
        stopped = true;
        double drained = drain(database);
        database.run("vacuum webhooks.queue");
        database.run("select pg_stat_force_next_flush()");
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
        Seen after = window("after the last, vacuumed", server, database, 1);
        Report.target("p99 alone", alone.load.p99Millis(), "≤", P99_MILLIS_MAX, "ms");
        Report.target("p99 of the worst window", p99Most, "≤", P99_MILLIS_MAX, "ms");
        Report.target("backlog after that", after.backlog, "≤", 0, "");
        Report.target("time until the backlog was empty", drained, "≤", DRAINED_SECONDS_MAX, "s");
        Report.target("most dead rows of the queue", deadMost, "≤", (double) DEAD_PER_EVENT_MAX * perSecond * transactionSeconds, "");
        Report.target("dead rows of the queue after that", after.dead, "≤", perSecond, "");
        Report.line("dead rows of other tables:");
        database.pairs("""
                select schemaname || '.' || relname, n_dead_tup || ' (' || pg_size_pretty(pg_total_relation_size(relid)) || ')'
                from pg_stat_user_tables where n_dead_tup > 0 order by n_dead_tup desc limit 8
                """).forEach(pair -> Report.line("  %-38s %s", pair[0], pair[1]));
    }

    /** Cases, the organization of whose claimant has a URL at the sink; their ids. */
    private static List<String> prepare(BenchPeople people, WebhookSink sink) {
        Person manager = people.signIn("manager@bench.example", "Maya", "Manager");
        List<String> cases = new ArrayList<>();
        for (int i = 0; i < URLS; i++) {
            Person claimant = people.claimant(i);
            cases.add(people.openCases(1, List.of(claimant), List.of(manager)).getFirst().id());
            people.post(new Request("/webhooks/urls/create", claimant.token(), new JsonObject().put("url", sink.url("well/" + i))
                    .put("events", new JsonArray().add(EVENT)).encode()));
        }
        return cases;
    }

    /** One of the appenders: a transaction an event, at its share of the pace. */
    private void append(BenchSite site, List<String> cases, int place) {
        try (Connection sql = BenchDatabase.connect(site.database()); PreparedStatement insert = sql.prepareStatement(WebhooksBench.APPEND.replace("docket_filing", EVENT));
                var wake = sql.createStatement()) {
            sql.setAutoCommit(false);
            long pause = TimeUnit.SECONDS.toNanos(1) * APPENDERS / perSecond;
            long due = System.nanoTime() + pause * place / APPENDERS;
            for (int i = place; !stopped; i += APPENDERS) {
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                due += pause;
                UUID id = WebhooksBench.append(insert, cases.get(i / APPENDERS % cases.size()));
                insert.executeBatch();
                wake.execute("select pg_notify('platform_events', '')");
                // Taken before the commit, so that the wait holds all of it.
                long committing = System.nanoTime();
                underWay.put(id.toString(), committing);
                sql.commit();
                commits.add(System.nanoTime() - committing);
            }
        } catch (SQLException failed) {
            throw new BenchFailed("cannot append events: " + failed.getMessage(), failed);
        }
    }

    /** A transaction of one snapshot that reads the log and the deliveries again and again, for as long as it is to be open. */
    private void analyse(BenchSite site) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(transactionSeconds);
        try (Connection sql = BenchDatabase.connect(site.database()); var statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            sql.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            // With a number of its own it holds back as much as one that writes.
            statement.execute("select pg_current_xact_id()");
            do {
                statement.execute(ANALYSIS);
                long left = end - System.nanoTime();
                LockSupport.parkNanos(Math.max(1, Math.min(left, TimeUnit.MILLISECONDS.toNanos(ANALYSIS_PAUSE_MILLIS))));
            } while (System.nanoTime() < end);
            sql.rollback();
        } catch (SQLException failed) {
            throw new BenchFailed("cannot analyse: " + failed.getMessage(), failed);
        }
    }

    /** Looks for so long, and prints what it saw. */
    private Seen window(String name, ServerProcess server, BenchDatabase database, double seconds) {
        double cpu = server.cpuSeconds();
        long begin = System.nanoTime();
        LockSupport.parkNanos((long) (seconds * 1e9));
        double took = (System.nanoTime() - begin) / 1e9;
        Load load = taken(waits, took);
        Seen seen = new Seen(load, stopped ? database.number(BACKLOG) : underWay.size(), database.number(DEAD));
        double megabytes = database.number("""
                select sum(pg_total_relation_size(relid)) from pg_stat_user_tables where schemaname = 'webhooks' and relname like 'queue%'
                """) / 1e6;
        Report.line("%-28s %9.0f %9.1f %9.1f %12.1f %9d %9d %9.1f %9.2f", name, load.perSecond(), load.p50Millis(), load.p99Millis(),
                taken(commits, took).p99Millis(), seen.backlog, seen.dead, megabytes, (server.cpuSeconds() - cpu) / took);
        return seen;
    }

    private static Load taken(Queue<Long> nanos, double seconds) {
        List<Long> taken = new ArrayList<>();
        for (Long one = nanos.poll(); one != null; one = nanos.poll()) {
            taken.add(one);
        }
        return Load.of(taken.stream().mapToLong(Long::longValue).toArray(), 0, 0, seconds);
    }

    /** Waits until every event was fanned out and every delivery is done; how long that took. */
    private static double drain(BenchDatabase database) {
        long begin = System.nanoTime();
        long end = begin + TimeUnit.SECONDS.toNanos((long) DRAINED_SECONDS_MAX * 5);
        while (database.number(BACKLOG) > 0) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("the backlog did not go back to nothing: %d are left".formatted(database.number(BACKLOG)));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
