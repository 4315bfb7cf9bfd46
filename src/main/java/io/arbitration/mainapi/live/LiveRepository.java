package io.arbitration.mainapi.live;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.LogPosition;
import io.arbitration.platform.events.LoggedEvent;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The events that the clients of event streams may see now. */
final class LiveRepository {

    /**
     * Whether the user $1 takes part in the case {@code %s}; and whether a participant of it acts for the organization $1 and still belongs
     * to it.
     */
    private static final String OF_USER = "exists (select from cases_api.participants p where p.case_id = %s and p.user_id = $1)";
    private static final String OF_ORGANIZATION = """
            exists (
              select from cases_api.participants p
              join identity_api.memberships m on m.user_id = p.user_id and m.organization_id = p.organization_id
              where p.case_id = %s and p.organization_id = $1)""";

    private final Database database;

    LiveRepository(Database database) {
        this.database = database;
    }

    /** An event as a stream sends it. @param envelope JSON text, the same as webhooks get */
    record StreamedEvent(long sequence, String kind, UUID caseId, String envelope) {}

    /** An event with the users and organizations that may see it now. */
    record Addressed(StreamedEvent event, Set<UUID> readers) {}

    /** The organization that the session of a machine client acts for; empty for users and for a client of none. */
    Future<Optional<UUID>> organizationOfClient(Caller caller) {
        return database.query("""
                select s.organization_id from identity_api.sessions s
                where s.session_id = $1 and s.caller_id = $2 and s.organization_id is not null
                  and not exists (select from identity_api.users u where u.user_id = s.caller_id)
                """, Tuple.of(caller.sessionId(), caller.id()), row -> row.getUUID(0)).map(found -> found.stream().findFirst());
    }

    /** Whether the subscriber may see the events of the case; empty if there is no such case. */
    Future<Optional<Boolean>> follows(Subscriber subscriber, CaseId caseId) {
        return database.query("select " + mine(subscriber).formatted("c.case_id") + " from cases_api.cases c where c.case_id = $2",
                Tuple.of(subscriber.id(), caseId.value()), row -> row.getBoolean(0)).map(found -> found.stream().findFirst());
    }

    /** Those of these events that are published, each with everybody who may see it now. */
    Future<List<Addressed>> addressed(List<LoggedEvent> events) {
        return database.query("""
                select e.sequence, e.event, e.case_id, e.envelope,
                       array(select p.user_id from cases_api.participants p where p.case_id = e.case_id
                             union
                             select m.organization_id from cases_api.participants p
                             join identity_api.memberships m on m.user_id = p.user_id and m.organization_id = p.organization_id
                             where p.case_id = e.case_id) as readers
                from platform_api.events e
                where e.sequence = any ($1)
                order by e.sequence
                """, Tuple.of(events.stream().map(LoggedEvent::sequence).toArray(Long[]::new)), row -> new Addressed(
                        new StreamedEvent(row.getLong("sequence"), row.getString("event"), row.getUUID("case_id"), row.getString("envelope")),
                        Set.copyOf(Arrays.asList(row.getArrayOfUUIDs("readers")))));
    }

    /** The events between two positions of the log that the subscriber may see now, in order, at most so many. */
    Future<List<StreamedEvent>> between(Subscriber subscriber, LogPosition from, LogPosition to, int limit) {
        return database.query("""
                select e.sequence, e.event, e.case_id, e.envelope
                from (%s) k
                cross join lateral (
                  (select * from platform_api.events e where e.case_id = k.case_id and e.sequence > $2 and e.sequence <= $4
                   order by e.sequence limit $6)
                  union all
                  (select * from platform_api.events e where e.case_id = k.case_id and e.sequence <= $2
                     and $3::text::int8multirange @> e.sequence and e.sequence >= lower($3::text::int8multirange))) e
                where not $5::text::int8multirange @> e.sequence and ($7::uuid is null or k.case_id = $7)
                order by e.sequence
                limit $6
                """.formatted(subscriber.isOrganization()
                        ? """
                        select distinct p.case_id from cases_api.participants p
                        join identity_api.memberships m on m.user_id = p.user_id and m.organization_id = p.organization_id
                        where p.organization_id = $1"""
                        : "select p.case_id from cases_api.participants p where p.user_id = $1"),
                Tuple.from(Arrays.asList(subscriber.id(), from.readUpTo(), from.missing().text(), to.readUpTo(), to.missing().text(), limit,
                        subscriber.caseId().map(CaseId::value).orElse(null))),
                row -> new StreamedEvent(row.getLong(0), row.getString(1), row.getUUID(2), row.getString(3)));
    }

    private static String mine(Subscriber subscriber) {
        return subscriber.isOrganization() ? OF_ORGANIZATION : OF_USER;
    }
}
