package io.arbitration.platform.events;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** Appends events in the transaction that made them true; the commit wakes whoever listens to the channel {@value #CHANNEL}. */
public final class EventLog {

    /** PostgreSQL channel that a commit with events notifies. */
    public static final String CHANNEL = "platform_events";

    /**
     * Waits for the turn of each of these cases, and keeps it until the transaction ends. To be sent before anything that writes or
     * locks rows: that gives the transaction its number, by which the log is ordered, and whoever has changed the case before
     * must have the smaller one. An advisory lock gives none.
     */
    public Future<Void> takeTurn(SqlConnection transaction, UUID... caseIds) {
        return transaction.preparedQuery("""
                select pg_advisory_xact_lock(turn)
                from (select distinct hashtextextended(id::text, 0) as turn from unnest($1::uuid[]) as id order by turn) as turns
                """).execute(Tuple.of((Object) caseIds)).mapEmpty();
    }

    /** Appends in the order given; one statement, however many. */
    public Future<Void> append(SqlConnection transaction, List<Event> events) {
        if (events.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, actor_id, occurred_at, envelope, trace)
                  select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::text[], $7::text[])
                  returning sequence)
                select pg_notify('platform_events', '') from (select count(*) from appended) counted
                """).execute(Tuple.of(
                        events.stream().map(Event::id).toArray(UUID[]::new),
                        events.stream().map(Event::kind).toArray(String[]::new),
                        events.stream().map(Event::caseId).toArray(UUID[]::new),
                        events.stream().map(event -> event.actorId().orElse(null)).toArray(UUID[]::new),
                        events.stream().map(event -> event.occurredAt().atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new),
                        events.stream().map(event -> event.envelope().encode()).toArray(String[]::new),
                        events.stream().map(event -> event.trace().orElse(null)).toArray(String[]::new)))
                .mapEmpty();
    }
}
