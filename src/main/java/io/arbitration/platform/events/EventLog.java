package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/**
 * The outbox: events are appended in the transaction of the change that they report. Its commit notifies the channel {@value
 * #CHANNEL}.
 */
public final class EventLog {

    /** PostgreSQL channel that a commit with events notifies. */
    public static final String CHANNEL = "platform_events";
    /** Kind of the event of a draft that was made or changed, which only the platform itself reads. */
    private static final String DRAFTED = "filing_drafted";
    /** Payload of the notification of a transaction that appended such events only; else it is empty. */
    static final String DRAFTS = "drafts";

    /**
     * Locks cases for appending events, until the transaction ends: while it draws the sequences of its events, no other
     * transaction can draw sequences for these cases, so that events of a case enter the log in the order of its changes. The
     * locks are taken in the order of their keys, so that two transactions never deadlock.
     */
    public Future<Void> lockCases(SqlConnection transaction, UUID... caseIds) {
        return transaction.preparedQuery("""
                select pg_advisory_xact_lock(key)
                from (select distinct hashtextextended(id::text, 0) as key from unnest($1::uuid[]) as id order by key) as keys
                """).execute(Tuple.of((Object) caseIds)).mapEmpty();
    }

    /** Locks those of these cases that no other transaction has locked, without waiting, and answers which they are. */
    public Future<List<UUID>> lockFreeCases(SqlConnection transaction, UUID... caseIds) {
        return Database.query(transaction, """
                select id from (select distinct unnest($1::uuid[]) as id offset 0) cases where pg_try_advisory_xact_lock(hashtextextended(id::text, 0))
                """, Tuple.of((Object) caseIds), row -> row.getUUID(0));
    }

    /**
     * Appends the events in order, in one statement. The log has the time of the platform, even for an event with the time of a
     * sandbox, because lag and age of the log are measured in real time.
     */
    public Future<Void> append(SqlConnection transaction, List<Event> events) {
        if (events.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, actor_id, occurred_at, envelope, trace, sandbox)
                  select event_id, event, case_id, actor_id, case when sandbox then now() else occurred_at end, envelope, trace, sandbox
                  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::text[], $7::text[], $8::boolean[]) with ordinality
                    as e(event_id, event, case_id, actor_id, occurred_at, envelope, trace, sandbox, place)
                  order by place
                  returning sequence)
                select pg_notify('platform_events', $9) from (select count(*) from appended) counted
                """).execute(Tuple.of(
                        events.stream().map(Event::id).toArray(UUID[]::new),
                        events.stream().map(Event::kind).toArray(String[]::new),
                        events.stream().map(Event::caseId).toArray(UUID[]::new),
                        events.stream().map(event -> event.actorId().orElse(null)).toArray(UUID[]::new),
                        events.stream().map(event -> event.occurredAt().atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new),
                        events.stream().map(event -> event.envelope().encode()).toArray(String[]::new),
                        events.stream().map(event -> event.trace().orElse(null)).toArray(String[]::new))
                        .addArrayOfBoolean(events.stream().map(Event::inSandbox).toArray(Boolean[]::new))
                        .addString(events.stream().allMatch(event -> event.kind().equals(DRAFTED)) ? DRAFTS : ""))
                .mapEmpty();
    }
}
