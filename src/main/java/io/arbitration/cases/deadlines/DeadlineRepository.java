package io.arbitration.cases.deadlines;

import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Keeps the deadlines of cases in the database, and reads those of a case. */
final class DeadlineRepository {

    /** What a closed case has not met by its end is asked of nobody any more. */
    private static final String NOT_VOID = "(c.closed_at is null or d.date <= c.closed_at or %s)".formatted(DeadlineRow.MET);
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
    private final Duration lookPeriod;

    /** @param lookPeriod after which those who remind people look by themselves */
    DeadlineRepository(Database database, Duration lookPeriod) {
        this.database = database;
        this.lookPeriod = lookPeriod;
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
        return due.isEmpty() ? Future.succeededFuture() : upsert(transaction, due).compose(written -> written == 0 ? Future.succeededFuture()
                : ReminderRepository.wake(transaction, due.stream().map(one -> one.deadline.deadlineId()).toList(), lookPeriod));
    }

    private static Future<Integer> upsert(SqlConnection transaction, List<Due> due) {
        return transaction.preparedQuery("""
                insert into cases.deadlines as d (deadline_id, case_id, phase_id, document_id, party_id, trigger_entry, trigger_at, rule,
                                                  raw_date, rolled_date, late, set_for, remind_days)
                %s
                order by deadline_id
                on conflict (deadline_id) do update
                set rule = excluded.rule, raw_date = excluded.raw_date, rolled_date = excluded.rolled_date, late = excluded.late,
                    set_for = excluded.set_for, remind_days = excluded.remind_days
                where (%s) is distinct from (%s)
                """.formatted(DUE, SET.formatted("d"), SET.formatted("excluded"))).execute(columns(due)).map(SqlResult::rowCount);
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
                                new DocumentTypeId(row.getString("document_id")), DeadlineRow.instant(row, "entered_at"))));
    }

    /** A docket entry that sets deadlines of its case running. */
    record Triggering(CaseId caseId, TriggeringEntry entry) {}

    /** Deadlines of a case after the cursor, the earliest first. */
    Future<List<ListedDeadline>> ofCase(CaseId caseId, TimeWindow window, TimeKey after, int limit) {
        return database.query("""
                select %s, %s as met
                from cases.cases c join cases.deadlines d using (case_id)
                where c.case_id = $1 and %s and %s
                order by d.date, d.deadline_id
                limit $5
                """.formatted(DeadlineRow.COLUMNS, DeadlineRow.MET, DeadlineRow.DATED, NOT_VOID), DeadlineRow.window(caseId.value(), window, after, limit), DeadlineRow::listed);
    }

    /** The deadlines of a case whose dates are after one instant and not after another. */
    Future<List<ListedDeadline>> between(SqlConnection transaction, CaseId caseId, Instant after, Instant until) {
        return Database.query(transaction, """
                select %s, %s as met from cases.deadlines d where d.case_id = $1 and d.date > $2 and d.date <= $3
                """.formatted(DeadlineRow.COLUMNS, DeadlineRow.MET), Tuple.of(caseId.value(), Columns.utc(after), Columns.utc(until)), DeadlineRow::listed);
    }

    /** A deadline of a case; empty when the case has none of that id. */
    Future<Optional<ListedDeadline>> deadline(SqlConnection transaction, CaseId caseId, DeadlineId deadlineId) {
        return Database.query(transaction, """
                select %s, false as met from cases.deadlines d where d.deadline_id = $1 and d.case_id = $2
                """.formatted(DeadlineRow.COLUMNS), Tuple.of(deadlineId.value(), caseId.value()), DeadlineRow::listed)
                .map(found -> found.stream().findFirst());
    }
}
