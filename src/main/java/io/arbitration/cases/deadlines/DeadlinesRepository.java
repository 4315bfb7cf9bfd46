package io.arbitration.cases.deadlines;

import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.ExtensionId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.domain.cases.Extension;
import io.arbitration.domain.cases.Extension.Outcome;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.LateFiling;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The deadlines of cases and the requests for more time in the database. */
final class DeadlinesRepository {

    private static final String COLUMNS = """
            d.deadline_id, d.case_id, d.phase_id, d.document_id, d.party_id, d.trigger_entry, d.trigger_at, d.rule, d.raw_date, d.rolled_date,
            d.late, d.set_for, d.extended_to, d.date, (select sandbox_now from cases.cases where case_id = d.case_id) as sandbox_now""";
    private static final String MET = """
            exists (
              select from mainapi_api.filings f
              where f.case_id = d.case_id and f.document_id = d.document_id and f.party_id = d.party_id
                and f.state in ('submitted', 'docketed') and f.submitted_at between d.trigger_at and d.date)""";
    /** What a closed case has not met by its end is asked of nobody any more. */
    private static final String NOT_VOID = "(c.closed_at is null or d.date <= c.closed_at or %s)".formatted(MET);
    /** The one look at the deadlines that come near: a range of the index of dates. */
    static final String REACHED = """
            select %s, %s as met, c.status = 'open' and c.phase_id = d.phase_id and c.sandbox_now is null as current
            from (
              select * from cases.deadlines
              where (date, deadline_id) > ($2, $3) and date <= $4 and remind_days <> '{}' and $1 = any (remind_days)
              order by date, deadline_id limit $5) d
            join cases.cases c on c.case_id = d.case_id
            order by d.date, d.deadline_id
            """.formatted(COLUMNS, MET);
    /** Behind a place in the order of dates, and not after the end of the window. */
    private static final String DATED = "(d.date, d.deadline_id) > ($2, $3) and d.date <= coalesce($4, 'infinity'::timestamptz)";
    private static final String EXTENSION = """
            extension_id, case_id, deadline_id, party_id, requested_by, requested_at, until, reason, state, ended_by, ended_at, granted_until, ruling""";

    /** What the rules set of a deadline; the rest is known by its id. */
    private static final String SET = "%1$s.rule, %1$s.raw_date, %1$s.rolled_date, %1$s.late, %1$s.set_for, %1$s.remind_days";
    /** The deadlines that a statement is given, as rows. */
    private static final String DUE = """
            select deadline_id, case_id, phase_id, document_id, party_id, trigger_entry, trigger_at, rule,
                   raw_date::date, rolled_date::date, late, set_for, string_to_array(remind_days, ',')::int[] as remind_days
            from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[], $8::text[],
                        $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::text[])
              as n(deadline_id, case_id, phase_id, document_id, party_id, trigger_entry, trigger_at, rule, raw_date, rolled_date, late,
                   set_for, remind_days)""";

    private final Database database;

    DeadlinesRepository(Database database) {
        this.database = database;
    }

    /**
     * A deadline that is to be kept.
     *
     * @param reminderDays how many days before the deadline its party is reminded, of each
     */
    record Due(CaseDeadline deadline, List<Integer> reminderDays) {}

    /** Whether all of these deadlines are kept as the rules set them now. */
    Future<Boolean> keepsAll(SqlClient client, List<Due> due) {
        return due.isEmpty() ? Future.succeededFuture(true) : Database.query(client, """
                select not exists (
                  select from (%s) n left join cases.deadlines d using (deadline_id)
                  where (%s) is distinct from (%s))
                """.formatted(DUE, SET.formatted("d"), SET.formatted("n")), columns(due), row -> row.getBoolean(0)).map(List::getFirst);
    }

    /** Keeps these deadlines as the rules set them now. What was granted stays. */
    Future<Void> keep(SqlConnection transaction, List<Due> due) {
        return due.isEmpty() ? Future.succeededFuture() : transaction.preparedQuery("""
                insert into cases.deadlines as d (deadline_id, case_id, phase_id, document_id, party_id, trigger_entry, trigger_at, rule,
                                                  raw_date, rolled_date, late, set_for, remind_days)
                %s
                order by deadline_id
                on conflict (deadline_id) do update
                set rule = excluded.rule, raw_date = excluded.raw_date, rolled_date = excluded.rolled_date, late = excluded.late,
                    set_for = excluded.set_for, remind_days = excluded.remind_days
                where (%s) is distinct from (%s)
                """.formatted(DUE, SET.formatted("d"), SET.formatted("excluded"))).execute(columns(due)).mapEmpty();
    }

    private static Tuple columns(List<Due> due) {
        return new Columns<>(due)
                .ids(one -> one.deadline.deadlineId().value()).ids(one -> one.deadline.caseId().value()).texts(one -> one.deadline.phaseId().value())
                .texts(one -> one.deadline.documentId().value()).texts(one -> one.deadline.partyId().value())
                .numbers(one -> one.deadline.triggerEntry().map(EntryId::value).orElse(null)).times(one -> one.deadline.set().trigger())
                .texts(one -> one.deadline.set().rule()).texts(one -> one.deadline.set().rawDate().toString())
                .texts(one -> one.deadline.set().rolledDate().toString()).texts(one -> one.deadline.set().late().wireName())
                .times(one -> one.deadline.set().date())
                .texts(one -> one.reminderDays.stream().map(String::valueOf).collect(Collectors.joining(","))).tuple();
    }

    /** The docket entries of these document types in these cases. */
    Future<List<Triggering>> triggering(SqlClient client, Collection<CaseId> caseIds, List<DocumentTypeId> documentIds) {
        return Database.query(client, """
                select case_id, entry_id, document_id, entered_at
                from mainapi_api.docketed_documents where case_id = any($1) and document_id = any($2)
                """, Tuple.tuple().addArrayOfUUID(caseIds.stream().map(CaseId::value).toArray(UUID[]::new))
                        .addArrayOfString(documentIds.stream().map(DocumentTypeId::value).toArray(String[]::new)), row -> new Triggering(
                        new CaseId(row.getUUID("case_id")), new TriggeringEntry(new EntryId(row.getLong("entry_id")),
                                new DocumentTypeId(row.getString("document_id")), instant(row, "entered_at"))));
    }

    /** A docket entry that sets deadlines of its case running. */
    record Triggering(CaseId caseId, TriggeringEntry entry) {}

    /** Deadlines in the cases of a user after the cursor, the earliest first. The page is found in the index alone, and then read. */
    Future<List<ListedDeadline>> ofUser(UserId userId, TimeWindow window, TimeKey after, int limit) {
        return ofUser("", userId, window, after, limit);
    }

    /** The same without a cursor, the latest first. */
    Future<List<ListedDeadline>> latestOfUser(UserId userId, TimeWindow window, int limit) {
        return ofUser(" desc", userId, window, TimeKey.FIRST, limit);
    }

    /** @param order nothing, or {@code desc} for the latest first */
    private Future<List<ListedDeadline>> ofUser(String order, UserId userId, TimeWindow window, TimeKey after, int limit) {
        // The first deadlines of all cases together are among those of the cases whose own first ones come first, so that of thousands of cases
        // one row each is looked at, and of few the page.
        return database.query("""
                select %1$s, %2$s as met
                from (
                  select k.date, k.deadline_id
                  from (
                    select p.case_id, c.closed_at
                    from cases.participants p
                    left join cases.cases c on c.case_id = p.case_id and c.closed_at is not null
                    cross join lateral (
                      select d.date, d.deadline_id from cases.deadlines d where %3$s order by d.date%6$s, d.deadline_id%6$s limit 1) first
                    where p.user_id = $1
                    order by first.date%6$s, first.deadline_id%6$s
                    limit $5) p
                  cross join lateral (
                    select d.date, d.deadline_id from cases.deadlines d where %4$s order by d.date%6$s, d.deadline_id%6$s limit $5) k
                  union all
                  select d.date, d.deadline_id
                  from cases.participants p
                  join cases.cases c on c.case_id = p.case_id and c.closed_at is not null
                  join cases.deadlines d on d.case_id = c.case_id and d.date > c.closed_at
                  where p.user_id = $1 and %5$s and %2$s
                  order by date%6$s, deadline_id%6$s
                  limit $5) page
                join cases.deadlines d using (deadline_id)
                order by d.date%6$s, d.deadline_id%6$s
                """.formatted(COLUMNS, MET, inWindow("c.closed_at"), inWindow("p.closed_at"), DATED, order), window(userId.value(), window, after, limit),
                DeadlinesRepository::listed);
    }

    /** The deadlines of the case {@code p} after the cursor, in the window, and before the case was closed. */
    private static String inWindow(String closedAt) {
        return """
                d.case_id = p.case_id and %s and d.date <= coalesce(%s, 'infinity'::timestamptz)""".formatted(DATED, closedAt);
    }

    /** In how many cases a user takes part, counted up to a bound. */
    Future<Integer> casesOf(UserId userId, int most) {
        return database.query("""
                select count(*)::integer from (select from cases.participants where user_id = $1 limit $2) p
                """, Tuple.of(userId.value(), most), row -> row.getInteger(0)).map(List::getFirst);
    }

    /**
     * The same as {@link #ofUser}, found along the dates of everybody's deadlines. Less than a page where those that were looked at hold no more.
     *
     * @param looked how many deadlines are looked at, of whomever they are
     */
    Future<List<ListedDeadline>> ofUserByDate(UserId userId, TimeWindow window, TimeKey after, int limit, int looked) {
        // "is true" keeps the cases of the user a hash that each date is looked up in, and so the order of the index.
        return database.query("""
                select %1$s, %2$s as met
                from (
                  select s.deadline_id
                  from (select d.date, d.deadline_id, d.case_id from cases.deadlines d where %3$s order by d.date, d.deadline_id limit $6) s
                  where (s.case_id in (select p.case_id from cases.participants p where p.user_id = $1)) is true
                    and (coalesce((select c.closed_at from cases.cases c where c.case_id = s.case_id and c.closed_at is not null), 'infinity') >= s.date
                      or (select %2$s from cases.deadlines d where d.deadline_id = s.deadline_id))
                  order by s.date, s.deadline_id
                  limit $5) page
                join cases.deadlines d using (deadline_id)
                order by d.date, d.deadline_id
                """.formatted(COLUMNS, MET, DATED), window(userId.value(), window, after, limit, looked), DeadlinesRepository::listed);
    }

    /** Whether less than so many deadlines, of whomever they are, lie after the cursor and in the window. */
    Future<Boolean> areFewer(TimeWindow window, TimeKey after, int than) {
        return database.query("""
                select count(*) < $1 from (select from cases.deadlines d where %s limit $1) found
                """.formatted(DATED), window(than, window, after), row -> row.getBoolean(0)).map(List::getFirst);
    }

    /** Deadlines of a case after the cursor, the earliest first. */
    Future<List<ListedDeadline>> ofCase(CaseId caseId, TimeWindow window, TimeKey after, int limit) {
        return database.query("""
                select %s, %s as met
                from cases.cases c join cases.deadlines d using (case_id)
                where c.case_id = $1 and %s and %s
                order by d.date, d.deadline_id
                limit $5
                """.formatted(COLUMNS, MET, DATED, NOT_VOID), window(caseId.value(), window, after, limit), DeadlinesRepository::listed);
    }

    private static Tuple window(Object of, TimeWindow window, TimeKey after, Integer... bounds) {
        // One place to begin at: with two conditions the index would be read from the earlier one on.
        TimeKey place = window.from().filter(from -> from.isAfter(after.at()))
                .map(from -> new TimeKey(from.minus(1, ChronoUnit.MICROS), TimeKey.LAST.id())).orElse(after);
        Tuple values = Tuple.of(of, Columns.utc(place.at()), place.id(), window.until().map(Columns::utc).orElse(null));
        Stream.of(bounds).forEach(values::addInteger);
        return values;
    }

    /** The deadlines of a case whose dates are after one instant and not after another. */
    Future<List<ListedDeadline>> between(SqlConnection transaction, CaseId caseId, Instant after, Instant until) {
        return Database.query(transaction, """
                select %s, %s as met from cases.deadlines d where d.case_id = $1 and d.date > $2 and d.date <= $3
                """.formatted(COLUMNS, MET), Tuple.of(caseId.value(), Columns.utc(after), Columns.utc(until)), DeadlinesRepository::listed);
    }

    /** A deadline of a case; empty when the case has none of that id. */
    Future<Optional<ListedDeadline>> deadline(SqlConnection transaction, CaseId caseId, DeadlineId deadlineId) {
        return Database.query(transaction, """
                select %s, false as met from cases.deadlines d where d.deadline_id = $1 and d.case_id = $2
                """.formatted(COLUMNS), Tuple.of(deadlineId.value(), caseId.value()), DeadlinesRepository::listed)
                .map(found -> found.stream().findFirst());
    }

    /** The request of that id in a case; empty when there is none. */
    Future<Optional<Extension>> extension(SqlConnection transaction, CaseId caseId, ExtensionId extensionId) {
        return Database.query(transaction, """
                select %s from cases.extensions where extension_id = $1 and case_id = $2
                """.formatted(EXTENSION), Tuple.of(extensionId.value(), caseId.value()), DeadlinesRepository::extension)
                .map(found -> found.stream().findFirst());
    }

    /**
     * How often more time was granted for a deadline.
     *
     * @param last when it was decided last
     */
    record Grants(int count, Instant last) {}

    /** Of all deadlines of these cases that were ever extended. */
    Future<Map<DeadlineId, Grants>> grants(Collection<CaseId> caseIds) {
        return database.query("""
                select deadline_id, count(*)::integer as count, max(ended_at) as last
                from cases.extensions where case_id = any($1) and state = 'granted' group by deadline_id
                """, Tuple.of((Object) caseIds.stream().map(CaseId::value).toArray(UUID[]::new)), row -> Map.entry(
                        new DeadlineId(row.getUUID("deadline_id")), new Grants(row.getInteger("count"), instant(row, "last"))))
                .map(found -> found.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    Future<Boolean> hasOpenRequest(SqlConnection transaction, DeadlineId deadlineId) {
        return Database.query(transaction, """
                select from cases.extensions where deadline_id = $1 and state = 'open'
                """, Tuple.of(deadlineId.value()), row -> row).map(found -> !found.isEmpty());
    }

    /** The requests of a case before the cursor, the newest first. */
    Future<List<Extension>> extensions(CaseId caseId, TimeKey before, int limit) {
        return database.query("""
                select %s from cases.extensions
                where case_id = $1 and (requested_at, extension_id) < ($2, $3)
                order by requested_at desc, extension_id desc
                limit $4
                """.formatted(EXTENSION), Tuple.of(caseId.value(), Columns.utc(before.at()), before.id(), limit), DeadlinesRepository::extension);
    }

    /** Writes a request as it is now, moves its deadline if more time was granted, and makes the revision of the case grow by 1. */
    Future<Void> write(SqlConnection transaction, Extension extension) {
        Outcome outcome = extension.outcome();
        return transaction.preparedQuery("""
                with written as (
                  insert into cases.extensions (extension_id, deadline_id, case_id, party_id, requested_by, requested_at, until, reason, state,
                                                ended_by, ended_at, granted_until, ruling)
                  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                  on conflict (extension_id) do update
                  set state = excluded.state, ended_by = excluded.ended_by, ended_at = excluded.ended_at,
                      granted_until = excluded.granted_until, ruling = excluded.ruling
                  returning deadline_id, case_id, granted_until),
                moved as (
                  update cases.deadlines d set extended_to = w.granted_until from written w
                  where d.deadline_id = w.deadline_id and w.granted_until is not null)
                update cases.cases c set revision = revision + 1 from written w where c.case_id = w.case_id
                """).execute(Tuple.from(Arrays.asList(
                        extension.extensionId().value(), extension.deadlineId().value(), extension.caseId().value(), extension.partyId().value(),
                        extension.requestedBy().value(), Columns.utc(extension.requestedAt()), Columns.utc(extension.until()), extension.reason(),
                        ExtensionJson.state(outcome), endedBy(outcome), endedAt(outcome), extension.grantedUntil().map(Columns::utc).orElse(null),
                        ruling(outcome)))).mapEmpty();
    }

    private static UUID endedBy(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Open() -> null;
            case Outcome.Withdrawn(UserId by, Instant at) -> by.value();
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> by.value();
            case Outcome.Refused(UserId by, Instant at, String reason) -> by.value();
        };
    }

    private static OffsetDateTime endedAt(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Open() -> null;
            case Outcome.Withdrawn(UserId by, Instant at) -> Columns.utc(at);
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> Columns.utc(at);
            case Outcome.Refused(UserId by, Instant at, String reason) -> Columns.utc(at);
        };
    }

    private static String ruling(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Open() -> null;
            case Outcome.Withdrawn(UserId by, Instant at) -> null;
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> reason;
            case Outcome.Refused(UserId by, Instant at, String reason) -> reason;
        };
    }

    /**
     * Takes the work of reminding people, for this transaction: false while another node does it. An advisory lock, since it must come
     * before those of the cases and give the transaction no number.
     */
    Future<Boolean> takesReminding(SqlConnection transaction) {
        return Database.query(transaction, """
                select pg_try_advisory_xact_lock(hashtextextended('cases.reminders', 0))
                """, Tuple.tuple(), row -> row.getBoolean(0)).map(List::getFirst);
    }

    /** How far ahead people were reminded of their deadlines: in the order of dates, then of ids. */
    record Reminded(Instant date, UUID deadlineId) {

        /** Everything up to that instant. */
        static Reminded upTo(Instant date) {
            return new Reminded(date, new UUID(-1, -1));
        }
    }

    /**
     * A deadline that was reached.
     *
     * @param isTold whether it is one that somebody can still meet: in the phase that its open case is in, and not met
     */
    record Reached(ListedDeadline deadline, Instant date, boolean isTold) {}

    /** Begins to remind people so many days before, of what comes after that. Nothing happens where that has begun. */
    Future<Void> beginReminding(int days, Reminded from) {
        return database.update("""
                insert into cases.reminded (days, date, deadline_id) values ($1, $2, $3) on conflict (days) do nothing
                """, Tuple.of(days, Columns.utc(from.date()), from.deadlineId())).mapEmpty();
    }

    Future<Reminded> reminded(SqlConnection transaction, int days) {
        return Database.query(transaction, """
                select date, deadline_id from cases.reminded where days = $1
                """, Tuple.of(days), row -> new Reminded(instant(row, "date"), row.getUUID("deadline_id"))).map(List::getFirst);
    }

    /** The deadlines after that one, up to that instant, of which people are reminded so many days before. */
    Future<List<Reached>> reached(SqlConnection transaction, int days, Reminded after, Instant until, int limit) {
        return Database.query(transaction, REACHED, Tuple.of(days, Columns.utc(after.date()), after.deadlineId(), Columns.utc(until), limit), row ->
                        new Reached(listed(row), instant(row, "date"), row.getBoolean("current") && !row.getBoolean("met")));
    }

    Future<Void> move(SqlConnection transaction, int days, Reminded to) {
        return transaction.preparedQuery("""
                update cases.reminded set date = $2, deadline_id = $3 where days = $1
                """).execute(Tuple.of(days, Columns.utc(to.date()), to.deadlineId())).mapEmpty();
    }

    /** When the next deadline comes of which people are reminded so many days before; empty when there is none. */
    Future<Optional<Instant>> next(int days, Reminded after) {
        return database.query("""
                select date from cases.deadlines
                where (date, deadline_id) > ($2, $3) and remind_days <> '{}' and $1 = any (remind_days)
                order by date, deadline_id limit 1
                """, Tuple.of(days, Columns.utc(after.date()), after.deadlineId()), row -> instant(row, "date"))
                .map(found -> found.stream().findFirst());
    }

    private static ListedDeadline listed(Row row) {
        Deadline set = new Deadline(row.getString("rule"), instant(row, "trigger_at"), row.getLocalDate("raw_date"), row.getLocalDate("rolled_date"),
                instant(row, "set_for"), late(row.getString("late")), Optional.empty());
        return new ListedDeadline(new CaseDeadline(new DeadlineId(row.getUUID("deadline_id")), new CaseId(row.getUUID("case_id")),
                new PhaseId(row.getString("phase_id")), new DocumentTypeId(row.getString("document_id")), new PartyId(row.getString("party_id")),
                Optional.ofNullable(row.getLong("trigger_entry")).map(EntryId::new), set),
                Optional.ofNullable(row.getOffsetDateTime("extended_to")).map(OffsetDateTime::toInstant),
                new CaseClock(Optional.ofNullable(row.getOffsetDateTime("sandbox_now")).map(OffsetDateTime::toInstant)), row.getBoolean("met"));
    }

    private static Extension extension(Row row) {
        return new Extension(new ExtensionId(row.getUUID("extension_id")), new CaseId(row.getUUID("case_id")), new DeadlineId(row.getUUID("deadline_id")),
                new PartyId(row.getString("party_id")), new UserId(row.getUUID("requested_by")), instant(row, "requested_at"), instant(row, "until"),
                row.getString("reason"), outcome(row));
    }

    private static Outcome outcome(Row row) {
        return switch (row.getString("state")) {
            case "open" -> new Outcome.Open();
            case "withdrawn" -> new Outcome.Withdrawn(new UserId(row.getUUID("ended_by")), instant(row, "ended_at"));
            case "granted" -> new Outcome.Granted(new UserId(row.getUUID("ended_by")), instant(row, "ended_at"), instant(row, "granted_until"),
                    row.getString("ruling"));
            case "refused" -> new Outcome.Refused(new UserId(row.getUUID("ended_by")), instant(row, "ended_at"), row.getString("ruling"));
            case String unknown -> throw new IllegalStateException("the state of an extension: " + unknown);
        };
    }

    private static LateFiling late(String wireName) {
        return Stream.of(LateFiling.values()).filter(late -> late.wireName().equals(wireName)).findFirst().orElseThrow();
    }

    private static Instant instant(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }
}
