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

/** How far ahead people were reminded of their deadlines, and which deadlines come next. */
public final class ReminderRepository {

    /** Notified when a deadline was set or moved that comes near before the next look. */
    public static final String CHANNEL = "reminders_due";

    /** A deadline, and whether somebody is told of it now, which is the value with this number. */
    private static final String TO_TELL = DeadlineRepository.COLUMNS + ", " + DeadlineRepository.MET + """
             as met, c.status = 'open' and c.phase_id = d.phase_id and c.sandbox_now is null
                and d.date > $%1$d and not exists (
                  select from unnest(d.remind_days) shorter where shorter < $1 and d.date - shorter * interval '24 hours' <= $%1$d) as current""";
    /**
     * The one look at the deadlines that come near: a range of the index of dates, and for each of these its case ("offset 0": not all cases, however
     * few there are). It is told if it can still be met and no shorter reminder of it is due. Values: days, place (date and id), until, rows at most, now.
     */
    public static final String REACHED = """
            select %s
            from (
              select * from cases.deadlines
              where (date, deadline_id) > ($2, $3) and date <= $4 and remind_days <> '{}' and $1 = any (remind_days)
              order by date, deadline_id limit $5) d
            join lateral (select status, phase_id, sandbox_now from cases.cases where case_id = d.case_id offset 0) c on true
            order by d.date, d.deadline_id
            """.formatted(TO_TELL.formatted(6));
    /**
     * Those of these deadlines whose party has not been reminded of their date so many days before. A phase may repeat the rule of another, so
     * that the same entry, or the creation of the case, sets a deadline running in each: a reminder of one counts for both. Values: days,
     * deadlines, now.
     */
    public static final String PASSED = """
            with told as materialized (
              select e.envelope::json -> 'data' ->> 'deadlineID' as deadline_id, (e.envelope::json -> 'data' ->> 'date')::timestamptz as date
              from platform_api.alert_events e
              where e.case_id in (select n.case_id from cases.deadlines n where n.deadline_id = any($2))
                and e.event = '%2$s' and e.envelope::json -> 'data' ->> 'days' = ($1::int)::text)
            select %1$s
            from cases.deadlines d join cases.cases c using (case_id)
            where d.deadline_id = any($2) and $1 = any (d.remind_days)
              and not exists (select from told t where t.deadline_id = d.deadline_id::text and t.date = d.date)
              and not exists (
                select from cases.deadlines n join told t on t.deadline_id = n.deadline_id::text and t.date = d.date
                where %3$s and n.phase_id <> d.phase_id)
            """.formatted(TO_TELL.formatted(3), Reminders.KIND, DeadlineRepository.GOES_ON);

    private final Database database;

    ReminderRepository(Database database) {
        this.database = database;
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

    /**
     * Notes these deadlines for the next look: the looks may pass them before this transaction ends, and have passed them if the event that
     * sets them was read late. Notifies the nodes that remind people, at the commit, if one of them comes near before they look by themselves.
     *
     * @param since the reminders of a deadline that are due after this are told; empty for those due after it was set running or more time was granted
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
     * A note of a deadline that this look reads.
     *
     * @param isPassed whether the place is at the deadline or behind it, and the deadline is still to come
     */
    record Note(long noteId, DeadlineId deadlineId, boolean isPassed) {}

    /**
     * The notes of deadlines that the looks have passed, until an instant, and of those that are still before them, of which a look will come by itself.
     * A deadline that was passed and is after that instant keeps its note: a node whose clock was ahead has been there.
     *
     * @param limit how many at most
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

    /** Of the deadlines that were passed those of whose date nobody was told so many days before. */
    Future<List<Reached>> passed(SqlConnection transaction, int days, List<Note> notes, Instant now) {
        List<DeadlineId> passed = notes.stream().filter(Note::isPassed).map(Note::deadlineId).distinct().toList();
        return passed.isEmpty() ? Future.succeededFuture(List.of())
                : Database.query(transaction, PASSED, Tuple.of(days, ids(passed), Columns.utc(now)), ReminderRepository::reached);
    }

    /** Notes these deadlines for a later look, behind all notes; answers whether there is any. */
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

    /** Forgets the notes for numbers of days that no rule set has any more. */
    Future<Void> forgetAllBut(List<Integer> days) {
        return database.update("""
                delete from cases.reminder_checks where not (days = any($1))
                """, Tuple.tuple().addArrayOfInteger(days.toArray(Integer[]::new))).mapEmpty();
    }

    private static Reached reached(Row row) {
        return new Reached(DeadlineRepository.listed(row), DeadlineRepository.instant(row, "date"), row.getBoolean("current") && !row.getBoolean("met"));
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
     * @param isTold whether it is one that somebody can still meet: in the phase that its open case is in, not met, not over, and of which no shorter reminder is due
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
                """, Tuple.of(days), row -> new Reminded(DeadlineRepository.instant(row, "date"), row.getUUID("deadline_id"))).map(List::getFirst);
    }

    /** The deadlines after that one, up to that instant, of which people are reminded so many days before. */
    Future<List<Reached>> reached(SqlConnection transaction, int days, Reminded after, Instant until, Instant now, int limit) {
        return Database.query(transaction, REACHED, Tuple.of(days, Columns.utc(after.date()), after.deadlineId(), Columns.utc(until), limit, Columns.utc(now)),
                ReminderRepository::reached);
    }

    /** Moves the place onward; nothing happens where it is there already or further. */
    Future<Void> move(SqlConnection transaction, int days, Reminded to) {
        return transaction.preparedQuery("""
                update cases.reminded set date = $2, deadline_id = $3 where days = $1 and (date, deadline_id) < ($2, $3)
                """).execute(Tuple.of(days, Columns.utc(to.date()), to.deadlineId())).mapEmpty();
    }

    /** When the next deadline comes of which people are reminded so many days before; empty when there is none. */
    Future<Optional<Instant>> next(int days, Reminded after) {
        return database.query("""
                select date from cases.deadlines
                where (date, deadline_id) > ($2, $3) and remind_days <> '{}' and $1 = any (remind_days)
                order by date, deadline_id limit 1
                """, Tuple.of(days, Columns.utc(after.date()), after.deadlineId()), row -> DeadlineRepository.instant(row, "date"))
                .map(found -> found.stream().findFirst());
    }
}
