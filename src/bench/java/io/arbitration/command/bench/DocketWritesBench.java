package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.FilingPool.Filing;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Submissions and approvals a second, on many cases and on one, against one statement of SQL that writes the same in
 * pgbench on the same database, turn by turn in one run.
 */
@Command(name = "docket-writes", description = "Submissions and approvals over HTTP against the same writes in pgbench.",
        mixinStandardHelpOptions = true)
final class DocketWritesBench implements Callable<Integer> {

    /** What follows a write (webhooks, alerts) is another node's work here: SQL does none of it. */
    private static final String AREAS = "auth,cases,api";
    private static final int PEOPLE = 10;
    /** Filings made ready for a second of load; a rate above it ends the benchmark. */
    private static final int FILINGS_PER_SECOND = 15_000;
    private static final int READS_PER_SECOND = 300;
    /** A quota is counted at each submission: so many go to one hot case, then to the next one, as real quotas would have it. */
    private static final int SUBMISSIONS_PER_CASE = 1000;

    @Mixin
    private BenchOptions options;

    @Option(names = "--connections", defaultValue = "64", description = "HTTP connections (${DEFAULT-VALUE}).")
    private int connections;

    @Option(names = "--cases", defaultValue = "200", description = "How many are many cases (${DEFAULT-VALUE}).")
    private int caseCount;

    private final SqlLoad sqlLoad = Programs.find("pgbench").<SqlLoad>map(Pgbench::new).orElseGet(JdbcLoad::new);
    private final Rounds sqlApprovals = new Rounds();
    private final Rounds sqlHotApprovals = new Rounds();
    private final Rounds sqlSubmissions = new Rounds();
    private final Rounds approvals = new Rounds();
    private final Rounds hotApprovals = new Rounds();
    private final Rounds sqlHotSubmissions = new Rounds();
    private final Rounds submissions = new Rounds();
    private final Rounds hotSubmissions = new Rounds();
    private Load readsAlone;
    private Load readsBeside;
    private Load writesBeside;

    @Override
    public Integer call() {
        try (BenchSite site = BenchSite.open(options.databaseText());
                ServerProcess server = site.start(Map.of("ACP_AREAS_ENABLED", AREAS));
                BenchPeople people = new BenchPeople(server.address(), site);
                BenchDatabase database = BenchDatabase.open(site.database())) {
            int many = options.quick ? 10 : caseCount;
            int hot = Math.toIntExact(Math.ceilDiv(filings(), SUBMISSIONS_PER_CASE));
            Report.progress("preparing %d cases".formatted(2 * (many + hot)));
            List<Person> claimants = people.all(PEOPLE, people::claimant);
            List<Person> managers = people.all(PEOPLE, i -> people.signIn("manager-%d@bench.example".formatted(i), "Maya", "Manager"));
            List<OpenCase> cases = people.openCases(2 * (many + hot), claimants, managers);
            FilingPool pool = FilingPool.of(people, database, cases);
            Cases http = new Cases(cases.subList(0, many), cases.subList(many, many + hot));
            List<OpenCase> rest = cases.subList(many + hot, cases.size());
            measure(site, server, pool, http, new Cases(rest.subList(0, many), rest.subList(many, rest.size())));
            report(many);
            check(people, List.of(http.many.getFirst(), http.many.get(many / 2), http.hot.getFirst()));
        }
        return 0;
    }

    /** Cases written to all at once, and hot ones, one at a time. SQL has cases of its own, because it keeps no true hash chain. */
    private record Cases(List<OpenCase> many, List<OpenCase> hot) {

        List<OpenCase> oneHot() {
            return hot.subList(0, 1);
        }
    }

    private void measure(BenchSite site, ServerProcess server, FilingPool pool, Cases http, Cases sql) {
        Report.progress("warming up, %d s".formatted(options.warmUp().toSeconds()));
        for (Duration left = options.warmUp(); left.isPositive(); left = left.minus(options.phase())) {
            load(server, requests(pool, http.many, "submitted", BenchPeople::approve));
        }
        for (int round = 1; round <= options.rounds(); round++) {
            Report.progress("round %d of %d".formatted(round, options.rounds()));
            sqlApprovals.add(sql(site, pool, "approve", () -> pool.freshTurns(sql.many, "submitted", each(sql.many))));
            http(server, approvals, requests(pool, http.many, "submitted", BenchPeople::approve));
            sqlHotApprovals.add(sql(site, pool, "approve", () -> pool.freshTurns(sql.oneHot(), "submitted", filings())));
            http(server, hotApprovals, requests(pool, http.oneHot(), "submitted", BenchPeople::approve));
            sqlSubmissions.add(sql(site, pool, "submit", () -> pool.freshTurns(sql.many, "draft", each(sql.many))));
            http(server, submissions, requests(pool, http.many, "draft", BenchPeople::submit));
            sqlHotSubmissions.add(sql(site, pool, "submit", () -> pool.freshTurnsCaseByCase(sql.hot, "draft", SUBMISSIONS_PER_CASE)));
            http(server, hotSubmissions, caseByCase(pool, http.hot));
        }
        measureReadsBeside(server, pool, http.many);
    }

    /** What those who read wait, with nobody else there and while as many filings are approved as can be, on the same cases. */
    private void measureReadsBeside(ServerProcess server, FilingPool pool, List<OpenCase> cases) {
        Report.progress("reading beside writes");
        List<Request> lists = cases.stream().map(BenchPeople::list).toList();
        JvmLoad reader = new JvmLoad();
        reader.paced(server.address(), lists, connections, READS_PER_SECOND, options.phase());
        readsAlone = reader.paced(server.address(), lists, connections, READS_PER_SECOND, options.phase()).faultless("reads alone");
        List<Request> approvals = requests(pool, cases, "submitted", BenchPeople::approve);
        CompletableFuture<Load> writes = CompletableFuture.supplyAsync(() -> load(server, approvals));
        readsBeside = reader.paced(server.address(), lists, connections, READS_PER_SECOND, options.phase()).faultless("reads beside writes");
        writesBeside = writes.join();
    }

    private long filings() {
        return options.inPhase(FILINGS_PER_SECOND);
    }

    private long each(List<OpenCase> cases) {
        return Math.ceilDiv(filings(), cases.size());
    }

    /** Requests of one kind, in an order in which neighbours are seldom of one case. */
    private List<Request> requests(FilingPool pool, List<OpenCase> cases, String state, BiFunction<OpenCase, String, Request> request) {
        List<Filing> filings = new ArrayList<>(pool.fresh(cases, state, each(cases)));
        Collections.shuffle(filings, new Random(1));
        return filings.stream().map(filing -> request.apply(filing.open(), String.valueOf(filing.id()))).toList();
    }

    /** Submissions that all go to one case, then all to the next. */
    private static List<Request> caseByCase(FilingPool pool, List<OpenCase> cases) {
        return pool.fresh(cases, "draft", SUBMISSIONS_PER_CASE).stream()
                .sorted(Comparator.comparing(filing -> filing.open().id()))
                .map(filing -> BenchPeople.submit(filing.open(), String.valueOf(filing.id())))
                .toList();
    }

    private void http(ServerProcess server, Rounds rounds, List<Request> requests) {
        rounds.add(server, () -> load(server, requests));
    }

    private Load load(ServerProcess server, List<Request> requests) {
        return options.loadGenerator().once(server.address(), requests, connections, options.phase()).faultless(requests.getFirst().path());
    }

    private double sql(BenchSite site, FilingPool pool, String statement, Runnable freshTurns) {
        freshTurns.run();
        double perSecond = sqlLoad.perSecond(site.database(), List.of(resource(statement)), options.phase());
        pool.checkTurns();
        return perSecond;
    }

    private static String resource(String statement) {
        String name = "/bench/" + statement + ".sql";
        try (InputStream sql = DocketWritesBench.class.getResourceAsStream(name)) {
            return new String(sql.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException failed) {
            throw new BenchFailed("cannot read " + name, failed);
        }
    }

    private void report(int many) {
        Report.title("Filings decided a second: the platform over HTTP against one statement of SQL that reads, locks and writes the same, and notifies nobody");
        Report.line("%s: %d connections; %s: %d clients; %d rounds of %.1f s; %d cores; areas %s",
                options.loadGenerator().name(), connections, sqlLoad.name(), SqlLoad.CLIENTS, options.rounds(),
                options.phaseSeconds(), Runtime.getRuntime().availableProcessors(), AREAS);
        Report.title("Approvals on %d cases: filing, docket entry, head, audit line, event", many);
        Report.rates("writes", sqlApprovals, Map.entry("HTTP", approvals));
        Report.title("Approvals on one hot case");
        Report.rates("writes", sqlHotApprovals, Map.entry("HTTP", hotApprovals));
        Report.title("Submissions on %d cases: filing, audit line, event", many);
        Report.rates("writes", sqlSubmissions, Map.entry("HTTP", submissions));
        Report.title("Submissions on one hot case after another, %d each", SUBMISSIONS_PER_CASE);
        Report.rates("writes", sqlHotSubmissions, Map.entry("HTTP", hotSubmissions));
        Report.title("Docket lists of the same cases, %d a second, alone and while %.0f filings a second are approved",
                READS_PER_SECOND, writesBeside.perSecond());
        Report.line("%-40s p50 %8.2f ms, p99 %8.2f ms", "alone", readsAlone.p50Millis(), readsAlone.p99Millis());
        Report.line("%-40s p50 %8.2f ms, p99 %8.2f ms", "beside writes", readsBeside.p50Millis(), readsBeside.p99Millis());
        Report.title("Targets");
        Report.target("ratio, approvals on many cases", approvals.ratio(sqlApprovals), "≥", 1.5, "× one statement of SQL");
        Report.target("ratio, approvals on one hot case", hotApprovals.ratio(sqlHotApprovals), "≥", 8, "× one statement of SQL");
    }

    /** The dockets that were written under load must stand. */
    private static void check(BenchPeople people, List<OpenCase> cases) {
        for (OpenCase open : cases) {
            JsonObject report = (JsonObject) people.post(new Request("/api/docket/verify", open.claimant().token(),
                    new JsonObject().put("caseID", open.id()).encode()));
            if (!report.getBoolean("valid")) {
                throw new BenchFailed("the docket of case %s is not valid: %s".formatted(open.id(), report.encode()));
            }
        }
        Report.line("%-40s %12d", "dockets verified", cases.size());
    }
}
