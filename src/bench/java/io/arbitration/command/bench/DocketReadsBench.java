package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.FilingPool.Filing;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How long docket lists take while the same dockets grow: with nobody else there, beside a fixed rate of approvals, and beside
 * writers who approve as fast as they can; and where the time goes.
 */
@Command(name = "docket-reads", description = "Docket lists at a fixed rate, alone and beside approvals in the same cases.", mixinStandardHelpOptions = true)
final class DocketReadsBench implements Callable<Integer> {

    private static final String AREAS = "auth,cases,api";
    private static final int PEOPLE = 10;
    /** Filings made ready for a second of free writers; a rate above it ends the benchmark. */
    private static final int FREE_WRITES_PER_SECOND_MAX = 6000;
    private static final int WRITERS = 64;
    private static final int FILLED_PER_SECOND = 2000;
    private static final String LISTS = "operation=\"listDocketEntries\"";

    @Mixin
    private BenchOptions options;

    @Option(names = "--connections", defaultValue = "64", description = "HTTP connections of readers (${DEFAULT-VALUE}).")
    private int connections;

    @Option(names = "--cases", defaultValue = "200", description = "Cases that are read and written (${DEFAULT-VALUE}).")
    private int caseCount;

    @Option(names = "--entries", defaultValue = "50", description = "Entries of each docket at the beginning (${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--reads", defaultValue = "300", description = "Lists a second (${DEFAULT-VALUE}).")
    private int reads;

    @Option(names = "--writes", defaultValue = "300", description = "Approvals a second, where their rate is fixed (${DEFAULT-VALUE}).")
    private int writes;

    @Option(names = "--cache", paramLabel = "BYTES", description = "docket.cacheBytesMax of the platform; else its default.")
    private Optional<Long> cacheBytes;

    /** What else happens while lists are read. */
    private enum Beside {
        NOBODY("alone"), PACED("beside paced approvals"), FREE("beside free writers");

        private final String words;

        Beside(String words) {
            this.words = words;
        }
    }

    /** What a phase showed: times are those that readers measured, or means that the server measured. */
    private record Phase(Load lists, double writesPerSecond, double serverMillis, double poolWaitMillis, double statementMillis, double statementsPerList,
            double kept, double serverCpu, double collectorAndCompilersCpu, double machineCpu) {}

    @Override
    public Integer call() {
        int management = ServerProcess.freePort();
        try (BenchSite site = BenchSite.open(options.databaseText());
                ServerProcess server = site.start(settings(management));
                BenchPeople people = new BenchPeople(server.address(), site);
                BenchDatabase database = BenchDatabase.open(site.database())) {
            int many = options.quick ? 10 : caseCount;
            int begin = options.quick ? 5 : entries;
            Report.progress("preparing %d cases of %d entries".formatted(many, begin));
            List<Person> claimants = people.all(PEOPLE, people::claimant);
            List<Person> managers = people.all(PEOPLE, i -> people.signIn("manager-%d@bench.example".formatted(i), "Maya", "Manager"));
            List<OpenCase> cases = people.openCases(many, claimants, managers);
            FilingPool pool = FilingPool.of(people, database, cases);
            fill(server, approvals(pool, cases, (long) many * begin));
            List<Request> lists = cases.stream().map(BenchPeople::list).toList();
            Report.progress("warming up, %d s".formatted(options.warmUp().toSeconds()));
            new JvmLoad().repeat(server.address(), lists, connections, options.warmUp()).faultless("warm-up");
            List<List<Phase>> phases = new ArrayList<>();
            for (Beside beside : Beside.values()) {
                phases.add(new ArrayList<>());
            }
            for (int round = 0; round < options.rounds(); round++) {
                Report.progress("round %d of %d".formatted(round + 1, options.rounds()));
                for (Beside beside : Beside.values()) {
                    phases.get(beside.ordinal()).add(phase(server, management, pool, cases, lists, beside));
                }
            }
            report(many, begin, phases);
        }
        return 0;
    }

    private Map<String, String> settings(int managementPort) {
        Map<String, String> settings = new HashMap<>(Map.of("ACP_AREAS_ENABLED", AREAS, "ACP_MANAGEMENT_PORT", String.valueOf(managementPort)));
        cacheBytes.ifPresent(bytes -> settings.put("ACP_DOCKET_CACHE_BYTES_MAX", String.valueOf(bytes)));
        return settings;
    }

    /** As many approvals as there are, at a rate that the platform can keep up with. */
    private static void fill(ServerProcess server, List<Request> approvals) {
        int perSecond = Math.min(FILLED_PER_SECOND, approvals.size());
        int whole = approvals.size() / perSecond * perSecond;
        new JvmLoad().paced(server.address(), approvals, WRITERS, perSecond, Duration.ofSeconds(whole / perSecond)).faultless("filling");
    }

    private static List<Request> approvals(FilingPool pool, List<OpenCase> cases, long count) {
        List<Filing> filings = new ArrayList<>(pool.fresh(cases, "submitted", Math.ceilDiv(count, cases.size())));
        Collections.shuffle(filings, new Random(1));
        return filings.stream().map(filing -> BenchPeople.approve(filing.open(), String.valueOf(filing.id()))).toList();
    }

    private Phase phase(ServerProcess server, int management, FilingPool pool, List<OpenCase> cases, List<Request> lists, Beside beside) {
        Duration time = options.phase();
        List<Request> approvals = switch (beside) {
            case NOBODY -> List.of();
            case PACED -> approvals(pool, cases, options.inPhase(writes));
            case FREE -> approvals(pool, cases, options.inPhase(FREE_WRITES_PER_SECOND_MAX));
        };
        ServerMetrics before = ServerMetrics.of(management);
        ThreadTimes threads = server.threadTimes();
        double serverCpu = server.cpuSeconds();
        double machineCpu = ThreadTimes.machineSeconds().orElse(0.0);
        CompletableFuture<Double> written = CompletableFuture.supplyAsync(() -> switch (beside) {
            case NOBODY -> 0.0;
            case PACED -> new JvmLoad().paced(server.address(), approvals, WRITERS, writes, time).faultless("approvals").perSecond();
            case FREE -> new JvmLoad().once(server.address(), approvals, WRITERS, time).faultless("approvals").perSecond();
        });
        Load load = new JvmLoad().paced(server.address(), lists, connections, reads, time).faultless("lists " + beside.words);
        double perSecond = written.join();
        double cores = time.toMillis() / 1000.0;
        ServerMetrics after = ServerMetrics.of(management);
        double answered = after.since(before, "acp_operation_seconds_count", LISTS);
        return new Phase(load, perSecond, after.meanMillis(before, "acp_operation", LISTS), after.meanMillis(before, "vertx_pool_queue_time", "pool_type=\"sql\""),
                after.meanMillis(before, "vertx_sql_processing_time"), after.since(before, "vertx_sql_processing_time_seconds_count") / answered,
                after.since(before, "acp_docket_lists_total", "from=\"kept\"") / answered, (server.cpuSeconds() - serverCpu) / cores,
                server.threadTimes().secondsSince(threads, ThreadTimes.Kind.COLLECTOR, ThreadTimes.Kind.COMPILERS) / cores,
                (ThreadTimes.machineSeconds().orElse(0.0) - machineCpu) / cores);
    }

    private void report(int many, int begin, List<List<Phase>> phases) {
        Report.title("Docket lists, %d a second, of %d cases that have %d entries each at the beginning", reads, many, begin);
        Report.line("the JVM generator: %d connections; %d rounds of %.1f s; %d cores; areas %s", connections, options.rounds(), options.phaseSeconds(),
                Runtime.getRuntime().availableProcessors(), AREAS);
        Report.line("Medians of the rounds. Times in ms: those that readers measured, and means that the server measured. CPU in cores.");
        Report.line("%-24s %9s %8s %8s %8s %9s %10s %11s %8s %8s %9s %8s", "", "writes/s", "p50", "p99", "server", "pool wait", "statement", "stat./list",
                "kept", "CPU", "GC, JIT", "machine");
        for (Beside beside : Beside.values()) {
            List<Phase> all = phases.get(beside.ordinal());
            Report.line("%-24s %9.0f %8.2f %8.2f %8.2f %9.3f %10.3f %11.2f %7.0f%% %8.2f %9.2f %8.2f", beside.words, median(all, Phase::writesPerSecond),
                    median(all, phase -> phase.lists.p50Millis()), median(all, phase -> phase.lists.p99Millis()), median(all, Phase::serverMillis),
                    median(all, Phase::poolWaitMillis), median(all, Phase::statementMillis), median(all, Phase::statementsPerList),
                    100 * median(all, Phase::kept), median(all, Phase::serverCpu), median(all, Phase::collectorAndCompilersCpu), median(all, Phase::machineCpu));
        }
        Report.title("Targets");
        Report.target("p50 beside paced approvals", ratio(phases, Beside.PACED, Load::p50Millis), "≤", 2, "× alone");
        Report.target("p99 beside paced approvals", ratio(phases, Beside.PACED, Load::p99Millis), "≤", 3, "× alone");
        Report.target("p99 beside free writers", median(phases.get(Beside.FREE.ordinal()), phase -> phase.lists.p99Millis()), "≤", 250, "ms");
    }

    /** Taken within each round, because the machine is not the same in all of them. */
    private static double ratio(List<List<Phase>> phases, Beside beside, ToDoubleFunction<Load> of) {
        List<Phase> alone = phases.get(Beside.NOBODY.ordinal());
        List<Phase> others = phases.get(beside.ordinal());
        return median(IntStream.range(0, alone.size())
                .mapToDouble(i -> of.applyAsDouble(others.get(i).lists) / of.applyAsDouble(alone.get(i).lists)));
    }

    private static double median(List<Phase> phases, ToDoubleFunction<Phase> of) {
        return median(phases.stream().mapToDouble(of));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
