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
    static final String CHANNEL = "reminders_due";

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
    /** Of these deadlines those that the looks have passed without telling anybody. Values: days, deadlines, place (date and id), now. */
    private static final String PASSED = """
            select %s
            from cases.deadlines d join cases.cases c using (case_id)
            where d.deadline_id = any($2) and (d.date, d.deadline_id) <= ($3, $4) and $1 = any (d.remind_days) and not exists (
              select from platform_api.alert_events e
              where e.case_id = d.case_id and e.event = '%s' and e.envelope::json -> 'data' ->> 'deadlineID' = d.deadline_id::text
                and e.envelope::json -> 'data' ->> 'days' = $1::text)
            """.formatted(TO_TELL.formatted(5), Reminders.KIND);

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
     * Notifies the nodes that remind people, at the commit, if one of these deadlines comes near before they look again by themselves: so
     * long at most after the place up to which they have looked. That place may also pass a deadline before its transaction ends, or before the
     * event that sets it is read. So such a deadline is noted for the next look.
     *
     * @param since the reminders of a deadline that are due after this are told; empty for those due after the deadline was set running
     */
    static Future<Void> wake(SqlConnection transaction, List<DeadlineId> deadlineIds, Optional<Instant> since, Duration lookPeriod) {
        return deadlineIds.isEmpty() ? Future.succeededFuture() : transaction.preparedQuery("""
                with noted as (
                  insert into cases.reminder_checks (days, deadline_id)
                  select r.days, d.deadline_id
                  from cases.deadlines d join cases.reminded r on r.days = any (d.remind_days)
                  where d.deadline_id = any($1) and d.date <= r.date + $2::bigint * interval '1 millisecond'
                    and d.date - r.days * interval '24 hours' > coalesce($3::timestamptz, d.trigger_at)
                  on conflict do nothing
                  returning 1)
                select pg_notify('%s', '') from (select from noted limit 1) near
                """.formatted(CHANNEL)).execute(Tuple.of(ids(deadlineIds), lookPeriod.toMillis(), since.map(Columns::utc).orElse(null))).mapEmpty();
    }

    private static UUID[] ids(List<DeadlineId> deadlineIds) {
        return deadlineIds.stream().map(DeadlineId::value).toArray(UUID[]::new);
    }

    /**
     * The deadlines that were noted for this look, which are noted no more.
     *
     * @param limit how many at most
     */
    Future<List<DeadlineId>> noted(SqlConnection transaction, int days, int limit) {
        return Database.query(transaction, """
                delete from cases.reminder_checks
                where (days, deadline_id) in (select days, deadline_id from cases.reminder_checks where days = $1 order by deadline_id limit $2)
                returning deadline_id
                """, Tuple.of(days, limit), row -> new DeadlineId(row.getUUID("deadline_id")));
    }

    /** Of the deadlines that were noted those whose dates are before the place, and of which nobody was ever reminded so many days before. */
    Future<List<Reached>> passed(SqlConnection transaction, int days, List<DeadlineId> noted, Reminded place, Instant now) {
        return noted.isEmpty() ? Future.succeededFuture(List.of())
                : Database.query(transaction, PASSED, Tuple.of(days, ids(noted), Columns.utc(place.date()), place.deadlineId(), Columns.utc(now)),
                        ReminderRepository::reached);
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
