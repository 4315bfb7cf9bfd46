package io.arbitration.alerts;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.LoggedEvent;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * Adds an alert for each person who is to be informed of an event. The queue stores when an alert is due. The column {@code due} of the
 * alerts has "infinity", so that nodes of the previous release do not claim them.
 */
final class FanOutRepository {

    private final Database database;

    FanOutRepository(Database database) {
        this.database = database;
    }

    /**
     * Adds an alert for each recipient and channel, in the transaction that moves the cursor. The recipients of a docket entry and of a new
     * case are all participants; of a filing that awaits approval, those who may approve it; of a rejection, the filer; of a deadline that
     * is near, those who act for its party. The user who caused the event gets none.
     */
    Future<Void> fanOut(SqlConnection transaction, List<LoggedEvent> events) {
        return transaction.preparedQuery("""
                with queued as (
                  insert into alerts.alerts (sequence, user_id, channel, state, reason, due)
                  select e.sequence, p.user_id, c.channel, w.state, w.reason, case w.state when 'pending' then 'infinity'::timestamptz end
                  from unnest($1::bigint[]) with ordinality as b(sequence, place)
                  join platform_api.alert_events e on e.sequence = b.sequence
                  left join mainapi_api.filings g
                    on e.event in ('docket_filing', 'filing_submitted', 'filing_rejected') and g.case_id = e.case_id
                      and g.filing_id = substring(e.envelope from '"filingID":"([0-9]{1,18})"')::bigint
                  left join cases_api.deadlines l
                    on e.event = 'deadline_near' and l.deadline_id = substring(e.envelope from '"deadlineID":"([0-9a-f-]{36})"')::uuid
                  join cases_api.participants p on p.case_id = e.case_id and p.user_id is distinct from e.actor_id
                    and case e.event
                      when 'filing_submitted' then p.party_id = g.approver_party and not p.is_observer
                      when 'filing_rejected' then p.user_id = g.user_id
                      when 'deadline_near' then p.party_id = l.party_id and not p.is_observer
                      else true end
                  left join alerts.preferences f on f.user_id = p.user_id
                  cross join (values ('email'), ('push')) as c(channel)
                  cross join lateral (
                    select case when wanted then 'pending' else 'dropped' end as state, case when not wanted then 'not wanted' end as reason
                    from (select %s as wanted) asked) w
                  order by b.place, p.user_id
                  on conflict (sequence, user_id, channel) do nothing
                  returning alert_id, state)
                select platform.enqueue('alerts', array_agg(alert_id order by alert_id)) from queued where state = 'pending'
                """.formatted(WantedSql.WANTED.formatted("p.user_id = g.user_id")))
                .execute(Tuple.of(events.stream().map(LoggedEvent::sequence).toArray(Long[]::new))).mapEmpty();
    }

    /**
     * Adds the alert of a new case for people who joined it after its creation. There is no event for that, so the participants are found
     * by the time at which they were added, from ten minutes before the last look: that is longer than a transaction may be open, and than
     * two clocks may differ. The unique index keeps a person from getting the alert twice.
     *
     * @return how many alerts were added; 0 while another node does this
     */
    Future<Integer> fanOutToJoined() {
        return database.query("""
                with cursor as materialized (select looked_at from alerts.joined for update skip locked),
                queued as (
                  insert into alerts.alerts (sequence, user_id, channel, state, reason, due)
                  select e.sequence, p.user_id, c.channel, w.state, w.reason, case w.state when 'pending' then 'infinity'::timestamptz end
                  from cursor
                  join cases_api.participants p on p.added >= cursor.looked_at - interval '10 minutes'
                  join platform_api.events e on e.case_id = p.case_id and e.event = 'case_created' and e.actor_id is distinct from p.user_id
                  left join alerts.preferences f on f.user_id = p.user_id
                  cross join (values ('email'), ('push')) as c(channel)
                  cross join lateral (
                    select case when coalesce(f.case_created, true) then 'pending' else 'dropped' end as state,
                           case when not coalesce(f.case_created, true) then 'not wanted' end as reason) w
                  where not exists (select from alerts.alerts a where a.sequence = e.sequence and a.user_id = p.user_id and a.channel = c.channel)
                  on conflict (sequence, user_id, channel) do nothing
                  returning alert_id, state),
                moved as (
                  update alerts.joined j set looked_at = now() from cursor)
                select count(*)::int, platform.enqueue('alerts', array_agg(alert_id order by alert_id) filter (where state = 'pending')) from queued
                """, Tuple.tuple(), row -> row.getInteger(0)).map(List::getFirst);
    }
}
