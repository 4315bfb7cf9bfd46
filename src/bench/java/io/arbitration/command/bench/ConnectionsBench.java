package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Docket lists over few and over many connections that stay open, with HTTP/1.1 and HTTP/2, in one run on one node: whether the rate stays,
 * and what each connection takes of the memory.
 */
@Command(name = "connections", description = "Docket lists over 512 and over 10,000 kept connections, HTTP/1.1 and HTTP/2.", mixinStandardHelpOptions = true)
final class ConnectionsBench implements Callable<Integer> {

    private static final double RATE_LEAST = 0.8;
    private static final int KILOBYTES_MOST = 40;
    private static final int CASES = 20;
    private static final int ENTRIES = 10;
    private static final JsonObject FIELDS = new JsonObject().put("documentServed", "Statement of claim").put("servedOn", "Respondent Cranes Ltd")
            .put("serviceDate", "2026-05-04").put("signedBy", "Clara Claimant");

    @Mixin
    private BenchOptions options;

    @Option(names = "--few", defaultValue = "512", description = "Connections of the reference (${DEFAULT-VALUE}).")
    private int few;

    @Option(names = "--many", defaultValue = "10000", description = "Connections that are compared with it (${DEFAULT-VALUE}).")
    private int many;

    @Option(names = "--protocol", split = ",", defaultValue = "HTTP/1.1,HTTP/2", description = "Of these alone (${DEFAULT-VALUE}).")
    private List<String> protocols;

    @Override
    public Integer call() {
        if (options.quick) {
            few = Math.min(few, 8);
            many = Math.min(many, 40);
        }
        String most = String.valueOf(2 * many + 100);
        // What else the bounds of a node let it hold is made small, so that this many connections fit the usual heap.
        Map<String, String> settings = Map.of("ACP_HTTP_CONNECTIONS_MAX", most, "ACP_HTTP_CONNECTIONS_PER_ADDRESS", most, "ACP_LIVE_STREAMS_MAX", "10",
                "ACP_HTTP_BODIES_BYTES_MAX", "16777216", "ACP_EVIDENCE_TRANSFERS_MAX", "4", "ACP_EXPORT_AT_ONCE_MAX", "1", "ACP_HTTP_IDLE_SECONDS", "600");
        try (BenchSite site = BenchSite.open(options.databaseText())) {
            for (String protocol : protocols) {
                // One node for each, so that neither finds the memory that the other left behind.
                try (ServerProcess server = site.start(settings); BenchPeople people = new BenchPeople(server.address(), site)) {
                    measure(server, protocol, fill(people, protocols.indexOf(protocol)));
                }
            }
        }
        return 0;
    }

    private List<Request> fill(BenchPeople people, int first) {
        int count = options.quick ? 2 : CASES;
        Report.progress("preparing %d cases of %d entries".formatted(count, ENTRIES));
        List<Person> claimants = people.all(count, i -> people.claimant(first * CASES + i));
        List<OpenCase> cases = people.openCases(count, claimants, List.of(people.signIn("manager@bench.example", "Maya", "Manager")));
        people.all(count, i -> {
            IntStream.range(0, ENTRIES).forEach(entry -> people.post(BenchPeople.submit(cases.get(i),
                    people.draft(cases.get(i), "certificateOfService", "Certificate of service " + entry, FIELDS))));
            return cases.get(i);
        });
        return cases.stream().map(BenchPeople::list).toList();
    }

    private static HttpVersion version(String protocol) {
        return switch (protocol) {
            case "HTTP/1.1" -> HttpVersion.HTTP_1_1;
            case "HTTP/2" -> HttpVersion.HTTP_2;
            default -> throw new BenchFailed("--protocol is HTTP/1.1 or HTTP/2, not " + protocol);
        };
    }

    private void measure(ServerProcess server, String protocol, List<Request> lists) {
        HttpVersion version = version(protocol);
        Rounds byFew = new Rounds();
        Rounds byMany = new Rounds();
        try (KeptConnections fewOpen = new KeptConnections(server.address(), version); KeptConnections manyOpen = new KeptConnections(server.address(), version)) {
            Report.progress("%s: warming up %d connections".formatted(protocol, few));
            fewOpen.open(few, lists.getFirst());
            fewOpen.repeat(lists, options.warmUp()).faultless("warm-up");
            double heapBefore = server.liveHeapMegabytes();
            double residentBefore = server.residentMegabytes();
            Report.progress("%s: opening %d connections".formatted(protocol, many));
            manyOpen.open(many, lists.getFirst());
            double heapOpen = server.liveHeapMegabytes();
            double residentOpen = server.residentMegabytes();
            manyOpen.repeat(lists, options.phase()).faultless("first load over many connections");
            for (int round = 1; round <= options.rounds(); round++) {
                Report.progress("%s: round %d of %d".formatted(protocol, round, options.rounds()));
                byFew.add(server, () -> fewOpen.repeat(lists, options.phase()).faultless("few connections"));
                byMany.add(server, () -> manyOpen.repeat(lists, options.phase()).faultless("many connections"));
            }
            double heapBusy = server.liveHeapMegabytes();
            Report.title("Docket lists, %s, %.1f KB each; %d rounds of %.1f s", protocol, byFew.bytesPerAnswer() / 1000, options.rounds(), options.phaseSeconds());
            Report.rates("lists", "%d connections".formatted(few), byFew, Map.entry("%d connections".formatted(many), byMany));
            Report.target("ratio, %s".formatted(protocol), byMany.ratio(byFew), "≥", RATE_LEAST, "× of %d connections".formatted(few));
            Report.target("heap of each that waits, %s".formatted(protocol), (heapOpen - heapBefore) * 1024 / many, "≤", KILOBYTES_MOST, "KB");
            Report.target("heap of each after its load, %s".formatted(protocol), (heapBusy - heapBefore) * 1024 / many, "≤", KILOBYTES_MOST, "KB");
            Report.target("memory of each that waits, %s".formatted(protocol), (residentOpen - residentBefore) * 1024 / many, "≤", KILOBYTES_MOST, "KB");
            Report.line("memory of the process: %.0f MB before, %.0f MB with %d open, %.0f MB after their load", residentBefore, residentOpen, many, server.residentMegabytes());
        }
    }
}
