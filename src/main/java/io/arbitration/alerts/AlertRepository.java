package io.arbitration.alerts;

import io.arbitration.alerts.AlertContent.About;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The alerts, one for each event, person and channel, and their outcomes. */
final class AlertRepository implements ContentRepository<DueAlert, Handover.Outcome<DueAlert>> {

    static final String QUEUE = "alerts";

    private static final String IS_FILER = "substring(e.envelope from '\"userID\":\"([0-9a-f-]{36})\"') = a.user_id::text";

    private final Database database;
    private final AlertRequest request;
    private final Clock clock;

    AlertRepository(Database database, AlertRequest request, Clock clock) {
        this.database = database;
        this.request = request;
        this.clock = clock;
    }

    /** The alerts with their readers as they are now: whether they take part in the case, and whether they want the alert. */
    @Override
    public Future<List<DueAlert>> read(List<Lease> leases) {
        Map<Long, Lease> byAlert = Lease.byKey(leases);
        return database.query("""
                select a.alert_id, a.channel, a.user_id, u.email, u.first_name, p.user_id is not null as takes_part, %s as wanted,
                       e.event_id, e.event, e.case_id, k.title, k.rule_set, e.sandbox, d.entry_id, d.number, case when p.party_id = any (d.seen_by) then d.sealed_title else d.title end as entry_title,
                       g.filing_id, g.document_id, l.deadline_id, l.document_id as deadline_document,
                       case when e.sandbox then substring(e.envelope from '"date":"([0-9TZ:.-]{24})"')::timestamptz else l.date end as date,
                       nullif(trim(n.first_name || ' ' || n.last_name), '') as by_name, e.trace,
                       case when e.sandbox then substring(e.envelope from '"timestamp":"([0-9TZ:.-]{24})"')::timestamptz else e.occurred_at end as happened_at
                from alerts.alerts a
                join platform_api.alert_events e on e.sequence = a.sequence
                join cases_api.cases k on k.case_id = e.case_id
                left join cases_api.participants p on p.case_id = e.case_id and p.user_id = a.user_id
                left join mainapi_api.docket_entries d
                  on e.event = 'docket_filing'
                    and d.entry_id = substring(e.envelope from '"entryID":"([0-9]{1,18})"')::bigint
                    and d.case_id = e.case_id
                -- A filing that awaits its approval or was rejected, as long as that is so.
                left join mainapi_api.filings g
                  on g.case_id = e.case_id and g.filing_id = substring(e.envelope from '"filingID":"([0-9]{1,18})"')::bigint
                    and g.state = case e.event when 'filing_submitted' then 'submitted' when 'filing_rejected' then 'rejected' end
                -- A deadline that can still be met: not moved, not met, not over, in the phase of its open case; in a sandbox, whatever its case has come to since its reminder.
                left join cases_api.deadlines l
                  on e.event = 'deadline_near' and l.deadline_id = substring(e.envelope from '"deadlineID":"([0-9a-f-]{36})"')::uuid
                    and (e.sandbox or l.date = substring(e.envelope from '"date":"([0-9TZ:.-]{24})"')::timestamptz and not l.is_met
                      and l.date > $2 and k.status = 'open' and k.phase_id = l.phase_id)
                left join identity_api.users u on u.user_id = a.user_id and not u.disabled
                left join identity_api.public_users n on n.user_id = coalesce(d.user_id, e.actor_id)
                left join alerts.preferences f on f.user_id = a.user_id
                where a.alert_id = any($1)
                order by a.alert_id
                """.formatted(WantedSql.WANTED.formatted(IS_FILER)), Tuple.tuple().addArrayOfLong(Lease.keys(leases)).addOffsetDateTime(Columns.utc(clock.instant())),
                row -> alert(byAlert.get(row.getLong("alert_id")), row));
    }

    private DueAlert alert(Lease lease, Row row) {
        Optional<DueAlert.Reader> reader = Optional.ofNullable(row.getString("email"))
                .map(email -> new DueAlert.Reader(email, row.getString("first_name")));
        AlertContent.Kind kind = AlertContent.Kind.of(row.getString("event"));
        AlertContent content = new AlertContent(row.getUUID("event_id"), kind, row.getUUID("case_id"), CaseClock.marked(row.getString("title"), row.getBoolean("sandbox")), about(kind, row),
                Optional.ofNullable(row.getString("by_name")), row.getOffsetDateTime("happened_at").toInstant());
        return new DueAlert(lease, Channel.of(row.getString("channel")), row.getUUID("user_id"), reader, row.getBoolean("takes_part"),
                row.getBoolean("wanted"), content, Optional.ofNullable(row.getString("trace")), request);
    }

    private static Optional<About> about(AlertContent.Kind kind, Row row) {
        return switch (kind) {
            case DOCKET_FILING -> Optional.ofNullable(row.getLong("entry_id"))
                    .map(id -> new About.Entry(id, row.getInteger("number"), row.getString("entry_title")));
            case CASE_CREATED -> Optional.of(new About.TheCase());
            case APPROVAL_AWAITED, FILING_REJECTED -> Optional.ofNullable(row.getLong("filing_id"))
                    .map(id -> new About.Filing(id, new DocumentTypeId(row.getString("document_id"))));
            case DEADLINE_NEAR -> Optional.ofNullable(row.getUUID("deadline_id"))
                    .map(id -> new About.Deadline(id, new DocumentTypeId(row.getString("deadline_document")), row.getOffsetDateTime("date").toInstant(),
                            row.getString("rule_set"), row.getBoolean("sandbox")));
        };
    }

    @Override
    public Future<Void> record(SqlConnection transaction, List<Handover.Outcome<DueAlert>> outcomes) {
        Columns<Handover.Outcome<DueAlert>> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.lease().key())
                .texts(AlertRepository::state)
                .texts(outcome -> outcome.trouble().or(() -> outcome.item().objection()).orElse(null));
        return transaction.preparedQuery("""
                update alerts.alerts a
                set state = o.state, reason = o.reason, due = case o.state when 'pending' then 'infinity'::timestamptz end
                from unnest($1::bigint[], $2::text[], $3::text[]) as o(alert_id, state, reason)
                where a.alert_id = o.alert_id
                """).execute(columns.tuple()).mapEmpty();
    }

    private static String state(Handover.Outcome<DueAlert> outcome) {
        return outcome.isOpen() ? "pending" : switch (outcome.handed()) {
            case YES -> "told";
            case REFUSED -> "refused";
            case NO, PERHAPS -> "dropped";
        };
    }
}
