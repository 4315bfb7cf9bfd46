package io.arbitration.alerts;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.LoggedEvent;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Adds an alert for each person who is to be informed of an event. The queue stores when an alert is due. The column {@code due} of the
 * alerts has "infinity", so that nodes of the previous release do not claim them.
 */
final class FanOutRepository {

    /** The kinds that the view {@code platform_api.alert_events} has. */
    static final Set<String> ALERTED = Set.of("docket_filing", "case_created", "filing_submitted", "filing_rejected", "deadline_near");

    /**
     * Writes the alerts of the candidates before it and counts the emails among them. A person gets at most $1 emails a day about the acts of one
     * user. The bound counts for each user separately, because whoever used up a common one would hide what others did.
     */
    private static final String QUEUED = """
            placed as (
              select c.*, count(*) filter (where c.wanted and c.channel = 'email') over (partition by c.user_id, c.actor_id order by c.place, c.sequence) as nth
              from candidates c),
            judged as (
              select p.*, case
                  when not p.wanted then 'not wanted'
                  when p.channel = 'email' and p.actor_id is not null and p.nth + coalesce(d.emails, 0) > $1::int then 'too many emails about acts of one user today' end as reason
              from placed p
              left join alerts.emails_of_day d on d.user_id = p.user_id and d.actor_id = p.actor_id and d.day = (now() at time zone 'utc')::date),
            queued as (
              insert into alerts.alerts (sequence, user_id, channel, state, reason, due)
              select sequence, user_id, channel, case when reason is null then 'pending' else 'dropped' end, reason, case when reason is null then 'infinity'::timestamptz end
              from judged
              order by place, user_id
              on conflict (sequence, user_id, channel) do nothing
              returning alert_id, sequence, user_id, channel, state),
            counted as (
              insert into alerts.emails_of_day as d (user_id, actor_id, day, emails)
              select c.user_id, c.actor_id, (now() at time zone 'utc')::date, count(*)
              from queued q
              join candidates c using (sequence, user_id, channel)
              where q.channel = 'email' and q.state = 'pending' and c.actor_id is not null
              group by c.user_id, c.actor_id
              order by c.user_id, c.actor_id
              on conflict (user_id, actor_id, day) do update set emails = d.emails + excluded.emails)""";

    private final Database database;
    private final int emailsPerPersonAndDay;

    /** @param emailsPerPersonAndDay emails to one person in a day of UTC about what one other user did */
    FanOutRepository(Database database, int emailsPerPersonAndDay) {
        this.database = database;
        this.emailsPerPersonAndDay = emailsPerPersonAndDay;
    }

    /**
     * Adds an alert for each recipient and channel, in the transaction that moves the cursor. The recipients of a docket entry and of a new
     * case are all participants; of a filing that awaits approval, those who may approve it; of a rejection, the filer; of a deadline that
     * is near, those who act for its party. The user who caused the event gets none.
     */
    Future<Void> fanOut(SqlConnection transaction, List<LoggedEvent> all) {
        List<LoggedEvent> events = all.stream().filter(event -> ALERTED.contains(event.kind())).toList();
        if (events.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                with candidates as materialized (
                  select e.sequence, b.place, p.user_id, e.actor_id, c.channel, %s as wanted
                  from unnest($2::bigint[]) with ordinality as b(sequence, place)
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
                  cross join (values ('email'), ('push')) as c(channel)),
                %s
                select platform.enqueue('alerts', array_agg(alert_id order by alert_id)) from queued where state = 'pending'
                """.formatted(WantedSql.WANTED.formatted("p.user_id = g.user_id"), QUEUED))
                .execute(Tuple.of(emailsPerPersonAndDay).addArrayOfLong(events.stream().map(LoggedEvent::sequence).toArray(Long[]::new))).mapEmpty();
    }

    /**
     * Adds the alert of a new case for people who joined it after its creation. There is no event for that, so the participants are found
     * by the time at which they were added. The unique index keeps a person from getting the alert twice.
     *
     * <p>The participants are materialized, and event and alert are subqueries with a limit, so that PostgreSQL looks them up for those who
     * were added. As plain joins it read the events and alerts of all cases, because it cannot estimate how few were added: it expects a
     * third of all participants after an unknown time, but half a per cent in a range that also has an end.
     *
     * @param back how long before the last look of any node a person was added at the earliest
     * @return how many alerts were added; 0 while another node does this
     */
    Future<Integer> fanOutToJoined(Duration back) {
        return database.query("""
                with cursor as materialized (select looked_at from alerts.joined for update skip locked),
                added as materialized (
                  select p.case_id, p.user_id from cases_api.participants p
                  where p.added >= (select looked_at - $2::bigint * interval '1 millisecond' from cursor) and p.added <= 'infinity'),
                candidates as materialized (
                  select e.sequence, 1 as place, p.user_id, e.actor_id, c.channel, coalesce(f.case_created, true) as wanted
                  from added p
                  cross join lateral (
                    select sequence, actor_id from platform_api.events where case_id = p.case_id and event = 'case_created' limit 1) e
                  left join alerts.preferences f on f.user_id = p.user_id
                  cross join (values ('email'), ('push')) as c(channel)
                  where e.actor_id is distinct from p.user_id
                    and (select a.alert_id from alerts.alerts a where a.sequence = e.sequence and a.user_id = p.user_id and a.channel = c.channel limit 1) is null),
                %s,
                moved as (
                  update alerts.joined j set looked_at = now() from cursor)
                select count(*)::int, platform.enqueue('alerts', array_agg(alert_id order by alert_id) filter (where state = 'pending')) from queued
                """.formatted(QUEUED), Tuple.of(emailsPerPersonAndDay, back.toMillis()), row -> row.getInteger(0)).map(List::getFirst);
    }
}
