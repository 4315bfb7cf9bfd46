package io.arbitration.command.bench;

import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.command.bench.SizeOperations.Operation;
import io.arbitration.platform.db.EmbeddedPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Every operation on a small and on a large database, turn by turn at the same low rate: what grows with the platform shows in the ratio.
 * Then each statement's plan in both, with the rows and pages that it read, which no other work on the machine changes.
 */
@Command(name = "size", description = "Operations on 10,000 cases and on many, turn by turn, with the plans of their statements.", mixinStandardHelpOptions = true)
final class SizeBench implements Callable<Integer> {

    private static final double RATIO_MOST = 1.3;
    private static final int CONNECTIONS = 8;
    private static final int CASES_DRAWN = 100;
    private static final int PLANS_OF_AN_OPERATION = 12;
    private static final int BACKGROUND_SECONDS = 15;
    /** A statement grows when it reads more than so many times as much in the large database, and more than so much more. */
    private static final double GROWS = 1.5;
    private static final int GROWS_ROWS = 1_000;
    private static final int GROWS_PAGES = 200;
    /** One that did not run in the small database is told when it reads more than so many rows. */
    private static final int UNSEEN_ROWS = 10_000;
    private static final int SHOWN_OF_A_STATEMENT = 140;

    @Option(names = "--cases", defaultValue = "1000000", description = "Cases of the large database (${DEFAULT-VALUE}).")
    private int cases;

    @Option(names = "--few", defaultValue = "10000", description = "Cases of the small one (${DEFAULT-VALUE}).")
    private int few;

    @Option(names = "--folder", paramLabel = "DIR", required = true,
            description = "Folder that has a folder for each number of cases, made by ./acp bench fill-up; one that is missing is made.")
    private Path folder;

    @Option(names = "--only", defaultValue = "", paramLabel = "PATTERN", description = "Operations whose name contains this regular expression.")
    private Pattern only;

    @Option(names = "--rate", defaultValue = "20", description = "Requests a second (${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds; the medians of their percentiles are compared (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--seconds", defaultValue = "5", description = "Seconds of one operation in a round (${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--plans-only", description = "Only the plans, which other work on the machine does not change.")
    private boolean plansOnly;

    @Option(names = "--mixed-minutes", defaultValue = "0", description = "Minutes of all operations at once at the end, after which dead rows are counted (${DEFAULT-VALUE}).")
    private int mixedMinutes;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Sized small = new Sized(folder, few); Sized large = new Sized(folder, cases)) {
            List<Sized> both = List.of(small, large);
            List<String> names = small.operations.keySet().stream().filter(name -> only.matcher(name).find()).toList();
            both.forEach(sized -> sized.check(names));
            if (!plansOnly) {
                latencies(both, names);
            }
            plans(both, names);
            if (mixedMinutes > 0) {
                mixed(large, names);
            }
        }
        return 0;
    }

    /** A platform on one of the databases. */
    private static final class Sized implements AutoCloseable {

        private final FilledCases filled;
        private final BenchSite site;
        private final ServerProcess server;
        private final BenchPeople people;
        private final BenchDatabase database;
        private final PlanLog planLog;
        /** Where the institution's URL leads to. */
        private final WebhookSink sink;
        private final Map<String, Operation> operations = new LinkedHashMap<>();

        Sized(Path folder, int cases) throws IOException {
            Path own = folder.resolve(String.valueOf(cases));
            FillUpBench.fill(own, Optional.empty(), cases);
            site = BenchSite.keep(own, Optional.empty());
            try (EmbeddedPostgres embedded = EmbeddedPostgres.start(site.data(), 0)) {
                PlanLog.prepare(embedded.url());
            }
            server = site.start(WebhookSink.ALLOWED);
            people = new BenchPeople(server.address(), site);
            database = BenchDatabase.open(site.database());
            filled = FillUpBench.read(database);
            sink = new WebhookSink(URI.create(database.texts("select url from webhooks.urls where url_id = %d".formatted(filled.urlId())).getFirst()).getPort());
            planLog = new PlanLog(database, site.data().resolve("postgres.log"));
            new SizeOperations(people, filled, CASES_DRAWN).all().forEach(one -> operations.put(one.name(), one));
        }

        /** Each operation once, so that one that is refused is known before the others are measured for half an hour. */
        void check(List<String> names) {
            List<String> refused = new ArrayList<>();
            for (String name : names) {
                try {
                    operations.get(name).requests().apply(1).forEach(people::post);
                } catch (BenchFailed failed) {
                    refused.add(failed.getMessage());
                }
            }
            if (!refused.isEmpty()) {
                throw new BenchFailed(String.join("\n", refused));
            }
        }

        Load paced(String name, int rate, Duration duration) {
            List<Request> requests = operations.get(name).requests().apply(Math.toIntExact(BenchOptions.count(rate, duration)));
            return new JvmLoad().paced(server.address(), requests, CONNECTIONS, rate, duration).faultless(name);
        }

        /** Tables with more rows than the database has cases have are those that grow with it. */
        Set<String> largeTables() {
            return new TreeSet<>(database.texts("select relid::regclass::text from pg_stat_user_tables join pg_class c on c.oid = relid where c.reltuples >= %d".formatted(filled.cases())));
        }

        @Override
        public void close() {
            sink.close();
            database.close();
            people.close();
            server.close();
            site.close();
        }
    }

    private record Percentiles(List<Double> p50, List<Double> p99) {

        Percentiles() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        void add(Load load) {
            p50.add(load.p50Millis());
            p99.add(load.p99Millis());
        }

        static double median(List<Double> values) {
            return values.stream().sorted().toList().get(values.size() / 2);
        }
    }

    private void latencies(List<Sized> both, List<String> names) {
        Map<String, List<Percentiles>> measured = new LinkedHashMap<>();
        Map<String, List<Load>> first = new LinkedHashMap<>();
        for (String name : names) {
            Report.progress("for the first time: " + name);
            first.put(name, both.stream().map(sized -> sized.paced(name, rate, Duration.ofSeconds(seconds))).toList());
            measured.put(name, both.stream().map(sized -> new Percentiles()).toList());
        }
        for (int round = 1; round <= rounds; round++) {
            for (String name : names) {
                Report.progress("round %d of %d: %s".formatted(round, rounds, name));
                // The small one first in one round, the large one first in the next.
                for (int i : round % 2 == 1 ? List.of(0, 1) : List.of(1, 0)) {
                    measured.get(name).get(i).add(both.get(i).paced(name, rate, Duration.ofSeconds(seconds)));
                }
            }
        }
        Report.title("Operations at %d a second, one at a time, on %,d and on %,d cases; medians of %d rounds of %d s, in ms", rate, few, cases, rounds, seconds);
        Report.line("%-52s %8s %8s %8s %8s %10s %10s", "", "p50", "p50", "p99", "p99", "first p99", "first p99");
        for (String name : names) {
            List<Percentiles> of = measured.get(name);
            Report.line("%-52s %8.2f %8.2f %8.2f %8.2f %10.1f %10.1f", name, Percentiles.median(of.get(0).p50), Percentiles.median(of.get(1).p50),
                    Percentiles.median(of.get(0).p99), Percentiles.median(of.get(1).p99), first.get(name).get(0).p99Millis(), first.get(name).get(1).p99Millis());
        }
        for (String name : names) {
            List<Percentiles> of = measured.get(name);
            Report.target("p99 ratio, " + name, Percentiles.median(of.get(1).p99) / Percentiles.median(of.get(0).p99), "≤", RATIO_MOST, "× of %,d cases".formatted(few));
        }
    }

    /** What the runs of one statement read at most. */
    private record Read(long rows, long pages, Set<String> scans, Set<String> sequential, JsonObject plan) {

        static Read of(PlanLog.Run run) {
            return new Read(run.rows(), run.pages(), Set.of(run.scans()), run.sequential(), run.plan());
        }

        Read and(Read other) {
            Set<String> all = new TreeSet<>(scans);
            all.addAll(other.scans);
            Set<String> ends = new TreeSet<>(sequential);
            ends.addAll(other.sequential);
            return new Read(Math.max(rows, other.rows), Math.max(pages, other.pages), all, ends, pages >= other.pages ? plan : other.plan);
        }
    }

    private void plans(List<Sized> both, List<String> names) throws IOException, InterruptedException {
        List<Map<String, Map<String, Read>>> read = new ArrayList<>();
        for (Sized sized : both) {
            read.add(plans(sized, names));
        }
        Report.title("Statements, by what they read of %,d and of %,d cases", few, cases);
        Set<String> large = both.get(1).largeTables();
        JsonArray kept = new JsonArray();
        int statements = 0;
        int growing = 0;
        Set<String> sequential = new TreeSet<>();
        for (Map.Entry<String, Map<String, Read>> operation : read.get(1).entrySet()) {
            for (Map.Entry<String, Read> statement : operation.getValue().entrySet()) {
                Read in = statement.getValue();
                Optional<Read> before = Optional.ofNullable(read.get(0).getOrDefault(operation.getKey(), Map.of()).get(statement.getKey()));
                kept.add(new JsonObject().put("operation", operation.getKey()).put("statement", statement.getKey()).put("rows", in.rows).put("pages", in.pages)
                        .put("rowsOfFew", before.map(Read::rows).orElse(null)).put("pagesOfFew", before.map(Read::pages).orElse(null)).put("scans", new JsonArray(List.copyOf(in.scans)))
                        .put("plan", in.plan).put("planOfFew", before.map(Read::plan).orElse(null)));
                statements++;
                Set<String> ends = new TreeSet<>(in.sequential);
                ends.retainAll(large);
                ends.forEach(table -> sequential.add(table));
                boolean grows = before.map(small -> grows(in.rows, small.rows, GROWS_ROWS) || grows(in.pages, small.pages, GROWS_PAGES)).orElse(in.rows > UNSEEN_ROWS);
                if (grows) {
                    growing++;
                }
                if (grows || !ends.isEmpty()) {
                    Report.line("%s: %,d → %,d rows, %,d → %,d pages%s%n    %s%n    %s", operation.getKey(), before.map(Read::rows).orElse(-1L), in.rows, before.map(Read::pages).orElse(-1L), in.pages,
                            ends.isEmpty() ? "" : ", reads all of " + ends, shortened(statement.getKey()), in.scans.stream().collect(Collectors.joining(" | ")));
                }
            }
        }
        Path file = folder.resolve("plans-%d.json".formatted(cases));
        Files.writeString(file, kept.encodePrettily());
        Report.line("%d statements of %d operations and of no request; each with its plan in %s", statements, names.size(), file);
        Report.target("large tables that a statement read to the end", sequential.size(), "≤", 0, sequential.toString());
        Report.target("statements that read more in the large database", growing, "≤", 0, "");
    }

    private static boolean grows(long now, long before, int more) {
        return now > before * GROWS && now > before + more;
    }

    private static String shortened(String statement) {
        return statement.length() <= SHOWN_OF_A_STATEMENT ? statement : statement.substring(0, SHOWN_OF_A_STATEMENT) + " …";
    }

    private static Map<String, Map<String, Read>> plans(Sized sized, List<String> names) throws InterruptedException {
        Map<String, Map<String, Read>> all = new TreeMap<>();
        Report.progress("plans on %,d cases: of no request, %d s".formatted(sized.filled.cases(), BACKGROUND_SECONDS));
        sized.planLog.begin();
        TimeUnit.SECONDS.sleep(BACKGROUND_SECONDS);
        Map<String, Read> background = byStatement(sized.planLog.take());
        all.put("of no request", background);
        sized.planLog.end();
        for (String name : names) {
            Report.progress("plans on %,d cases: %s".formatted(sized.filled.cases(), name));
            List<Request> requests = sized.operations.get(name).requests().apply(PLANS_OF_AN_OPERATION);
            sized.planLog.begin();
            requests.forEach(sized.people::post);
            Map<String, Read> read = byStatement(sized.planLog.take());
            sized.planLog.end();
            // What runs all the time ran beside the requests by chance, but is theirs as well: a write is what gives it work.
            background.replaceAll((statement, before) -> read.containsKey(statement) ? before.and(read.get(statement)) : before);
            read.keySet().removeAll(background.keySet());
            all.put(name, read);
        }
        return all;
    }

    private static Map<String, Read> byStatement(List<PlanLog.Run> runs) {
        return runs.stream().collect(Collectors.toMap(PlanLog.Run::statement, Read::of, Read::and, TreeMap::new));
    }

    /** All operations at once, each at its share of the rate, and what vacuum leaves. */
    private void mixed(Sized sized, List<String> names) {
        Report.title("%d minutes of all operations at %d a second on %,d cases", mixedMinutes, rate, sized.filled.cases());
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(mixedMinutes);
        Map<String, Percentiles> measured = new LinkedHashMap<>();
        while (System.nanoTime() < end) {
            for (String name : names) {
                measured.computeIfAbsent(name, of -> new Percentiles()).add(sized.paced(name, rate, Duration.ofSeconds(1)));
            }
            Report.progress("%d s left".formatted(Math.max(0, TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime()))));
        }
        measured.forEach((name, of) -> Report.line("%-52s p50 %8.2f, p99 %8.2f", name, Percentiles.median(of.p50), Percentiles.median(of.p99)));
        sized.database.rowsOf("select relid::regclass::text, n_dead_tup, n_live_tup, autovacuum_count from pg_stat_user_tables where n_dead_tup > 1000 order by n_dead_tup desc limit 12", 4)
                .forEach(row -> Report.line("%-40s %s dead rows of %s, vacuumed %s times", row[0], row[1], row[2], row[3]));
        Report.target("tables with more than 10,000 dead rows and twice the fifth at which autovacuum begins", sized.database.number("""
                select count(*) from pg_stat_user_tables join pg_class c on c.oid = relid
                where n_dead_tup > 10000 and n_dead_tup > 0.4 * c.reltuples
                """), "≤", 0, "");
    }
}
