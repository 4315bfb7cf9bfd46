package io.arbitration.command.bench;

import io.arbitration.cases.deadlines.ReminderRepository;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The deadlines of somebody with thousands of cases, and how long after it is due a reminder is in the mail queue. */
@Command(name = "deadlines", description = "Lists of deadlines of a manager with thousands of cases, and reminders at their pace.",
        mixinStandardHelpOptions = true)
final class DeadlinesBench implements Callable<Integer> {

    private static final int LISTS_PER_SECOND = 20;
    private static final int DEADLINES_OF_A_CASE = 8;
    private static final int REMINDERS_PER_HOUR = 100_000;
    /** The first reminder is due so long after more time is granted for the first deadline, so that the grants keep ahead of the reminders. */
    private static final Duration LEAD = Duration.ofSeconds(10);
    private static final String RESPONDENT = "reminded@bench.example";
    /** Of the cases, those of somebody whose deadlines come years after everybody's, and those of somebody with few. */
    private static final int LATE_CASES = 1000;
    private static final int FEW_CASES = 20;

    @Mixin
    private BenchOptions options;

    @Option(names = "--cases", defaultValue = "5000", description = "Open cases of the manager (${DEFAULT-VALUE}).")
    private int cases;

    @Option(names = "--others", defaultValue = "20000", description = "Cases of others beside them (${DEFAULT-VALUE}).")
    private int others;

    @Option(names = "--open-deadlines", defaultValue = "1000000", description = "Deadlines among which a look for reminders is explained (${DEFAULT-VALUE}).")
    private int openDeadlines;

    @Override
    public Integer call() {
        try (BenchSite site = BenchSite.open(options.databaseText());
                ServerProcess server = site.start(Map.of("ACP_DEADLINES_LOOK_SECONDS", "1"));
                BenchPeople people = new BenchPeople(server.address(), site)) {
            Person manager = people.signIn("maya@bench.example", "Maya", "Manager");
            Person respondent = people.signIn(RESPONDENT, "Rolf", "Respondent");
            try (BenchDatabase database = BenchDatabase.open(site.database())) {
                Person late = people.signIn("late@bench.example", "Lena", "Late");
                Person few = people.signIn("few@bench.example", "Fay", "Few");
                fill(database, manager.id(), respondent.id(), late.id(), few.id());
                Report.title("Deadlines: %d cases with %d deadlines each, lists at %d/s", cases + others, DEADLINES_OF_A_CASE, LISTS_PER_SECOND);
                Report.target("p99", lists(server, manager, "a manager with %d open cases".formatted(cases)).p99Millis(), "≤", 30, "ms");
                lists(server, late, "%d cases, years after everybody's".formatted(LATE_CASES));
                lists(server, few, "%d cases".formatted(FEW_CASES));
                look(database);
                noted(database);
                reminders(database, people, respondent);
            }
        }
        return 0;
    }

    private void fill(BenchDatabase database, String managerId, String respondentId, String lateId, String fewId) {
        Report.progress("preparing %d cases with %d deadlines each".formatted(cases + others, DEADLINES_OF_A_CASE));
        database.run("""
                create temp table made as select n, gen_random_uuid() as case_id, now() - n * interval '1 minute' as created from generate_series(1, %d) n;
                insert into cases.cases (case_id, title, rule_set, phase_id, status, revision, response_deadline_days, created, created_by)
                select case_id, 'Bench ' || n, 'commercial', 'response', 'open', 1, 21, created, '%s' from made;
                insert into cases.phase_starts (case_id, phase_id, started_at) select case_id, 'response', created from made;
                insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
                select case_id, '%s', 'caseManager', true, false, created, created from made where n <= %d;
                insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
                select case_id, '%s', 'respondent', true, false, created, created from made where n > %d;
                insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
                select case_id, '%s', 'arbitrator', true, false, created, created from made where n > %d - %d;
                insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
                select case_id, '%s', 'claimant', true, false, created, created from made where n %% 300 = 1 limit %d;
                insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for, remind_days)
                select gen_random_uuid(), case_id, 'response', 'answer', 'respondent', created, '21 calendar days from the start of the phase', d.day, d.day,
                       'refuse', d.day + time '23:59:59.999', '{7,1}'
                from made cross join generate_series(1, %d) k
                cross join lateral (select current_date + 40 + (('x' || substr(md5(n || '-' || k), 1, 4))::bit(16)::int %% 300) - 100
                  + case when n > %d - %d then 3650 else 0 end as day) d;
                analyze cases.cases; analyze cases.participants; analyze cases.deadlines
                """.formatted(cases + others, managerId, managerId, cases, respondentId, cases, lateId, cases + others, LATE_CASES, fewId, FEW_CASES,
                        DEADLINES_OF_A_CASE, cases + others, LATE_CASES));
    }

    private Load lists(ServerProcess server, Person of, String whose) {
        String now = Instant.now().toString();
        List<Request> requests = List.of(new Request("/cases/deadlines/list", of.token(), new JsonObject().put("from", now).encode()),
                new Request("/cases/deadlines/list", of.token(), "{}"));
        JvmLoad load = new JvmLoad();
        Report.progress("lists of %s, after %d s of warming up".formatted(whose, options.warmUp().toSeconds()));
        load.paced(server.address(), requests, 8, LISTS_PER_SECOND, options.warmUp()).faultless("warm-up");
        Load paced = load.paced(server.address(), requests, 8, LISTS_PER_SECOND, options.phase().multipliedBy(options.rounds())).faultless("lists");
        Report.line("%-40s p50 %6.1f ms, p99 %6.1f ms", whose, paced.p50Millis(), paced.p99Millis());
        return paced;
    }

    /** The look of every node, as it prepares it, where there are as many open deadlines as asked for. */
    private void look(BenchDatabase database) {
        long more = Math.max(0, openDeadlines - database.number("select count(*) from cases.deadlines where date > now()"));
        Report.progress("%d deadlines more".formatted(more));
        database.run("""
                insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for, remind_days)
                select gen_random_uuid(), m.case_id, 'response', 'answer', 'respondent', m.created, '21 calendar days from the start of the phase', d.at::date, d.at::date,
                       'refuse', d.at, '{7,1}'
                from generate_series(1, %d) k join made m on m.n = 1 + k %% %d
                cross join lateral (select now() + interval '1 hour' + k * interval '26 seconds' as at) d;
                analyze cases.deadlines
                """.formatted(more, cases + others));
        database.run("prepare look (int, timestamptz, uuid, timestamptz, int, timestamptz) as " + ReminderRepository.REACHED);
        Report.title("A look for reminders of the next minute among %d open deadlines", database.number("select count(*) from cases.deadlines where date > now()"));
        database.texts("""
                explain (analyze, buffers, costs off) execute look (7, now() + interval '7 days', '00000000-0000-0000-0000-000000000000', now() + interval '7 days 1 minute', 256, now())
                """).forEach(line -> Report.line("%s", line));
        database.run("deallocate look");
    }

    /** What a look asks of the deadlines of one full batch of notes. */
    private void noted(BenchDatabase database) {
        String ids = String.join(",", database.texts("select deadline_id from cases.deadlines where date > now() + interval '8 days' and 7 = any (remind_days) limit 256"));
        database.run("set plan_cache_mode = force_generic_plan; prepare noted (int, uuid[], timestamptz) as " + ReminderRepository.PASSED);
        Report.title("A look at 256 deadlines that were set or moved");
        database.texts("explain (analyze, buffers, costs off) execute noted (7, '{%s}', now())".formatted(ids)).forEach(line -> Report.line("%s", line));
        database.run("deallocate noted; reset plan_cache_mode");
    }

    /**
     * Deadlines whose reminders are due one after the other, at the pace of so many an hour, for the time of a phase. The platform sets their
     * dates itself: their party asks for more time, an arbitrator grants it.
     */
    private void reminders(BenchDatabase database, BenchPeople people, Person respondent) {
        int count = (int) Math.max(1, REMINDERS_PER_HOUR * options.phase().multipliedBy(options.rounds()).toMillis() / 3_600_000);
        Person arbitrator = people.signIn("arbiter@bench.example", "Ann", "Arbitrator");
        List<String[]> extended = database.pairs("""
                with chosen as (select case_id from made where n > %d order by n limit %d),
                arbitrators as (
                  insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
                  select case_id, '%s', 'arbitrator', false, false, created, created from cases.cases where case_id in (select case_id from chosen))
                insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for, remind_days)
                select gen_random_uuid(), case_id, 'response', 'counterclaim', 'respondent', now() - interval '9 days', 'bench', current_date, current_date, 'refuse',
                       now() + interval '2 days', '{7}'
                from chosen returning case_id::text, deadline_id::text
                """.formatted(cases, count, arbitrator.id()));
        Report.progress("%d requests for more time".formatted(count));
        List<String> requests = people.all(count, i -> ((JsonObject) people.post(new Request("/cases/deadlines/extensions/request", respondent.token(),
                new JsonObject().put("caseID", extended.get(i)[0]).put("deadlineID", extended.get(i)[1]).put("until", Timestamps.text(Instant.now().plus(Duration.ofDays(8))))
                        .put("reason", "Our witness travels.").encode()))).getString("extensionID"));
        Report.progress("%d reminders at %d an hour".formatted(count, REMINDERS_PER_HOUR));
        Instant first = Instant.now().plus(LEAD).plus(Duration.ofDays(7));
        people.all(count, i -> people.post(new Request("/cases/deadlines/extensions/decide", arbitrator.token(),
                new JsonObject().put("caseID", extended.get(i)[0]).put("extensionID", requests.get(i)).put("granted", true).put("reason", "Agreed.")
                        .put("until", Timestamps.text(first.plusMillis(i * 3_600_000L / REMINDERS_PER_HOUR))).encode())));
        Instant until = Instant.now().plus(LEAD).plusSeconds(count * 3600L / REMINDERS_PER_HOUR).plusSeconds(30);
        while (mailed(database) < count && Instant.now().isBefore(until)) {
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        }
        if (mailed(database) < count) {
            throw new BenchFailed("%d of %d reminders are in the mail queue".formatted(mailed(database), count));
        }
        List<String[]> waits = database.pairs("""
                select (percentile_cont(0.5) within group (order by waited))::text, (percentile_cont(0.99) within group (order by waited))::text
                from (%s) waits
                """.formatted(WAITS));
        Report.title("Reminders: %d at %d an hour, from due to in the mail queue", count, REMINDERS_PER_HOUR);
        Report.target("p99", Double.parseDouble(waits.getFirst()[1]), "≤", 2, "s (p50 %.2f)".formatted(Double.parseDouble(waits.getFirst()[0])));
        Report.line("reminded twice: %d", database.number("select count(*) - count(distinct envelope::json -> 'data' ->> 'deadlineID') from platform.events where event = 'deadline_near'"));
    }

    private static final String WAITS = """
            select extract(epoch from m.accepted_at - (d.date - interval '7 days')) as waited
            from platform.events e
            join cases.deadlines d on d.deadline_id = (e.envelope::json -> 'data' ->> 'deadlineID')::uuid and d.document_id = 'counterclaim'
            join emails.emails m on m.idempotency_key like 'alert-' || e.event_id || '-%%'
            where e.event = 'deadline_near'""";

    private static long mailed(BenchDatabase database) {
        return database.number("select count(*) from (" + WAITS.replace("%%", "%") + ") waits");
    }
}
