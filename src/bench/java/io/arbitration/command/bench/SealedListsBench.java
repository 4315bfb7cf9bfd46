package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Docket lists of cases with sealed entries against those of as many cases that never had any, turn by turn in one run: read by the
 * side that sees all of it and by the one that does not, from the warm cache and from rows.
 */
final class SealedListsBench {

    /** One in ten entries is sealed. */
    private static final int SEALED_EVERY = 10;
    private static final int CONNECTIONS = 32;
    /** Of each kind: enough that all connections seldom ask for the same one, few enough that filling them takes seconds. */
    private static final int CASES = 40;
    /** For each of two platforms; one reading is all that they do. */
    private static final Duration WARM_UP_MOST = Duration.ofSeconds(12);
    private static final double RATIO_MIN = 0.95;
    /** As long as what stands in the place of a sealed one, so that both lists have the same length. */
    private static final String TITLE = "Letter on dates";
    private static final JsonObject FIELDS = new JsonObject().put("documentServed", "Statement of claim")
            .put("servedOn", "Respondent Cranes Ltd").put("serviceDate", "2026-05-04").put("signedBy", "Clara Claimant");

    private final BenchSite site;
    private final BenchOptions options;
    private final BenchPeople people;
    private final int entries;

    SealedListsBench(BenchSite site, BenchOptions options, BenchPeople people) {
        this.site = site;
        this.options = options;
        this.people = people;
        this.entries = options.quick ? 2 * SEALED_EVERY : 50;
    }

    /** Both halves of what is compared, as the same people read them. */
    private record Lists(List<Request> open, List<Request> sealed) {}

    /** @param warm the platform whose cache holds all lists */
    void run(ServerProcess warm) {
        Lists lists = fill(options.quick ? 5 : CASES);
        try (ServerProcess rows = site.startBeside(Map.of("ACP_DOCKET_CACHE_BYTES_MAX", "0"))) {
            Report.progress("warming docket lists up, twice %d s".formatted(warmUp().toSeconds()));
            for (ServerProcess server : List.of(warm, rows)) {
                load(server, Stream.concat(lists.open.stream(), lists.sealed.stream()).toList(), "warm-up", warmUp());
            }
            Rounds openWarm = new Rounds();
            Rounds sealedWarm = new Rounds();
            Rounds openRows = new Rounds();
            Rounds sealedRows = new Rounds();
            int turns = 2 * options.rounds();
            for (int round = 1; round <= turns; round++) {
                Report.progress("docket lists, round %d of %d".formatted(round, turns));
                // Whatever changes on the machine meanwhile meets both alike.
                boolean sealedFirst = round % 2 == 0;
                measure(warm, lists, openWarm, sealedWarm, sealedFirst);
                measure(rows, lists, openRows, sealedRows, sealedFirst);
            }
            Report.title("Docket lists of %d cases of %d entries, %d of which are sealed, and of as many without a seal; %d connections; %d rounds of %d s",
                    lists.open.size() / 2, entries, entries / SEALED_EVERY, CONNECTIONS, turns, options.phase().toSeconds());
            Report.rates("lists", "without seals, warm cache", openWarm, Map.entry("with seals, warm cache", sealedWarm));
            Report.rates("lists", "without seals, from rows", openRows, Map.entry("with seals, from rows", sealedRows));
            Report.target("lists with seals, warm cache", sealedWarm.ratio(openWarm), "≥", RATIO_MIN, "× without");
            Report.target("lists with seals, from rows", sealedRows.ratio(openRows), "≥", RATIO_MIN, "× without");
        }
    }

    private void measure(ServerProcess server, Lists lists, Rounds open, Rounds sealed, boolean sealedFirst) {
        for (boolean isSealed : List.of(sealedFirst, !sealedFirst)) {
            (isSealed ? sealed : open).add(server, () -> load(server, isSealed ? lists.sealed : lists.open, "docket lists", options.phase()));
        }
    }

    private Load load(ServerProcess server, List<Request> requests, String what, Duration time) {
        return options.loadGenerator().repeat(server.address(), requests, CONNECTIONS, time).faultless(what);
    }

    private Duration warmUp() {
        return options.warmUp().compareTo(WARM_UP_MOST) < 0 ? options.warmUp() : WARM_UP_MOST;
    }

    private Lists fill(int count) {
        Report.progress("preparing %d cases of %d entries".formatted(2 * count, entries));
        Person manager = people.signIn("sealer@bench.example", "Maya", "Manager");
        List<OpenCase> cases = people.openCases(2 * count, List.of(people.claimant(1)), List.of(manager));
        Person respondent = people.signIn("respondent@bench.example", "Rolf", "Respondent");
        people.all(cases.size(), i -> {
            OpenCase open = cases.get(i);
            people.post(new Request("/cases/cases/participants/add", manager.token(), new JsonObject().put("caseID", open.id())
                    .put("userID", respondent.id()).put("partyID", "respondent").encode()));
            IntStream.rangeClosed(1, entries).forEach(number -> people.post(BenchPeople.submit(open, people.draft(open, "certificateOfService", TITLE, FIELDS))));
            if (i >= count) {
                seal(open);
            }
            return open;
        });
        return new Lists(lists(cases.subList(0, count), respondent), lists(cases.subList(count, cases.size()), respondent));
    }

    private void seal(OpenCase open) {
        JsonArray docket = ((JsonObject) people.post(BenchPeople.list(open))).getJsonArray("entries");
        for (int i = 0; i < docket.size(); i += SEALED_EVERY) {
            people.post(new Request("/api/docket/entries/seal", open.manager().token(), new JsonObject().put("caseID", open.id())
                    .put("entryID", docket.getJsonObject(i).getString("entryID")).put("visibleTo", new JsonArray()).put("reason", "A trade secret.").encode()));
        }
    }

    /**
     * Of each case the list of its claimant, who sees all of it, and of its respondent. The two are far apart: who reads the same list at the same
     * moment is served by one reading, which a case without a seal has for both parties.
     */
    private static List<Request> lists(List<OpenCase> cases, Person respondent) {
        return Stream.concat(cases.stream().map(BenchPeople::list), cases.stream().map(BenchPeople::list)
                .map(ofClaimant -> new Request(ofClaimant.path(), respondent.token(), ofClaimant.body()))).toList();
    }
}
