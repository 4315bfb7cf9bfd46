package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Profiles of a thousand users at a time: over HTTP against the same SQL in pgbench on the same database, turn by turn in one run. */
@Command(name = "profiles", description = "Lookups of 1,000 profiles over HTTP against the same SQL in pgbench.", mixinStandardHelpOptions = true)
final class ProfilesBench implements Callable<Integer> {

    private static final int IDS = 1000;
    private static final int LOOKUPS = 50;
    private static final long SEED = 20261121;
    /**
     * As the area asks, with the ids in the place of its parameter. A subselect, because PostgreSQL must not see how many there are
     * when it plans, as it does not with a parameter: for a constant it reads the whole table, which is slower.
     */
    private static final String QUERY = """
            select u.user_id, u.first_name, u.last_name from unnest((select '{%s}'::uuid[])) with ordinality as asked (user_id, place) \
            join identity_api.public_users u using (user_id) order by asked.place""";

    @Mixin
    private BenchOptions options;

    @Option(names = "--connections", defaultValue = "16", description = "HTTP connections (${DEFAULT-VALUE}).")
    private int connections;

    @Option(names = "--users", defaultValue = "20000", description = "Users of whom the thousands are drawn, one in fifty not public (${DEFAULT-VALUE}).")
    private int users;

    private final SqlLoad sqlLoad = Programs.find("pgbench").<SqlLoad>map(Pgbench::new).orElseGet(JdbcLoad::new);

    @Override
    public Integer call() {
        try (BenchSite site = BenchSite.open(options.databaseText()); ServerProcess server = site.start(Map.of());
                BenchPeople people = new BenchPeople(server.address(), site)) {
            Person caller = people.signIn("caller@bench.example", "Clara", "Caller");
            List<List<String>> lookups = drawn(fill(site));
            List<Request> requests = lookups.stream().map(ids -> request(caller, ids)).toList();
            List<String> queries = lookups.stream().map(ids -> QUERY.formatted(String.join(",", ids))).toList();
            check(people, requests.getFirst(), site, queries.getFirst());
            measure(site, server, requests, queries);
        }
        return 0;
    }

    private List<String> fill(BenchSite site) {
        Report.progress("preparing %d users".formatted(users));
        try (BenchDatabase database = BenchDatabase.open(site.database())) {
            database.run("""
                    insert into identity.users (user_id, provider, subject, email, first_name, last_name, public_profile, created, signed_in)
                    select gen_random_uuid(), 'bench', 'profile-' || n, 'profile-' || n || '@bench.example', 'Clara ' || n, 'Claimant-Bergström',
                           n %% 50 <> 0, now(), now()
                    from generate_series(1, %d) n
                    """.formatted(users));
            database.run("analyze identity.users");
            return database.pairs("select user_id, null from identity.users where subject like 'profile-%'").stream().map(pair -> pair[0]).toList();
        }
    }

    private static List<List<String>> drawn(List<String> ids) {
        Random random = new Random(SEED);
        return IntStream.range(0, LOOKUPS).mapToObj(i -> {
            List<String> shuffled = new ArrayList<>(ids);
            Collections.shuffle(shuffled, random);
            return List.copyOf(shuffled.subList(0, IDS));
        }).toList();
    }

    private static Request request(Person caller, List<String> ids) {
        return new Request("/profiles/users/public-profiles", caller.token(), new JsonObject().put("userIDs", new JsonArray(ids)).encode());
    }

    /** Both have to give the same people in the same order. */
    private static void check(BenchPeople people, Request request, BenchSite site, String query) {
        List<String> overHttp = ((JsonObject) people.post(request)).getJsonArray("profiles").stream()
                .map(profile -> ((JsonObject) profile).getString("id")).toList();
        try (BenchDatabase database = BenchDatabase.open(site.database())) {
            List<String> bySql = database.pairs(query).stream().map(pair -> pair[0]).toList();
            if (overHttp.size() < IDS * 9 / 10 || !overHttp.equals(bySql)) {
                throw new BenchFailed("the lookup gives %d profiles, the query %d".formatted(overHttp.size(), bySql.size()));
            }
        }
    }

    private void measure(BenchSite site, ServerProcess server, List<Request> requests, List<String> queries) {
        LoadGenerator generator = options.loadGenerator();
        Report.progress("warming up, %d s".formatted(options.warmUp().toSeconds()));
        generator.repeat(server.address(), requests, connections, options.warmUp()).faultless("lookups");
        sqlLoad.perSecond(site.database(), queries, options.phase());
        Rounds plain = new Rounds();
        Rounds overHttp = new Rounds();
        for (int round = 1; round <= options.rounds(); round++) {
            Report.progress("round %d of %d".formatted(round, options.rounds()));
            plain.add(sqlLoad.perSecond(site.database(), queries, options.phase()));
            overHttp.add(server, () -> generator.repeat(server.address(), requests, connections, options.phase()).faultless("lookups"));
        }
        Report.title("Profiles, %d ids a lookup of %d users, %.1f KB an answer", IDS, users, overHttp.bytesPerAnswer() / 1000);
        Report.line("%s: %d connections; %s: %d clients; %d rounds of %.1f s; %d cores",
                generator.name(), connections, sqlLoad.name(), SqlLoad.CLIENTS, options.rounds(), options.phaseSeconds(),
                Runtime.getRuntime().availableProcessors());
        Report.rates("lookups", plain, Map.entry("HTTP", overHttp));
        Report.target("ratio", overHttp.ratio(plain), "≥", 0.9, "of " + sqlLoad.name());
    }
}
