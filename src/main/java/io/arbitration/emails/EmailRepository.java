package io.arbitration.emails;

import io.arbitration.domain.Mailbox;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What was accepted, once per idempotency key, and never changed. */
final class EmailRepository {

    /** PostgreSQL channel that tells dispatchers of work. */
    static final String DUE = "emails_due";

    /** What the retrieval shows. */
    record Sent(String html, String subject) {}

    /** An email that waits for a mail server to be configured, one line per recipient. */
    record Held(UUID emailId, String to, String subject, Instant acceptedAt) {}

    private final Database database;

    EmailRepository(Database database) {
        this.database = database;
    }

    /**
     * Keeps the email and queues a copy for each recipient, in one statement; an email whose key is known changes nothing.
     *
     * @param held keeps the copies instead of queueing them
     */
    Future<Void> accept(AcceptedEmail email, boolean held) {
        return database.query("""
                with accepted as (
                  insert into emails.emails (email_id, idempotency_key, sender_id, from_mailbox, to_mailboxes, subject, html, text, template, accepted_at)
                  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                  on conflict (idempotency_key) do nothing
                  returning email_id),
                copies as (
                  insert into emails.deliveries (email_id, recipient, state, ended_at)
                  select a.email_id, r.recipient, case when $12 then 'held' else 'pending' end, case when $12 then now() end
                  from accepted a cross join unnest($11::text[]) with ordinality as r(recipient, place)
                  order by r.place
                  returning delivery_id, state),
                queued as (
                  insert into emails.queue (delivery_id, due) select delivery_id, now() from copies where state = 'pending'
                  returning delivery_id)
                select pg_notify('emails_due', '') from (select count(*) from queued) counted where count > 0
                """, Tuple.from(Arrays.asList(
                        email.id(), email.idempotencyKey(), email.senderId().orElse(null), email.from().toString(),
                        email.to().stream().map(Mailbox::toString).toArray(String[]::new), email.content().subject(), email.content().html(),
                        email.content().text().orElse(null), email.template().orElse(null), email.acceptedAt().atOffset(ZoneOffset.UTC),
                        email.to().stream().map(Mailbox::address).toArray(String[]::new), held)), row -> row).mapEmpty();
    }

    Future<Boolean> isKnown(String idempotencyKey) {
        return database.query("select 1 from emails.emails where idempotency_key = $1", Tuple.of(idempotencyKey), row -> row)
                .map(rows -> !rows.isEmpty());
    }

    Future<Optional<Sent>> sent(String idempotencyKey) {
        return database.query("""
                select html, subject from emails.emails where idempotency_key = $1
                """, Tuple.of(idempotencyKey), row -> new Sent(row.getString(0), row.getString(1))).map(rows -> rows.stream().findFirst());
    }

    /** The newest first, at most so many. */
    Future<List<Held>> held(int most) {
        return database.query("""
                select e.email_id, d.recipient, e.subject, e.accepted_at
                from emails.deliveries d join emails.emails e on e.email_id = d.email_id
                where d.state = 'held' order by d.delivery_id desc limit $1
                """, Tuple.of(most), row -> new Held(row.getUUID(0), row.getString(1), row.getString(2), row.getOffsetDateTime(3).toInstant()));
    }

    /** The HTML of an email that is held. */
    Future<Optional<String>> heldHtml(UUID emailId) {
        return database.query("""
                select e.html from emails.emails e
                where e.email_id = $1 and exists (select from emails.deliveries d where d.email_id = e.email_id and d.state = 'held')
                """, Tuple.of(emailId), row -> row.getString(0)).map(rows -> rows.stream().findFirst());
    }

    /** Reads the columns that a message is made of, in the order in which {@link QueueRepository#claim} names them. */
    static AcceptedEmail email(Row row, int from) {
        return new AcceptedEmail(row.getUUID(from), row.getString(from + 1), Optional.ofNullable(row.getUUID(from + 2)),
                Mailbox.parse(row.getString(from + 3)), Arrays.stream(row.getArrayOfStrings(from + 4)).map(Mailbox::parse).toList(),
                new RenderedEmail(row.getString(from + 5), row.getString(from + 6), Optional.ofNullable(row.getString(from + 7))),
                Optional.ofNullable(row.getString(from + 8)), row.getOffsetDateTime(from + 9).toInstant());
    }
}
