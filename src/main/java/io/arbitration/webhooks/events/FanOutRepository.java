package io.arbitration.webhooks.events;

import io.arbitration.platform.events.LoggedEvent;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Set;

/** Adds events to the feed of each organization concerned, and a delivery for each of its URLs. */
public final class FanOutRepository {

    /** PostgreSQL channel that a commit with deliveries notifies. */
    public static final String DUE = "webhooks_due";

    /**
     * So many deliveries go into one slot of the queue before the next slot is used. It bounds the dead rows that a claim reads: at most
     * about twice as many.
     */
    private static final int DELIVERIES_OF_A_SLOT = 4096;

    /** The kinds that the view {@code platform_api.events} leaves out: no organization is told of them. */
    static final Set<String> NOT_PUBLISHED = Set.of("filing_drafted", "deadline_near");

    /** Does both for the organizations for which a participant of the case acts, if the participant is a member at this moment. */
    public Future<Void> fanOut(SqlConnection transaction, List<LoggedEvent> all) {
        List<LoggedEvent> events = all.stream().filter(event -> !NOT_PUBLISHED.contains(event.kind())).toList();
        if (events.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                with concerned as materialized (
                  select b.place, e.sequence, e.event_id, e.event, e.occurred_at, p.organization_id
                  from unnest($1::bigint[]) with ordinality as b(sequence, place)
                  cross join lateral (
                    select sequence, event_id, event, occurred_at, case_id from platform_api.events where sequence = b.sequence offset 0) e
                  cross join lateral (
                    select distinct c.organization_id
                    from cases_api.participants c
                    join identity_api.memberships m on m.user_id = c.user_id and m.organization_id = c.organization_id
                    where c.case_id = e.case_id) p),
                counted as (
                  insert into webhooks.organizations as o (organization_id, last_position)
                  select organization_id, count(*) from concerned group by organization_id order by organization_id
                  on conflict (organization_id) do update set last_position = o.last_position + excluded.last_position
                  returning organization_id, last_position),
                fed as (
                  insert into webhooks.feed (organization_id, position, sequence, event, occurred_at)
                  select t.organization_id,
                         c.last_position - count(*) over (partition by t.organization_id)
                           + row_number() over (partition by t.organization_id order by t.place),
                         t.sequence, t.event, t.occurred_at
                  from concerned t join counted c using (organization_id)),
                delivered as (
                  insert into webhooks.deliveries (url_id, organization_id, sequence, event_id, event, state, created)
                  select u.url_id, t.organization_id, t.sequence, t.event_id, t.event, 'pending', now()
                  from concerned t
                  join webhooks.urls u on u.organization_id = t.organization_id
                  where u.disabled_at is null and u.deleted_at is null and t.event = any (u.events)
                  order by t.place, u.url_id
                  returning delivery_id, url_id, sequence),
                queued as (
                  insert into webhooks.queue (slot, delivery_id, url_id, sequence, replay, ready, due)
                  select 1 + (delivery_id / %d) %% 3, delivery_id, url_id, sequence, false, true, now() from delivered
                  returning delivery_id)
                select pg_notify('webhooks_due', '') from (select count(*) from queued) counted where count > 0
                """.formatted(DELIVERIES_OF_A_SLOT)).execute(Tuple.of(events.stream().map(LoggedEvent::sequence).toArray(Long[]::new))).mapEmpty();
    }
}
