package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Many event streams that wait, what each takes of the heap, and how long after its commit an event arrives. */
@Command(name = "live", description = "Event streams that wait, and how soon an event arrives.", mixinStandardHelpOptions = true)
final class LiveBench implements Callable<Integer> {

    private static final int EVENTS_PER_SECOND = 20;
    private static final int KILOBYTES_ASKED = 10;
    private static final int FOLLOWERS = 100;
    private static final int CLASSES_SHOWN = 40;

    @Mixin
    private BenchOptions options;

    @Option(names = "--streams", defaultValue = "10000", description = "Streams that wait (${DEFAULT-VALUE}).")
    private int streams;

    @Override
    public Integer call() throws IOException {
        String most = String.valueOf(streams + FOLLOWERS);
        // What else the bounds of a node let it hold is made small, so that this many streams fit the usual heap.
        Map<String, String> settings = Map.of("ACP_LIVE_STREAMS_MAX", most, "ACP_LIVE_STREAMS_PER_CALLER", String.valueOf(Math.min(streams, 10_000)), "ACP_HTTP_CONNECTIONS_MAX", String.valueOf(streams + 500),
                "ACP_HTTP_CONNECTIONS_PER_ADDRESS", String.valueOf(streams + 500), "ACP_DOCKET_CACHE_BYTES_MAX", "0", "ACP_HTTP_BODIES_BYTES_MAX", "16777216",
                "ACP_EVIDENCE_TRANSFERS_MAX", "4", "ACP_EXPORT_AT_ONCE_MAX", "1", "ACP_RATE_LIMIT_PER_CALLER", "100000");
        try (BenchSite site = BenchSite.open(options.databaseText()); ServerProcess server = site.start(settings);
                BenchPeople people = new BenchPeople(server.address(), site); StreamReaders readers = new StreamReaders(server.address());
                BenchDatabase database = BenchDatabase.open(site.database())) {
            Person manager = people.signIn("maya@bench.example", "Maya", "Manager");
            List<OpenCase> cases = people.openCases(2, List.of(people.claimant(0), people.claimant(1)), List.of(manager));
            // Once, so that what the first stream loads and starts is not counted for all.
            readers.open(FOLLOWERS, cases.getFirst().claimant().token());
            double before = server.liveHeapMegabytes();
            Map<String, Long> classesBefore = server.liveBytesByClass();
            Report.progress("opening %d streams".formatted(streams));
            readers.open(streams, cases.getLast().claimant().token());
            double after = server.liveHeapMegabytes();
            Report.title("%d event streams that wait", streams);
            Report.target("heap of each, its connection included", (after - before) * 1024 / streams, "≤", KILOBYTES_ASKED, "KB");
            Report.line("heap in use before and with them: %.1f and %.1f MB; memory of the process %.0f MB", before, after, server.residentMegabytes());
            Map<String, Long> classes = server.liveBytesByClass();
            Report.line("of each, by class: %s", classes.entrySet().stream().map(one -> Map.entry(one.getKey(), (one.getValue() - classesBefore.getOrDefault(one.getKey(), 0L)) / streams))
                    .filter(one -> one.getValue() > 0).sorted(Map.Entry.<String, Long>comparingByValue().reversed()).limit(CLASSES_SHOWN)
                    .map(one -> "%s %d".formatted(one.getKey(), one.getValue())).collect(Collectors.joining(", ")));
            double cpu = server.cpuSeconds();
            Duration time = options.phase().multipliedBy(options.rounds());
            happen(database, cases.getFirst(), time);
            readers.awaitEach(BenchOptions.count(EVENTS_PER_SECOND, time) * FOLLOWERS);
            List<Double> millis = readers.millis();
            Report.title("Events in a case that %d of them follow, %d a second for %.1f s", FOLLOWERS, EVENTS_PER_SECOND, time.toMillis() / 1e3);
            Report.target("p99 from commit to arrival", millis.get((int) (millis.size() * 0.99)), "≤", 1000, "ms (p50 %.1f)".formatted(millis.get(millis.size() / 2)));
            Report.line("CPU of the server: %.2f s", server.cpuSeconds() - cpu);
        }
        return 0;
    }

    private static void happen(BenchDatabase database, OpenCase open, Duration time) {
        long begin = System.nanoTime();
        for (int i = 0; i < BenchOptions.count(EVENTS_PER_SECOND, time); i++) {
            LockSupport.parkNanos(begin + i * Duration.ofSeconds(1).toNanos() / EVENTS_PER_SECOND - System.nanoTime());
            database.run("""
                    with e as (select gen_random_uuid() as id)
                    insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                    select id, 'phase_changed', '%s', now(), '{"id":"' || id || '","at":' || extract(epoch from clock_timestamp()) * 1000 || '}' from e;
                    select pg_notify('platform_events', '')""".formatted(open.id()));
        }
    }
}
