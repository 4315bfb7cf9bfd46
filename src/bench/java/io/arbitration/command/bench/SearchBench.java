package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.mainapi.search.SearchWiring;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long a search takes for somebody with 50 cases among many, over HTTP, and how the database answers it. */
@Command(name = "search", description = "Searches of a caller with 50 cases among a million documents.", mixinStandardHelpOptions = true)
final class SearchBench implements Callable<Integer> {

    private static final int CASES_OF_CALLER = 50;
    private static final int DOCUMENTS_PER_CASE = 50;
    private static final int WORDS_PER_DOCUMENT = 40;
    private static final int WORDS = 20_000;
    private static final double P99_MILLIS_MAX = 50;
    private static final int BATCH_CASES = 1000;

    @Mixin
    private BenchOptions options;

    @Option(names = "--documents", description = "Documents in the index (1000000; with --quick 10000).")
    private int documents;

    @Option(names = "--searches", defaultValue = "2000", description = "Searches that are measured (${DEFAULT-VALUE}).")
    private int searches;

    @Override
    public Integer call() throws SQLException {
        int count = documents > 0 ? documents : options.quick ? 10_000 : 1_000_000;
        try (BenchSite site = BenchSite.open(options.databaseText());
                ServerProcess server = site.start(Map.of());
                BenchPeople people = new BenchPeople(server.address(), site);
                Connection connection = BenchDatabase.connect(site.database())) {
            Person caller = people.signIn("reader@bench.example", "Rita", "Reader");
            fill(connection, count / DOCUMENTS_PER_CASE, caller.id());
            Random random = new Random(7);
            List<String> queries = IntStream.range(0, searches).mapToObj(i -> query(i, random)).toList();
            Report.progress("warming up");
            queries.stream().limit(options.quick ? 50 : 500).forEach(query -> search(people, caller, query));
            List<Double> millis = new ArrayList<>();
            int found = 0;
            for (String query : queries) {
                long begun = System.nanoTime();
                found += search(people, caller, query);
                millis.add((System.nanoTime() - begun) / 1e6);
            }
            List<Double> sorted = millis.stream().sorted().toList();
            Report.title("Searches over HTTP, one after the other: %,d documents in %,d cases, a caller with %d of them", count, count / DOCUMENTS_PER_CASE, CASES_OF_CALLER);
            Report.line("%d searches found %d documents on their first pages; p50 %.1f ms, p90 %.1f ms", searches, found, at(sorted, 0.5), at(sorted, 0.9));
            Report.target("p99", at(sorted, 0.99), "at most", P99_MILLIS_MAX, "ms");
            explain(connection, caller.id(), "'w0'");
            explain(connection, caller.id(), "'w15000'");
        }
        return 0;
    }

    private static double at(List<Double> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(sorted.size() * share)));
    }

    /** Words as frequent as in texts: a few are in most of them, most in few. */
    private static String word(Random random) {
        return "w" + (int) (Math.pow(random.nextDouble(), 3) * WORDS);
    }

    private static String query(int i, Random random) {
        return switch (i % 5) {
            case 0 -> "w" + random.nextInt(5);
            case 1 -> word(random);
            case 2 -> word(random) + " " + word(random);
            case 3 -> "\"%s %s\"".formatted("w" + random.nextInt(3), word(random));
            default -> "w%d -%s".formatted(random.nextInt(20), word(random));
        };
    }

    private static int search(BenchPeople people, Person caller, String query) {
        return ((JsonObject) people.post(new Request("/api/search", caller.token(), new JsonObject().put("query", query).encode()))).getJsonArray("results").size();
    }

    private void fill(Connection connection, int cases, String callerId) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set maintenance_work_mem = '512MB'");
            statement.execute("set synchronous_commit = off");
            statement.execute("drop index search.documents_words");
            // The docket itself is not searched.
            statement.execute("alter table mainapi.filings drop constraint filings_docketed_entry");
            for (int from = 0; from < cases; from += BATCH_CASES) {
                Report.progress("%d of %d cases".formatted(from, cases));
                batch(connection, from, Math.min(cases, from + BATCH_CASES), cases, callerId);
            }
            Report.progress("making the index");
            statement.execute("create index documents_words on search.documents using gin (words) with (fastupdate = off)");
            for (String table : List.of("search.documents", "search.pieces", "search.sources", "mainapi.filings", "cases.cases", "cases.participants", "mainapi.seals")) {
                statement.execute("vacuum (analyze) " + table);
            }
        }
    }

    private static void batch(Connection connection, int from, int to, int cases, String callerId) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                with made as materialized (
                  select gen_random_uuid() as case_id, n, now() - n * interval '1 minute' as at from generate_series(?, ? - 1) n),
                cased as (
                  insert into cases.cases (case_id, title, rule_set, phase_id, status, revision, response_deadline_days, created, created_by)
                  select case_id, 'Harbour ' || n || ' v. Cranes', 'commercial', 'caseFiling', 'open', 1, 14, at, gen_random_uuid() from made),
                parts as (
                  insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
                  select case_id, gen_random_uuid(), p, true, false, at, at from made, unnest(array['claimant', 'caseManager']) p
                  union all
                  select case_id, ?::uuid, 'respondent', true, false, at, at from made where n %% greatest(1, ? / %d) = 0),
                headed as (insert into mainapi.heads (case_id) select case_id from made),
                written as materialized (
                  select m.case_id, m.at + d * interval '1 second' as at, nextval('mainapi.filing_id') as filing_id, gen_random_uuid() as document_id,
                         (select string_agg('w' || floor(power(random(), 3) * %d)::int, ' ') from generate_series(1, %d + 0 * d)) as text
                  from made m, generate_series(1, %d) d),
                filed as (
                  insert into mainapi.filings (filing_id, case_id, document_id, phase_id, party_id, user_id, state, title, fields, revision, created, updated,
                    submitted_at, entry_id)
                  select filing_id, case_id, 'letterToTribunal', 'caseFiling', 'claimant', gen_random_uuid(), 'docketed', 'Letter', '{"letter":"' || text || '"}', 1, at, at, at, filing_id
                  from written),
                sourced as (
                  insert into search.sources (case_id, kind, ref, indexed) select case_id, 'filing', filing_id, 1 from written returning source_id, ref),
                indexed as (
                  insert into search.documents (document_id, source_id, case_id, kind, filing_id, sha256, title, at, has_text, words)
                  select w.document_id, s.source_id, w.case_id, 'filing', w.filing_id,
                         encode(sha256(convert_to('Letter' || E'\\n{"letter":"' || w.text || '"}', 'UTF8')), 'hex'), 'Letter', w.at, true,
                         strip(to_tsvector('simple', w.text)) || array_to_tsvector(array['c:' || w.case_id])
                  from written w join sourced s on s.ref = w.filing_id)
                insert into search.pieces (document_id, place, text, words)
                select document_id, 1, text, to_tsvector('simple', text) from written
                """.formatted(CASES_OF_CALLER, WORDS, WORDS_PER_DOCUMENT, DOCUMENTS_PER_CASE))) {
            insert.setInt(1, from);
            insert.setInt(2, to);
            insert.setString(3, callerId);
            insert.setInt(4, cases);
            insert.execute();
        }
    }

    /** The plan of the statement that the platform sends, with the values of one search. */
    private static void explain(Connection connection, String callerId, String word) throws SQLException {
        String[] values = {"'%s'::uuid".formatted(callerId), "'{}'::text[]", "null", "'c:'", "$$%s$$".formatted(word), "'{}'", "timestamptz '9999-12-31'",
            "'00000000-0000-0000-0000-000000000000'::uuid", "'{}'", "'{}'", "51", "$$%s$$".formatted(word)};
        String sql = SearchWiring.statement();
        for (int i = values.length; i > 0; i--) {
            sql = sql.replace("$" + i, values[i - 1].replace("$$", "\u0001"));
        }
        Report.title("Plan of a search for %s", word);
        try (Statement statement = connection.createStatement();
                ResultSet plan = statement.executeQuery("explain (analyze, buffers off, costs off, summary on) " + sql.replace("\u0001", "$$"))) {
            while (plan.next()) {
                Report.line("%s", plan.getString(1));
            }
        }
    }
}
