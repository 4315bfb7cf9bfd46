package io.arbitration.cases.hearings;

import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Hearing;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code cases.hearings}. */
final class HearingRepository {

    /** The columns that {@link #hearing} reads. */
    static final String COLUMNS = """
            h.hearing_id, h.case_id, h.title, h.starts_at, h.duration_minutes, h.time_zone, h.place, h.link, h.agenda, h.revision, h.attendance_changes, h.attendance_changed,
            h.cancelled_by, h.cancelled_at, h.cancel_reason, h.created_by, h.created, h.updated
            """;
    private static final String HEARING = "select " + COLUMNS + "from cases.hearings h\n";
    private static final String CHANNELS = "(values ('email'), ('push')) as c(channel)";

    private final Database database;

    HearingRepository(Database database) {
        this.database = database;
    }

    Future<Integer> count(SqlConnection transaction, CaseId caseId) {
        return Database.query(transaction, "select count(*)::integer from cases.hearings where case_id = $1", Tuple.of(caseId.value()),
                row -> row.getInteger(0)).map(List::getFirst);
    }

    Future<Optional<Hearing>> find(SqlConnection transaction, CaseId caseId, HearingId hearingId) {
        return Database.query(transaction, HEARING + "where h.case_id = $1 and h.hearing_id = $2", Tuple.of(caseId.value(), hearingId.value()),
                HearingRepository::hearing).map(Database::first);
    }

    Future<Optional<Hearing>> find(CaseId caseId, HearingId hearingId) {
        return database.query(HEARING + "where h.case_id = $1 and h.hearing_id = $2", Tuple.of(caseId.value(), hearingId.value()),
                HearingRepository::hearing).map(Database::first);
    }

    /** Hearings of a case, ordered by their start. */
    Future<List<Hearing>> ofCase(CaseId caseId, TimeWindow window, TimeKey after, int rows) {
        return database.query(HEARING + """
                where h.case_id = $1 and ($2::timestamptz is null or h.starts_at >= $2) and ($3::timestamptz is null or h.starts_at <= $3)
                  and (h.starts_at, h.hearing_id) > ($4, $5)
                order by h.starts_at, h.hearing_id
                limit $6
                """, values(caseId.value(), window, after, rows), HearingRepository::hearing);
    }

    /** The hearings of a case that are not cancelled and begin after that instant, ordered by their start. */
    Future<List<Hearing>> scheduledAfter(SqlConnection transaction, CaseId caseId, Instant after) {
        return Database.query(transaction, HEARING + "where h.case_id = $1 and h.cancelled_at is null and h.starts_at > $2 order by h.starts_at, h.hearing_id",
                Tuple.of(caseId.value(), Columns.utc(after)), HearingRepository::hearing);
    }

    /** The hearings of all cases in which a user is a participant. */
    Future<List<Hearing>> ofUser(UserId userId, TimeWindow window, TimeKey after, int rows) {
        return ofUser("h.starts_at, h.hearing_id", userId, window, after, rows);
    }

    /** The same without a cursor, the latest first. */
    Future<List<Hearing>> latestOfUser(UserId userId, TimeWindow window, int rows) {
        return ofUser("h.starts_at desc, h.hearing_id desc", userId, window, TimeKey.FIRST, rows);
    }

    private Future<List<Hearing>> ofUser(String order, UserId userId, TimeWindow window, TimeKey after, int rows) {
        return database.query(HEARING + """
                join cases.participants p on p.case_id = h.case_id
                where p.user_id = $1 and ($2::timestamptz is null or h.starts_at >= $2) and ($3::timestamptz is null or h.starts_at <= $3)
                  and (h.starts_at, h.hearing_id) > ($4, $5)
                order by %s
                limit $6
                """.formatted(order), values(userId.value(), window, after, rows), HearingRepository::hearing);
    }

    private static Tuple values(UUID of, TimeWindow window, TimeKey after, int rows) {
        return Tuple.from(Arrays.asList(of, window.from().map(Columns::utc).orElse(null), window.until().map(Columns::utc).orElse(null),
                Columns.utc(after.at()), after.id(), rows));
    }

    /** Inserts or updates the hearings in one statement. */
    Future<Void> write(SqlConnection transaction, List<Hearing> hearings) {
        return transaction.preparedQuery("""
                insert into cases.hearings (hearing_id, case_id, title, starts_at, duration_minutes, time_zone, place, link, agenda, revision,
                  cancelled_by, cancelled_at, cancel_reason, created_by, created, updated)
                select h.hearing_id, h.case_id, h.title, h.starts_at, h.duration_minutes, h.time_zone, h.place, h.link, h.agenda, h.revision,
                  h.cancelled_by, h.cancelled_at, h.cancel_reason, h.created_by, h.created, h.updated
                from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
                  $10::bigint[], $11::uuid[], $12::timestamptz[], $13::text[], $14::uuid[], $15::timestamptz[], $16::timestamptz[])
                  as h(hearing_id, case_id, title, starts_at, duration_minutes, time_zone, place, link, agenda,
                    revision, cancelled_by, cancelled_at, cancel_reason, created_by, created, updated)
                on conflict (hearing_id) do update
                set title = excluded.title, starts_at = excluded.starts_at, duration_minutes = excluded.duration_minutes, time_zone = excluded.time_zone,
                    place = excluded.place, link = excluded.link, agenda = excluded.agenda, revision = excluded.revision,
                    cancelled_by = excluded.cancelled_by, cancelled_at = excluded.cancelled_at, cancel_reason = excluded.cancel_reason, updated = excluded.updated
                """).execute(new Columns<>(hearings)
                        .ids(one -> one.hearingId().value()).ids(one -> one.caseId().value()).texts(one -> one.schedule().title())
                        .times(one -> one.schedule().start()).numbers(one -> one.schedule().duration().toMinutes()).texts(one -> one.schedule().timeZone().getId())
                        .texts(one -> one.schedule().place().orElse(null)).texts(one -> one.schedule().link().orElse(null))
                        .texts(one -> one.schedule().agenda().orElse(null)).numbers(Hearing::revision)
                        .ids(one -> one.cancelled().map(gone -> gone.by().value()).orElse(null))
                        .times(one -> one.cancelled().map(Hearing.Cancellation::at).orElse(null))
                        .texts(one -> one.cancelled().map(Hearing.Cancellation::reason).orElse(null))
                        .ids(one -> one.createdBy().value()).times(Hearing::created).times(Hearing::updated).tuple()).mapEmpty();
    }

    /**
     * Queues hearings that were cancelled by the closing of their case: {@link ClosedHearingRepository} creates their
     * notifications.
     */
    Future<Void> queueClosed(SqlConnection transaction, List<Hearing> cancelled) {
        return transaction.preparedQuery("""
                with closed as (
                  insert into cases.hearing_closings (hearing_id) select h.hearing_id from unnest($1::uuid[]) as h(hearing_id) returning closing_id)
                select platform.enqueue('hearing_closings', array_agg(closing_id order by closing_id)) from closed
                """).execute(new Columns<>(cancelled).ids(one -> one.hearingId().value()).tuple()).mapEmpty();
    }

    /** Queues a notification of each of these hearings, as it is now, for each participant of the case and each channel. */
    Future<Void> queueNotifications(SqlConnection transaction, List<HearingId> hearingIds) {
        return transaction.preparedQuery("""
                with due as (
                  insert into cases.hearing_news (hearing_id, revision, attendance_changes, user_id, channel)
                  select h.hearing_id, h.revision, h.attendance_changes, p.user_id, c.channel
                  from cases.hearings h join cases.participants p on p.case_id = h.case_id cross join %s
                  where h.hearing_id = any($1) order by h.starts_at, h.hearing_id, p.user_id, c.channel
                  returning news_id)
                select platform.enqueue('hearing_news', array_agg(news_id order by news_id)) from due
                """.formatted(CHANNELS)).execute(new Columns<>(hearingIds).ids(HearingId::value).tuple()).mapEmpty();
    }

    /** Queues notifications of the hearings of a case that are scheduled and not over, for a person who has joined it. */
    Future<Void> queueJoined(SqlConnection transaction, CaseId caseId, UserId userId, Instant now) {
        return queueAttendance(transaction, "", "", caseId, userId, now);
    }

    /**
     * Queues notifications that the person, who has left the case, no longer takes part in these hearings, with their present
     * schedule.
     */
    Future<Void> queueLeft(SqlConnection transaction, CaseId caseId, UserId userId, Instant now) {
        return queueAttendance(transaction, ", left_title, left_starts_at, left_minutes, left_time_zone", ", h.title, h.starts_at, h.duration_minutes, h.time_zone",
                caseId, userId, now);
    }

    private static Future<Void> queueAttendance(SqlConnection transaction, String columns, String values, CaseId caseId, UserId userId, Instant now) {
        return transaction.preparedQuery("""
                with changed as (
                  update cases.hearings set attendance_changes = attendance_changes + 1, attendance_changed = $3
                  where case_id = $1 and cancelled_at is null and starts_at + duration_minutes * interval '1 minute' > $3
                  returning *),
                due as (
                  insert into cases.hearing_news (hearing_id, revision, attendance_changes, user_id, channel%s)
                  select h.hearing_id, h.revision, h.attendance_changes, $2, c.channel%s
                  from changed h cross join %s order by h.hearing_id, c.channel
                  returning news_id)
                select platform.enqueue('hearing_news', array_agg(news_id order by news_id)) from due
                """.formatted(columns, values, CHANNELS)).execute(Tuple.of(caseId.value(), userId.value(), Columns.utc(now))).mapEmpty();
    }

    static Hearing hearing(Row row) {
        Hearing.Schedule schedule = new Hearing.Schedule(row.getString("title"), instant(row, "starts_at"), Duration.ofMinutes(row.getInteger("duration_minutes")),
                ZoneId.of(row.getString("time_zone")), Optional.ofNullable(row.getString("place")), Optional.ofNullable(row.getString("link")),
                Optional.ofNullable(row.getString("agenda")));
        Optional<Hearing.Cancellation> cancelled = Optional.ofNullable(row.getUUID("cancelled_by"))
                .map(by -> new Hearing.Cancellation(new UserId(by), instant(row, "cancelled_at"), row.getString("cancel_reason")));
        return new Hearing(new HearingId(row.getUUID("hearing_id")), new CaseId(row.getUUID("case_id")), schedule, row.getLong("revision"), row.getInteger("attendance_changes"),
                Optional.ofNullable(row.getOffsetDateTime("attendance_changed")).map(OffsetDateTime::toInstant), cancelled,
                new UserId(row.getUUID("created_by")), instant(row, "created"), instant(row, "updated"));
    }

    private static Instant instant(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }
}
