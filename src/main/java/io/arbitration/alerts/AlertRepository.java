package io.arbitration.alerts;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The alerts on their way to a channel. All times in it are the database's: the clocks of the nodes may differ, or jump. */
final class AlertRepository {

    private final Database database;

    AlertRepository(Database database) {
        this.database = database;
    }

    /** Claims what is due, the oldest first, and looks what is true of it now: who takes part, and who still wants to be told. */
    Future<List<DueAlert>> claim(UUID claim, int most, Duration lease) {
        return database.query("""
                with picked as materialized (
                  select alert_id from alerts.alerts where due <= now() order by due limit $2 for update skip locked),
                claimed as (
                  update alerts.alerts a set claim = $1, due = now() + $3::bigint * interval '1 millisecond'
                  from picked where a.alert_id = picked.alert_id
                  returning a.alert_id, a.attempts, a.channel, a.user_id, a.sequence)
                select c.alert_id, c.attempts, c.channel, c.user_id, u.email, u.first_name, p.user_id is not null as takes_part,
                       coalesce(case e.event when 'docket_filing' then f.docket_filings else f.case_created end, true) as wanted,
                       e.event_id, e.event, e.case_id, k.title, d.entry_id, d.number, d.title as entry_title,
                       nullif(trim(n.first_name || ' ' || n.last_name), '') as by_name, e.occurred_at, e.trace
                from claimed c
                join platform_api.events e on e.sequence = c.sequence
                join cases_api.cases k on k.case_id = e.case_id
                left join cases_api.participants p on p.case_id = e.case_id and p.user_id = c.user_id
                left join mainapi_api.docket_entries d
                  on e.event = 'docket_filing'
                    and d.entry_id = substring(e.envelope::json -> 'data' ->> 'entryID' from '^[0-9]{1,18}$')::bigint
                    and d.case_id = e.case_id
                left join identity_api.users u on u.user_id = c.user_id
                left join identity_api.public_users n on n.user_id = e.actor_id
                left join alerts.preferences f on f.user_id = c.user_id
                order by c.alert_id
                """, Tuple.of(claim, most, lease.toMillis()), row -> alert(claim, row));
    }

    private static DueAlert alert(UUID claim, Row row) {
        Optional<DueAlert.Reader> reader = Optional.ofNullable(row.getString("email"))
                .map(email -> new DueAlert.Reader(email, row.getString("first_name")));
        Optional<News.Entry> entry = Optional.ofNullable(row.getLong("entry_id"))
                .map(id -> new News.Entry(id, row.getInteger("number"), row.getString("entry_title")));
        News news = new News(row.getUUID("event_id"), row.getString("event"), row.getUUID("case_id"), row.getString("title"), entry,
                Optional.ofNullable(row.getString("by_name")), row.getOffsetDateTime("occurred_at").toInstant());
        return new DueAlert(row.getLong("alert_id"), claim, row.getInteger("attempts"), Channel.of(row.getString("channel")), row.getUUID("user_id"),
                reader, row.getBoolean("takes_part"), row.getBoolean("wanted"), news, Optional.ofNullable(row.getString("trace")));
    }

    /** Records what became of alerts, in one statement. An outcome whose claim is no longer that of the table changes nothing. */
    Future<Void> record(List<AlertOutcome> outcomes) {
        Columns<AlertOutcome> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.alert().alertId())
                .ids(outcome -> outcome.alert().claim())
                .texts(AlertRepository::state)
                .texts(AlertRepository::reason)
                .numbers(AlertRepository::pauseMillis);
        return database.update("""
                update alerts.alerts a
                set state = o.state, reason = o.reason, claim = null, attempts = a.attempts + 1,
                    due = case o.state when 'pending' then now() + o.pause_millis * interval '1 millisecond' end
                from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::bigint[]) as o(alert_id, claim, state, reason, pause_millis)
                where a.alert_id = o.alert_id and a.claim = o.claim
                """, columns.tuple()).mapEmpty();
    }

    private static String state(AlertOutcome outcome) {
        return switch (outcome) {
            case AlertOutcome.Told told -> "told";
            case AlertOutcome.Dropped dropped -> "dropped";
            case AlertOutcome.Refused refused -> "refused";
            case AlertOutcome.Again again -> "pending";
        };
    }

    private static String reason(AlertOutcome outcome) {
        return switch (outcome) {
            case AlertOutcome.Told told -> null;
            case AlertOutcome.Dropped(DueAlert alert, String reason) -> reason;
            case AlertOutcome.Refused(DueAlert alert, String reason) -> reason;
            case AlertOutcome.Again(DueAlert alert, Duration pause, String reason) -> reason;
        };
    }

    private static Long pauseMillis(AlertOutcome outcome) {
        return outcome instanceof AlertOutcome.Again again ? again.pause().toMillis() : 0L;
    }

    /** Gives back what was claimed and not told. */
    Future<Void> release(List<DueAlert> claimed) {
        Columns<DueAlert> columns = new Columns<>(claimed).numbers(DueAlert::alertId).ids(DueAlert::claim);
        return database.update("""
                update alerts.alerts a set claim = null, due = now()
                from unnest($1::bigint[], $2::uuid[]) as c(alert_id, claim)
                where a.alert_id = c.alert_id and a.claim = c.claim
                """, columns.tuple()).mapEmpty();
    }
}
