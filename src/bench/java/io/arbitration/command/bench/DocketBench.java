package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Docket lists a second: over HTTP from the warm cache and from rows, against the plain query in pgbench on the same
 * database, turn by turn in one run.
 */
@Command(name = "docket", description = "Docket lists over HTTP against the plain query in pgbench.", mixinStandardHelpOptions = true)
final class DocketBench implements Callable<Integer> {

    private static final int ENTRIES = 50;
    private static final int PACED_PER_SECOND = 300;
    private static final String TITLE = "Certificate of service %02d: notice of the claim and its annexes, by courier to the harbour office";
    private static final JsonObject FIELDS = new JsonObject().put("documentServed", "Statement of claim")
            .put("servedOn", "Respondent Cranes Ltd").put("serviceDate", "2026-05-04").put("signedBy", "Clara Claimant");
    private static final String PLAIN_QUERY = """
            select entry_id, entered_at, user_id, organization_id, phase_id, document_id, party_id, filing_id, title, supersedes
            from mainapi.entries where case_id = '%s' order by number""";

    @Mixin
    private BenchOptions options;

    @Option(names = "--connections", defaultValue = "32", description = "HTTP connections (${DEFAULT-VALUE}).")
    private int connections;

    @Option(names = "--peers", description = "Also measure the same list served by Fastify and postgres.js; needs node, npm and its registry.")
    private boolean peers;

    @Option(names = "--curve", description = "Also measure latency at rates from 300 a second on, until half of what the platform can.")
    private boolean curve;

    private final SqlLoad sqlLoad = Programs.find("pgbench").<SqlLoad>map(Pgbench::new).orElseGet(JdbcLoad::new);

    @Override
    public Integer call() {
        try (BenchSite site = BenchSite.open(options.databaseText())) {
            List<OpenCase> cases;
            List<Request> lists;
            try (ServerProcess server = site.start(Map.of()); BenchPeople people = new BenchPeople(server.address(), site)) {
                cases = fill(people, options.quick ? 2 : 100);
                lists = cases.stream().map(BenchPeople::list).toList();
                check(people, lists);
            }
            // The second start is one on a data folder that exists; the other platform finds the database running.
            try (ServerProcess warm = site.start(Map.of());
                    ServerProcess rows = site.startBeside(Map.of("ACP_DOCKET_CACHE_BYTES_MAX", "0"))) {
                Optional<FastifyPeer> peer = peers ? FastifyPeer.start(site.database(), warm.address()) : Optional.empty();
                try {
                    measure(site, cases, lists, warm, rows, peer);
                } finally {
                    peer.ifPresent(FastifyPeer::close);
                }
            }
        }
        return 0;
    }

    private static List<OpenCase> fill(BenchPeople people, int count) {
        Report.progress("preparing %d cases of %d entries".formatted(count, ENTRIES));
        int callers = Math.min(20, count);
        List<Person> claimants = people.all(callers, people::claimant);
        Person manager = people.signIn("manager@bench.example", "Maya", "Manager");
        List<OpenCase> cases = people.openCases(count, claimants, List.of(manager));
        people.all(count, i -> {
            OpenCase open = cases.get(i);
            IntStream.rangeClosed(1, ENTRIES).forEach(number -> {
                String filingId = people.draft(open, "certificateOfService", TITLE.formatted(number), FIELDS);
                people.post(BenchPeople.submit(open, filingId));
            });
            return open;
        });
        return cases;
    }

    private static void check(BenchPeople people, List<Request> lists) {
        for (Request list : lists) {
            int entries = ((JsonObject) people.post(list)).getJsonArray("entries").size();
            if (entries != ENTRIES) {
                throw new BenchFailed("a docket list has %d entries, not %d".formatted(entries, ENTRIES));
            }
        }
    }

    private void measure(BenchSite site, List<OpenCase> cases, List<Request> lists, ServerProcess warm, ServerProcess rows,
            Optional<FastifyPeer> peer) {
        LoadGenerator generator = options.loadGenerator();
        List<String> queries = cases.stream().map(open -> PLAIN_QUERY.formatted(open.id())).toList();
        Report.progress("warming up, %d s each".formatted(options.warmUp().toSeconds()));
        generator.repeat(warm.address(), lists, connections, options.warmUp()).faultless("warm cache");
        generator.repeat(rows.address(), lists, connections, options.warmUp()).faultless("from rows");
        sqlLoad.perSecond(site.database(), queries, options.phase());
        peer.ifPresent(fastify -> {
            fastify.mustAnswerAs(warm.address(), lists.getFirst());
            generator.repeat(fastify.address(), lists, connections, options.phase()).faultless("Fastify");
        });
        Rounds plain = new Rounds();
        Rounds fromCache = new Rounds();
        Rounds fromRows = new Rounds();
        Rounds fromPeer = new Rounds();
        for (int round = 1; round <= options.rounds(); round++) {
            Report.progress("round %d of %d".formatted(round, options.rounds()));
            plain.add(sqlLoad.perSecond(site.database(), queries, options.phase()));
            fromCache.add(warm, () -> generator.repeat(warm.address(), lists, connections, options.phase()).faultless("warm cache"));
            fromRows.add(rows, () -> generator.repeat(rows.address(), lists, connections, options.phase()).faultless("from rows"));
            peer.ifPresent(fastify -> fromPeer.add(
                    generator.repeat(fastify.address(), lists, connections, options.phase()).faultless("Fastify")));
        }
        Load paced = paced(warm.address(), lists);
        Report.title("Docket lists, authenticated, participant checked: %d cases of %d entries, %.1f KB a list",
                cases.size(), ENTRIES, fromCache.bytesPerAnswer() / 1000);
        Report.line("%s: %d connections; %s: %d clients; %d rounds of %.1f s; %d cores",
                generator.name(), connections, sqlLoad.name(), SqlLoad.CLIENTS, options.rounds(), options.phaseSeconds(),
                Runtime.getRuntime().availableProcessors());
        Report.rates("lists", plain, Map.entry("HTTP, warm cache", fromCache), Map.entry("HTTP, from rows", fromRows));
        if (peer.isPresent()) {
            Report.rate("Fastify, postgres.js, %d processes".formatted(FastifyPeer.PROCESSES), fromPeer, plain);
            Report.target("ratio, warm cache", fromCache.ratio(fromPeer), "≥", 5.5, "× Fastify");
        }
        if (curve) {
            curve(warm.address(), lists, fromCache.perSecond() / 2);
        }
        Report.target("ratio, warm cache", fromCache.ratio(plain), "≥", 2.3, "× the plain query");
        Report.target("ratio, from rows", fromRows.ratio(plain), "≥", 0.6, "× the plain query");
        Report.target("p99, paced at %d/s".formatted(PACED_PER_SECOND), paced.p99Millis(), "≤", 2, "ms (p50 %.2f)".formatted(paced.p50Millis()));
        Report.target("server CPU, warm cache", fromCache.cpuSecondsPerThousand(), "≤", 0.12, "s per 1,000 lists");
        Report.target("RSS under load", Math.max(fromCache.residentMegabytesMax(), fromRows.residentMegabytesMax()), "≤", 180, "MB, the JVM");
        Report.target("first answer, database running", rows.firstAnswerSeconds(), "≤", 1, "s");
        if (options.database().isEmpty()) {
            Report.target("first answer, with the database's start", warm.firstAnswerSeconds(), "≤", 2, "s");
        }
    }

    /** A load far below what the server can do, for the time that a caller waits. */
    private void curve(URI server, List<Request> lists, double perSecondMost) {
        for (int perSecond = PACED_PER_SECOND; perSecond < perSecondMost; perSecond *= 2) {
            Report.latency("latency over rate, warm cache", perSecond,
                    new JvmLoad().paced(server, lists, connections, perSecond, options.phase()).faultless("paced"));
        }
    }

    private Load paced(URI server, List<Request> lists) {
        Report.progress("pacing %d a second".formatted(PACED_PER_SECOND));
        JvmLoad generator = new JvmLoad();
        generator.paced(server, lists, connections, PACED_PER_SECOND, options.quick ? options.phase() : Duration.ofSeconds(10));
        return generator.paced(server, lists, connections, PACED_PER_SECOND, options.quick ? options.phase() : Duration.ofSeconds(20))
                .faultless("paced");
    }
}
