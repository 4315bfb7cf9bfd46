package io.arbitration.cases.deadlines;

import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDeadline;
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
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stores the deadlines of cases, and reads those of a case. Other repositories read rows of deadlines with its columns. */
final class DeadlineRepository {

    /** The columns that {@link #listed} reads, beside {@link #MET} as {@code met}. */
    static final String COLUMNS = """
            d.deadline_id, d.case_id, d.phase_id, d.document_id, d.party_id, d.trigger_entry, d.trigger_at, d.rule, d.raw_date, d.rolled_date,
            d.late, d.set_for, d.extended_to, d.date, (select sandbox_now from cases.cases where case_id = d.case_id) as sandbox_now""";
    /** Whether the document was submitted in time, and is neither withdrawn nor rejected. */
    static final String MET = """
            exists (
              select from mainapi_api.filings f
              where f.case_id = d.case_id and f.document_id = d.document_id and f.party_id = d.party_id
                and f.state in ('submitted', 'docketed') and f.submitted_at between d.trigger_at and d.date)""";
    /**
     * The condition for deadlines after a position in the order of dates and up to the end of the window: parameters 2 to 4 of {@link
     * #window}.
     */
    static final String DATED = "(d.date, d.deadline_id) > ($2, $3) and d.date <= coalesce($4, 'infinity'::timestamptz)";
    /** The condition that excludes deadlines after the closing of their case, unless they were met. */
    private static final String NOT_VOID = "(c.closed_at is null or d.date <= c.closed_at or %s)".formatted(MET);
    /** The columns that follow from the rules and from granted extensions; the others are determined by the id of the deadline. */
    private static final String SET = "%1$s.rule, %1$s.raw_date, %1$s.rolled_date, %1$s.late, %1$s.set_for, %1$s.remind_days, %1$s.extended_to";
    /**
     * Whether {@code d} is the deadline {@code n}, or the deadline of another phase that the same docket entry, or the creation
     * of the case, has started for the same document and party. For people these are one deadline, so an extension of one applies
     * to all.
     */
    static final String GOES_ON = """
            d.case_id = n.case_id and d.document_id = n.document_id and d.party_id = n.party_id and d.trigger_at = n.trigger_at
            and d.trigger_entry is not distinct from n.trigger_entry""";
    /** The deadlines in the parameters of a statement, as rows. */
    private static final String DUE = """
            select n.deadline_id, n.case_id, n.phase_id, n.document_id, n.party_id, n.trigger_entry, n.trigger_at, n.rule,
                   n.raw_date::date, n.rolled_date::date, n.late, n.set_for, string_to_array(n.remind_days, ',')::int[] as remind_days,
                   case when g.until > n.set_for then g.until end as extended_to
            from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[], $8::text[],
                        $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::text[])
              as n(deadline_id, case_id, phase_id, document_id, party_id, trigger_entry, trigger_at, rule, raw_date, rolled_date, late,
                   set_for, remind_days)
            left join lateral (
              select max(e.granted_until) as until from cases.extensions e join cases.deadlines d using (deadline_id)
              where e.case_id = n.case_id and e.state = 'granted' and %s) g on true""".formatted(GOES_ON);

    private final Database database;
    private final Duration lookPeriod;

    /** @param lookPeriod the longest pause of {@link Reminders} between two searches */
    DeadlineRepository(Database database, Duration lookPeriod) {
        this.database = database;
        this.lookPeriod = lookPeriod;
    }

    /**
     * A deadline to be stored.
     *
     * @param reminderDays how many days before the deadline each reminder is sent
     */
    record Due(CaseDeadline deadline, List<Integer> reminderDays) {}

    /** Whether all of these deadlines are stored as the rules set them now. */
    Future<Boolean> keepsAll(SqlClient client, List<Due> due) {
        return due.isEmpty() ? Future.succeededFuture(true) : Database.query(client, """
                select not exists (
                  select from (%s) n left join cases.deadlines d using (deadline_id)
                  where (%s) is distinct from (%s))
                """.formatted(DUE, SET.formatted("d"), SET.formatted("n")), columns(due), row -> row.getBoolean(0)).map(List::getFirst);
    }

    /**
     * Stores these deadlines as the rules set them now, with granted extensions, also of an earlier phase.
     *
     * @param now the time of the platform, which calendars show as the time of the change
     */
    Future<Void> keep(SqlConnection transaction, List<Due> due, Instant now) {
        return due.isEmpty() ? Future.succeededFuture() : upsert(transaction, due, now)
                .compose(set -> ReminderRepository.note(transaction, set, Optional.empty(), lookPeriod));
    }

    /** The ones that are not stored, or differ from what the rules set now. */
    private static Future<List<DeadlineId>> upsert(SqlConnection transaction, List<Due> due, Instant now) {
        return Database.query(transaction, """
                insert into cases.deadlines as d (deadline_id, case_id, phase_id, document_id, party_id, trigger_entry, trigger_at, rule,
                                                  raw_date, rolled_date, late, set_for, remind_days, extended_to)
                %s
                order by deadline_id
                on conflict (deadline_id) do update
                set rule = excluded.rule, raw_date = excluded.raw_date, rolled_date = excluded.rolled_date, late = excluded.late,
                    set_for = excluded.set_for, remind_days = excluded.remind_days,
                    extended_to = excluded.extended_to, changed_at = $14
                where (%s) is distinct from (%s)
                returning d.deadline_id
                """.formatted(DUE, SET.formatted("d"), SET.formatted("excluded")), columns(due).addOffsetDateTime(Columns.utc(now)), row -> new DeadlineId(row.getUUID("deadline_id")));
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

    /** Deadlines of a case after the cursor, the earliest first. */
    Future<List<ListedDeadline>> ofCase(CaseId caseId, TimeWindow window, TimeKey after, int limit) {
        return database.query("""
                select %s, %s as met
                from cases.cases c join cases.deadlines d using (case_id)
                where c.case_id = $1 and %s and %s
                order by d.date, d.deadline_id
                limit $5
                """.formatted(COLUMNS, MET, DATED, NOT_VOID), window(caseId.value(), window, after, limit), DeadlineRepository::listed);
    }

    /** The deadlines of a case with dates after one instant and up to another. */
    Future<List<ListedDeadline>> between(SqlConnection transaction, CaseId caseId, Instant after, Instant until) {
        return Database.query(transaction, """
                select %s, %s as met from cases.deadlines d where d.case_id = $1 and d.date > $2 and d.date <= $3
                """.formatted(COLUMNS, MET), Tuple.of(caseId.value(), Columns.utc(after), Columns.utc(until)), DeadlineRepository::listed);
    }

    /** A deadline of a case; empty when the case has none of that id. */
    Future<Optional<ListedDeadline>> deadline(SqlConnection transaction, CaseId caseId, DeadlineId deadlineId) {
        return Database.query(transaction, """
                select %s, false as met from cases.deadlines d where d.deadline_id = $1 and d.case_id = $2
                """.formatted(COLUMNS), Tuple.of(deadlineId.value(), caseId.value()), DeadlineRepository::listed)
                .map(found -> found.stream().findFirst());
    }

    /** The parameters of a list: the id of a case or user, the window, and the position after which the page begins. */
    static Tuple window(Object of, TimeWindow window, TimeKey after, Integer... bounds) {
        // One lower bound: with two conditions, the index would be read from the smaller one.
        TimeKey place = window.from().filter(from -> from.isAfter(after.at()))
                .map(from -> new TimeKey(from.minus(1, ChronoUnit.MICROS), TimeKey.LAST.id())).orElse(after);
        Tuple values = Tuple.of(of, Columns.utc(place.at()), place.id(), window.until().map(Columns::utc).orElse(null));
        Stream.of(bounds).forEach(values::addInteger);
        return values;
    }

    static ListedDeadline listed(Row row) {
        Deadline set = new Deadline(row.getString("rule"), instant(row, "trigger_at"), row.getLocalDate("raw_date"), row.getLocalDate("rolled_date"),
                instant(row, "set_for"), late(row.getString("late")), Optional.empty());
        return new ListedDeadline(new CaseDeadline(new DeadlineId(row.getUUID("deadline_id")), new CaseId(row.getUUID("case_id")),
                new PhaseId(row.getString("phase_id")), new DocumentTypeId(row.getString("document_id")), new PartyId(row.getString("party_id")),
                Optional.ofNullable(row.getLong("trigger_entry")).map(EntryId::new), set),
                Optional.ofNullable(row.getOffsetDateTime("extended_to")).map(OffsetDateTime::toInstant),
                new CaseClock(Optional.ofNullable(row.getOffsetDateTime("sandbox_now")).map(OffsetDateTime::toInstant)), row.getBoolean("met"));
    }

    private static LateFiling late(String wireName) {
        return Stream.of(LateFiling.values()).filter(late -> late.wireName().equals(wireName)).findFirst().orElseThrow();
    }

    static Instant instant(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }
}
