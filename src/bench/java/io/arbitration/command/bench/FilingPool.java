package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Filings to be decided, in any number: each case gets one through the service, the rest are copies of its row. Each
 * measurement takes fresh ones, because a filing is submitted and approved once.
 */
final class FilingPool {

    private static final String DOCUMENT = "letterToTribunal";
    private static final JsonObject FIELDS = new JsonObject()
            .put("subject", "Availability of the witnesses in the second week of May")
            .put("body", "We write on behalf of the claimant. Both witnesses can attend on any day of the second week. ".repeat(3));

    private final BenchDatabase database;
    private final Map<String, OpenCase> cases;

    private FilingPool(BenchDatabase database, Map<String, OpenCase> cases) {
        this.database = database;
        this.cases = cases;
    }

    static FilingPool of(BenchPeople people, BenchDatabase database, List<OpenCase> cases) {
        people.all(cases.size(), i -> {
            people.draft(cases.get(i), DOCUMENT, "Letter on the availability of witnesses", FIELDS);
            people.post(BenchPeople.submit(cases.get(i), people.draft(cases.get(i), DOCUMENT, "Letter on the availability of witnesses", FIELDS)));
            return i;
        });
        database.run("create schema if not exists bench");
        database.run("create table if not exists bench.templates (filing_id bigint primary key)");
        database.run("truncate bench.templates");
        database.run("insert into bench.templates select filing_id from mainapi.filings where state in ('draft', 'submitted')");
        return new FilingPool(database, cases.stream().collect(Collectors.toMap(OpenCase::id, open -> open)));
    }

    /** A filing and its case. */
    record Filing(OpenCase open, long id) {}

    /** So many fresh filings of each of these cases, in the state that the template has. */
    List<Filing> fresh(List<OpenCase> of, String state, long each) {
        String ids = of.stream().map(open -> "'" + open.id() + "'").collect(Collectors.joining(","));
        // A copy stands in another phase than the case does, so it counts towards no quota before it is submitted.
        List<Filing> filings = database.pairs("""
                insert into mainapi.filings
                select copy.*
                from bench.templates
                join mainapi.filings f using (filing_id)
                cross join generate_series(1, %d) as turn
                cross join lateral jsonb_populate_record(f, jsonb_build_object(
                  'filing_id', nextval('mainapi.filing_id') + 0 * turn, 'phase_id', 'hearing')) as copy
                where f.state = '%s' and f.case_id in (%s)
                returning filing_id, case_id
                """.formatted(each, state, ids)).stream().map(pair -> new Filing(cases.get(pair[1]), Long.parseLong(pair[0]))).toList();
        // What autovacuum does in its own time: without it the next measurement pays for the dead rows of this one.
        database.run("vacuum (analyze) mainapi.filings");
        return filings;
    }

    /** Fresh filings for SQL to decide: {@code bench.turns} deals them out at random, {@code bench.turn} counts. */
    void freshTurns(List<OpenCase> of, String state, long each) {
        freshTurns(of, state, each, "random()");
    }

    /** The same, dealt out case by case. */
    void freshTurnsCaseByCase(List<OpenCase> of, String state, long each) {
        freshTurns(of, state, each, "case_id, random()");
    }

    private void freshTurns(List<OpenCase> of, String state, long each, String order) {
        LongSummaryStatistics ids = fresh(of, state, each).stream().mapToLong(Filing::id).summaryStatistics();
        database.run("drop table if exists bench.turns");
        database.run("create table bench.turns (turn bigint primary key, filing_id bigint not null, revision bigint not null)");
        database.run("drop sequence if exists bench.turn");
        database.run("create sequence bench.turn");
        database.run("""
                insert into bench.turns
                select row_number() over (order by %s), filing_id, revision from mainapi.filings where filing_id between %d and %d
                """.formatted(order, ids.getMin(), ids.getMax()));
        database.run("analyze bench.turns");
    }

    /** Fails when the turns ran out, or when a turn that was taken left its filing as it was. */
    void checkTurns() {
        long left = database.number("select (select max(turn) from bench.turns) - (select last_value from bench.turn)");
        long untouched = database.number("""
                select count(*) from bench.turns t join mainapi.filings f using (filing_id)
                where f.revision = t.revision and turn <= (select last_value from bench.turn)""");
        if (left <= 0 || untouched > SqlLoad.CLIENTS) {
            throw new BenchFailed("the statement of SQL had %d filings left and did not write %d of those it took".formatted(left, untouched));
        }
    }
}
