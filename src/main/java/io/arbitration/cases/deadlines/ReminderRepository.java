package io.arbitration.cases.deadlines;

import io.arbitration.domain.DeadlineId;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The positions up to which people were reminded of their deadlines, the notes of deadlines to check again, and the next
 * deadlines.
 */
public final class ReminderRepository {

    /** PostgreSQL channel that is notified when a deadline was set or moved so that its reminder is due before the next search. */
    public static final String CHANNEL = "reminders_due";

    /**
     * A deadline, and the conditions for its reminder. The format argument is the number of the parameter with the present time.
     */
    private static final String DEADLINE_AND_STATE = DeadlineRepository.COLUMNS + ", " + DeadlineRepository.MET + """
             as met, c.status = 'open' and c.phase_id = d.phase_id and c.sandbox_now is null
                and d.date > $%1$d and not exists (
                  select from unnest(d.remind_days) shorter where shorter < $1 and d.date - shorter * interval '24 hours' <= $%1$d) as current""";
    /**
     * The deadlines between a position and an instant. The statement reads a range of the index of dates and looks up the case of
     * each row; "offset 0" prevents the planner from reading all cases instead when there are few. Parameters: days, position
     * (date and ID), instant, maximum number of rows, present time.
     */
    public static final String REACHED = """
            select %s
            from (
              select * from cases.deadlines
              where (date, deadline_id) > ($2, $3) and date <= $4 and remind_days <> '{}' and $1 = any (remind_days)
              order by date, deadline_id limit $5) d
            join lateral (select status, phase_id, sandbox_now from cases.cases where case_id = d.case_id offset 0) c on true
            order by d.date, d.deadline_id
            """.formatted(DEADLINE_AND_STATE.formatted(6));
    /**
     * The given deadlines whose party was not yet reminded of their date this number of days before it. Two phases may have the
     * same rule, so that one docket entry, or the creation of the case, starts a deadline in each: a reminder of one of them
     * counts for both. Parameters: days, deadline IDs, present time.
     */
    public static final String PASSED = """
            with reminded as materialized (
              select e.envelope::json -> 'data' ->> 'deadlineID' as deadline_id, (e.envelope::json -> 'data' ->> 'date')::timestamptz as date
              from platform_api.alert_events e
              where e.case_id in (select n.case_id from cases.deadlines n where n.deadline_id = any($2))
                and e.event = '%2$s' and e.envelope::json -> 'data' ->> 'days' = ($1::int)::text)
            select %1$s
            from cases.deadlines d join cases.cases c using (case_id)
            where d.deadline_id = any($2) and $1 = any (d.remind_days)
              and not exists (select from reminded t where t.deadline_id = d.deadline_id::text and t.date = d.date)
              and not exists (
                select from cases.deadlines n join reminded t on t.deadline_id = n.deadline_id::text and t.date = d.date
                where %3$s and n.phase_id <> d.phase_id)
            """.formatted(DEADLINE_AND_STATE.formatted(3), Reminders.KIND, DeadlineRepository.GOES_ON);

    private final Database database;

    ReminderRepository(Database database) {
        this.database = database;
    }

    /**
     * Takes the lock of the reminders until the transaction ends; false while another node has it. It is an advisory lock, because it is
     * taken before those of the cases and must not assign a transaction ID.
     */
    Future<Boolean> tryLock(SqlConnection transaction) {
        return Database.query(transaction, """
                select pg_try_advisory_xact_lock(hashtextextended('cases.reminders', 0))
                """, Tuple.tuple(), row -> row.getBoolean(0)).map(List::getFirst);
    }

    /**
     * Notes these deadlines for the next search. The position of the reminders may move past them before this transaction
     * commits, or may be past them already if the event that starts them was read late. If a reminder is due before the next
     * search, the commit notifies the nodes.
     *
     * @param since only reminders that are due after this instant are sent; empty: only those due after the deadline began to run, or was
     *     extended
     */
    static Future<Void> note(SqlConnection transaction, List<DeadlineId> deadlineIds, Optional<Instant> since, Duration lookPeriod) {
        return deadlineIds.isEmpty() ? Future.succeededFuture() : transaction.preparedQuery("""
                with noted as (
                  insert into cases.reminder_checks (days, deadline_id)
                  select r.days, d.deadline_id
                  from cases.deadlines d join cases.reminded r on r.days = any (d.remind_days)
                  where d.deadline_id = any($1) and d.date - r.days * interval '24 hours' > coalesce($3::timestamptz, greatest(d.trigger_at, (
                    select max(x.ended_at) from cases.extensions x join cases.deadlines n using (deadline_id) where x.case_id = d.case_id and x.state = 'granted' and %s)))
                  returning days, deadline_id)
                select pg_notify('%s', '')
                from (
                  select from noted n join cases.deadlines d using (deadline_id) join cases.reminded r using (days)
                  where d.date <= r.date + $2::bigint * interval '1 millisecond' limit 1) near
                """.formatted(DeadlineRepository.GOES_ON, CHANNEL)).execute(Tuple.of(ids(deadlineIds), lookPeriod.multipliedBy(3).toMillis(), since.map(Columns::utc).orElse(null))).mapEmpty();
    }

    private static UUID[] ids(List<DeadlineId> deadlineIds) {
        return deadlineIds.stream().map(DeadlineId::value).toArray(UUID[]::new);
    }

    /**
     * A note of a deadline that this search reads.
     *
     * @param isPassed whether the position has moved past the deadline, although its date is still to come
     */
    record Note(long noteId, DeadlineId deadlineId, boolean isPassed) {}

    /**
     * The notes that this search deletes: those of deadlines after the position, which a later search will reach anyway, and
     * those of deadlines up to the given instant. The note of a deadline that the position has passed and that is after the
     * instant stays: a node whose clock is ahead has moved the position.
     *
     * @param limit the maximum number of notes
     */
    Future<List<Note>> noted(SqlConnection transaction, int days, Reminded place, Instant until, Instant now, int limit) {
        return Database.query(transaction, """
                select n.note_id, n.deadline_id, d.date > $5 and (d.date, d.deadline_id) <= ($2, $3) as passed
                from cases.reminder_checks n join cases.deadlines d using (deadline_id)
                where n.days = $1 and ((d.date, d.deadline_id) > ($2, $3) or d.date <= $4)
                order by n.note_id limit $6
                """, Tuple.of(days, Columns.utc(place.date()), place.deadlineId(), Columns.utc(until), Columns.utc(now), limit), row ->
                        new Note(row.getLong("note_id"), new DeadlineId(row.getUUID("deadline_id")), row.getBoolean("passed")));
    }

    /** The deadlines that the position has passed and whose party was not reminded of their date this number of days before it. */
    Future<List<Reached>> passed(SqlConnection transaction, int days, List<Note> notes, Instant now) {
        List<DeadlineId> passed = notes.stream().filter(Note::isPassed).map(Note::deadlineId).distinct().toList();
        return passed.isEmpty() ? Future.succeededFuture(List.of())
                : Database.query(transaction, PASSED, Tuple.of(days, ids(passed), Columns.utc(now)), ReminderRepository::reached);
    }

    /** Notes these deadlines for a later search, after all other notes; answers whether there are any. */
    Future<Boolean> putOff(SqlConnection transaction, int days, List<DeadlineId> deadlineIds) {
        return deadlineIds.isEmpty() ? Future.succeededFuture(false) : transaction.preparedQuery("""
                insert into cases.reminder_checks (days, deadline_id) select $1, unnest($2::uuid[])
                """).execute(Tuple.of(days, (Object) ids(deadlineIds))).map(true);
    }

    Future<Void> forget(SqlConnection transaction, List<Note> notes) {
        return notes.isEmpty() ? Future.succeededFuture() : transaction.preparedQuery("""
                delete from cases.reminder_checks where note_id = any($1)
                """).execute(Tuple.tuple().addArrayOfLong(notes.stream().map(Note::noteId).toArray(Long[]::new))).mapEmpty();
    }

    /** Deletes the notes for numbers of days that no rule set has any more. */
    Future<Void> forgetAllBut(List<Integer> days) {
        return database.update("""
                delete from cases.reminder_checks where not (days = any($1))
                """, Tuple.tuple().addArrayOfInteger(days.toArray(Integer[]::new))).mapEmpty();
    }

    private static Reached reached(Row row) {
        return new Reached(DeadlineRepository.listed(row), DeadlineRepository.instant(row, "date"), row.getBoolean("current") && !row.getBoolean("met"));
    }

    /** The position up to which people were reminded of their deadlines, in the order of dates, then of ids. */
    record Reminded(Instant date, UUID deadlineId) {

        /** The position after all deadlines up to that instant. */
        static Reminded upTo(Instant date) {
            return new Reminded(date, new UUID(-1, -1));
        }
    }

    /**
     * A deadline that a search has reached.
     *
     * @param needsReminder whether it can still be met and no shorter reminder of it is due. It can be met if the case is open and in the
     *     phase of the deadline, and the deadline is neither met nor over
     */
    record Reached(ListedDeadline deadline, Instant date, boolean needsReminder) {}

    /** Stores the first position for a number of days; does nothing if there is one already. */
    Future<Void> beginReminding(int days, Reminded from) {
        return database.update("""
                insert into cases.reminded (days, date, deadline_id) values ($1, $2, $3) on conflict (days) do nothing
                """, Tuple.of(days, Columns.utc(from.date()), from.deadlineId())).mapEmpty();
    }

    Future<Reminded> reminded(SqlConnection transaction, int days) {
        return Database.query(transaction, """
                select date, deadline_id from cases.reminded where days = $1
                """, Tuple.of(days), row -> new Reminded(DeadlineRepository.instant(row, "date"), row.getUUID("deadline_id"))).map(List::getFirst);
    }

    /** The deadlines after that one, up to that instant, with a reminder this number of days before. */
    Future<List<Reached>> reached(SqlConnection transaction, int days, Reminded after, Instant until, Instant now, int limit) {
        return Database.query(transaction, REACHED, Tuple.of(days, Columns.utc(after.date()), after.deadlineId(), Columns.utc(until), limit, Columns.utc(now)),
                ReminderRepository::reached);
    }

    /** Moves the position forward; does nothing if it is already there or further. */
    Future<Void> move(SqlConnection transaction, int days, Reminded to) {
        return transaction.preparedQuery("""
                update cases.reminded set date = $2, deadline_id = $3 where days = $1 and (date, deadline_id) < ($2, $3)
                """).execute(Tuple.of(days, Columns.utc(to.date()), to.deadlineId())).mapEmpty();
    }

    /** The date of the next deadline with a reminder this number of days before; empty if there is none. */
    Future<Optional<Instant>> next(int days, Reminded after) {
        return database.query("""
                select date from cases.deadlines
                where (date, deadline_id) > ($2, $3) and remind_days <> '{}' and $1 = any (remind_days)
                order by date, deadline_id limit 1
                """, Tuple.of(days, Columns.utc(after.date()), after.deadlineId()), row -> DeadlineRepository.instant(row, "date"))
                .map(found -> found.stream().findFirst());
    }
}
