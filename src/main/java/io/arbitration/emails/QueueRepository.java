package io.arbitration.emails;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The queue of emails on their way out. All times in it are the database's: the clocks of the nodes may differ, or jump. */
final class QueueRepository {

    private final Database database;
    private final EmailRepository emails;

    QueueRepository(Database database, EmailRepository emails) {
        this.database = database;
        this.emails = emails;
    }

    /** Claims what is due, the oldest first: never tried, time to try again, or claimed by a node that let its lease end. */
    Future<List<Claimed>> claim(UUID claim, int most, Duration lease) {
        return database.query("""
                with picked as materialized (
                  select delivery_id from emails.queue where due <= now() order by due limit $2 for update skip locked),
                claimed as (
                  update emails.queue q set claim = $1, due = now() + $3::bigint * interval '1 millisecond'
                  from picked where q.delivery_id = picked.delivery_id
                  returning q.delivery_id, q.attempts)
                select c.delivery_id, c.attempts, d.recipient,
                       e.email_id, e.idempotency_key, e.sender_id, e.from_mailbox, e.to_mailboxes, e.subject, e.html, e.text, e.template, e.accepted_at,
                       exists (select from emails.attachments a where a.email_id = e.email_id) as attached, e.trace
                from claimed c
                join emails.deliveries d on d.delivery_id = c.delivery_id
                join emails.emails e on e.email_id = d.email_id
                order by c.delivery_id
                """, Tuple.of(claim, most, lease.toMillis()),
                row -> Map.entry(row.getBoolean("attached"),
                        new Claimed(row.getLong(0), claim, row.getInteger(1), row.getString(2), EmailRepository.email(row, 3), Optional.ofNullable(row.getString("trace")))))
                .compose(this::withAttachments);
    }

    /** @param claimed each with whether there are attachments to be read */
    private Future<List<Claimed>> withAttachments(List<Map.Entry<Boolean, Claimed>> claimed) {
        Set<UUID> attached = claimed.stream().filter(Map.Entry::getKey).map(one -> one.getValue().email().id()).collect(Collectors.toSet());
        List<Claimed> plain = claimed.stream().map(Map.Entry::getValue).toList();
        return attached.isEmpty() ? Future.succeededFuture(plain) : emails.attachments(attached).map(byEmail -> plain.stream()
                .map(one -> one.with(byEmail.getOrDefault(one.email().id(), List.of()))).toList());
    }

    /**
     * Records how attempts went and what follows, in one statement. An outcome whose claim is no longer that of the queue
     * (its lease ended and another took it over) changes nothing, but for one that says that the email was taken: that
     * is true whoever sent it, and spares the recipient another copy.
     */
    Future<Void> record(List<Outcome> outcomes) {
        Columns<Outcome> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.claimed().deliveryId())
                .ids(outcome -> outcome.claimed().claim())
                .times(outcome -> outcome.attempt().at())
                .numbers(outcome -> outcome.attempt().code() == null ? null : outcome.attempt().code().longValue())
                .texts(outcome -> outcome.attempt().error())
                .numbers(outcome -> (long) outcome.attempt().durationMillis())
                .texts(QueueRepository::state)
                .numbers(QueueRepository::pauseMillis);
        return database.update("""
                with decided as materialized (
                  select o.*
                  from unnest($1::bigint[], $2::uuid[], $3::timestamptz[], $4::bigint[], $5::text[], $6::bigint[], $7::text[], $8::bigint[])
                       as o(delivery_id, claim, at, code, error, duration_millis, state, pause_millis)
                  join emails.queue q on q.delivery_id = o.delivery_id and (q.claim = o.claim or o.state = 'sent')
                  order by o.delivery_id
                  for update of q),
                removed as (
                  delete from emails.queue q using decided d where q.delivery_id = d.delivery_id and d.state <> 'pending'),
                put_back as (
                  update emails.queue q
                  set claim = null, attempts = q.attempts + 1, due = now() + d.pause_millis * interval '1 millisecond'
                  from decided d where q.delivery_id = d.delivery_id and d.state = 'pending'),
                ended as (
                  update emails.deliveries v set state = d.state, ended_at = now()
                  from decided d where v.delivery_id = d.delivery_id and d.state <> 'pending')
                insert into emails.attempts (delivery_id, at, code, error, duration_millis)
                select delivery_id, at, code, error, duration_millis from decided
                """, columns.tuple()).mapEmpty();
    }

    private static String state(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Sent sent -> "sent";
            case Outcome.Bounced bounced -> "bounced";
            case Outcome.Failed failed -> "failed";
            case Outcome.Again again -> "pending";
        };
    }

    private static Long pauseMillis(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Again again -> again.pause().toMillis();
            case Outcome.Sent sent -> 0L;
            case Outcome.Bounced bounced -> 0L;
            case Outcome.Failed failed -> 0L;
        };
    }

    /** Gives back what was claimed and not sent. */
    Future<Void> release(List<Claimed> claimed) {
        Columns<Claimed> columns = new Columns<>(claimed).numbers(Claimed::deliveryId).ids(Claimed::claim);
        return database.update("""
                update emails.queue q set claim = null, due = now()
                from unnest($1::bigint[], $2::uuid[]) as c(delivery_id, claim)
                where q.delivery_id = c.delivery_id and q.claim = c.claim
                """, columns.tuple()).mapEmpty();
    }
}
