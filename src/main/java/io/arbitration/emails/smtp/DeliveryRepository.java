package io.arbitration.emails.smtp;

import io.arbitration.emails.EmailRepository;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The copies of emails, one for each recipient, and the attempts to send them. */
final class DeliveryRepository implements ContentRepository<ClaimedEmail, SendOutcome> {

    private final Database database;
    private final EmailRepository emails;
    private final Clock clock;

    DeliveryRepository(Database database, EmailRepository emails, Clock clock) {
        this.database = database;
        this.emails = emails;
        this.clock = clock;
    }

    @Override
    public Future<List<ClaimedEmail>> read(List<Lease> leases) {
        Map<Long, Lease> byDelivery = Lease.byKey(leases);
        return database.query("""
                select d.delivery_id, d.recipient,
                       e.email_id, coalesce(e.sender_key, e.idempotency_key), e.sender_id, e.from_mailbox, e.to_mailboxes, e.subject, e.html, e.text, e.template, e.accepted_at,
                       exists (select from emails.attachments a where a.email_id = e.email_id) as attached, e.trace, d.return_token, e.calendar_method, e.calendar,
                       -- The reminder is void unless the deadline still has the date that the email names, and can still be met: it is neither met nor over, and the
                       -- case is open and in its phase.
                       e.deadline_id is not null and not exists (
                         select from cases_api.deadlines l join cases_api.cases c using (case_id)
                         where l.deadline_id = e.deadline_id and l.date = e.deadline_date and l.date > $2 and not l.is_met and c.status = 'open' and c.phase_id = l.phase_id) as is_void
                from emails.deliveries d
                join emails.emails e on e.email_id = d.email_id
                where d.delivery_id = any($1)
                order by d.delivery_id
                """, Tuple.tuple().addArrayOfLong(Lease.keys(leases)).addOffsetDateTime(Columns.utc(clock.instant())),
                row -> Map.entry(row.getBoolean("attached"), new ClaimedEmail(byDelivery.get(row.getLong(0)), row.getString(1), EmailRepository.email(row, 2),
                        Optional.ofNullable(row.getUUID("return_token")), row.getBoolean("is_void"), Optional.ofNullable(row.getString("trace")))))
                .compose(this::withAttachments);
    }

    /** @param claimed each with whether it has attachments to read */
    private Future<List<ClaimedEmail>> withAttachments(List<Map.Entry<Boolean, ClaimedEmail>> claimed) {
        Set<UUID> attached = claimed.stream().filter(Map.Entry::getKey).map(one -> one.getValue().email().id()).collect(Collectors.toSet());
        List<ClaimedEmail> plain = claimed.stream().map(Map.Entry::getValue).toList();
        return attached.isEmpty() ? Future.succeededFuture(plain) : emails.attachments(attached).map(byEmail -> plain.stream()
                .map(one -> one.with(byEmail.getOrDefault(one.email().id(), List.of()))).toList());
    }

    @Override
    public Future<Void> record(SqlConnection transaction, List<SendOutcome> outcomes) {
        Columns<SendOutcome> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.lease().key())
                .times(outcome -> outcome.attempt().at())
                .numbers(outcome -> outcome.attempt().code() == null ? null : outcome.attempt().code().longValue())
                .texts(outcome -> outcome.attempt().error())
                .numbers(outcome -> (long) outcome.attempt().durationMillis())
                .texts(DeliveryRepository::state);
        return transaction.preparedQuery("""
                with attempted as materialized (
                  select o.delivery_id, o.at, o.code, o.error, o.duration_millis, o.state
                  from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::text[], $5::bigint[], $6::text[])
                       as o(delivery_id, at, code, error, duration_millis, state)),
                ended as (
                  update emails.deliveries v set state = a.state, ended_at = now()
                  from attempted a where v.delivery_id = a.delivery_id and a.state <> 'pending')
                insert into emails.attempts (delivery_id, at, code, error, duration_millis)
                select delivery_id, at, code, error, duration_millis from attempted order by delivery_id
                """).execute(columns.tuple()).mapEmpty();
    }

    private static String state(SendOutcome outcome) {
        return switch (outcome) {
            case SendOutcome.Sent sent -> "sent";
            case SendOutcome.Bounced bounced -> "bounced";
            case SendOutcome.Failed failed -> "failed";
            case SendOutcome.Dropped dropped -> "dropped";
            case SendOutcome.Again again -> "pending";
        };
    }
}
