package io.arbitration.emails;

import io.arbitration.domain.text.Mailbox;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The accepted emails: one for each idempotency key of a sender, never changed. */
public final class EmailRepository {

    /**
     * An email as its sender can retrieve it.
     *
     * @param taken whether a mail server has accepted it for at least one recipient
     */
    record Sent(UUID emailId, String html, String subject, boolean taken) {}

    /** An email to one recipient that was held instead of sent. */
    record Held(UUID emailId, String to, String subject, Instant acceptedAt) {}

    private final Database database;

    EmailRepository(Database database) {
        this.database = database;
    }

    /**
     * Stores the email and queues a copy for each recipient, in one statement. If the key is known, nothing changes.
     *
     * @param reminded the deadline of a reminder
     * @param held whether the copies are held instead of queued
     * @param trace trace context of its sending
     */
    Future<Void> accept(AcceptedEmail email, Optional<RemindedDeadline> reminded, boolean held, Optional<String> trace) {
        return database.query("""
                with accepted as (
                  insert into emails.emails (email_id, idempotency_key, sender_id, from_mailbox, to_mailboxes, subject, html, text, template, accepted_at, trace,
                    sender_key, calendar_method, calendar, deadline_id, deadline_date)
                  select $1::uuid, $2::text, $3::uuid, $4::text, $5::text[], $6::text, $7::text, $8::text, $9::text, $10::timestamptz, $20::text, $21::text, $22::text, $23::text, $24::uuid, $25::timestamptz
                  -- A node of the previous release stores the key as its sender gave it.
                  where not exists (select from emails.emails e where e.idempotency_key = $21 and e.sender_id = $3)
                  on conflict (idempotency_key) do nothing
                  returning email_id),
                copies as (
                  insert into emails.deliveries (email_id, recipient, state, ended_at, return_token)
                  select a.email_id, r.recipient, case when $12 then 'held' else 'pending' end, case when $12 then now() end, gen_random_uuid()
                  from accepted a cross join unnest($11::text[]) with ordinality as r(recipient, place)
                  order by r.place
                  returning delivery_id, state),
                attached as (
                  insert into emails.attachments (email_id, place, content_id, file_name, content_type, bytes, sha256, block_hashes, address)
                  select a.email_id, f.place, f.content_id, f.file_name, f.content_type, f.bytes, f.sha256, decode(f.block_hashes, 'base64'), f.address
                  from accepted a cross join unnest($13::text[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::text[], $19::text[])
                    with ordinality as f(content_id, file_name, content_type, bytes, sha256, block_hashes, address, place))
                select platform.enqueue('emails', array_agg(delivery_id order by delivery_id)) from copies where state = 'pending'
                """, values(email, held).addString(trace.orElse(null))
                        .addString(email.key().senderId().map(sender -> email.key().text()).orElse(null))
                        .addString(email.calendar().map(CalendarPart::method).orElse(null)).addString(email.calendar().map(CalendarPart::text).orElse(null))
                        .addUUID(reminded.map(RemindedDeadline::deadlineId).orElse(null)).addOffsetDateTime(reminded.map(RemindedDeadline::date).map(Columns::utc).orElse(null)), row -> row).mapEmpty();
    }

    private static Tuple values(AcceptedEmail email, boolean held) {
        Tuple values = Tuple.from(Arrays.asList(
                        email.id(), email.key().stored(), email.key().senderId().orElse(null), email.from().toString(),
                        email.to().stream().map(Mailbox::toString).toArray(String[]::new), email.content().subject(), email.content().html(),
                        email.content().text().orElse(null), email.template().orElse(null), email.acceptedAt().atOffset(ZoneOffset.UTC),
                        email.to().stream().map(Mailbox::address).toArray(String[]::new), held));
        Tuple ofAttachments = new Columns<>(email.attachments())
                .texts(attachment -> attachment.contentId().orElse(null)).texts(Attachment::fileName).texts(Attachment::contentType)
                .numbers(attachment -> attachment.fingerprint().bytes()).texts(attachment -> attachment.fingerprint().sha256())
                .texts(attachment -> Base64.getEncoder().encodeToString(attachment.fingerprint().blockHashes().getBytes()))
                .texts(attachment -> attachment.address().toString()).tuple();
        for (int i = 0; i < ofAttachments.size(); i++) {
            values.addValue(ofAttachments.getValue(i));
        }
        return values;
    }

    /** The attachments of these emails, by email id; an email without attachments is left out. */
    public Future<Map<UUID, List<Attachment>>> attachments(Set<UUID> emailIds) {
        return database.query("""
                select email_id, content_id, file_name, content_type, bytes, sha256, block_hashes, address
                from emails.attachments where email_id = any($1) order by email_id, place
                """, Tuple.of(emailIds.toArray(UUID[]::new)), row -> Map.entry(row.getUUID(0), new Attachment(
                        Optional.ofNullable(row.getString(1)), row.getString(2), row.getString(3),
                        new Fingerprint(row.getLong(4), row.getString(5), row.getBuffer(6)), ObjectAddress.parse(row.getString(7)).orElseThrow())))
                .map(rows -> rows.stream().collect(Collectors.groupingBy(Map.Entry::getKey,
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList()))));
    }

    Future<Boolean> isKnown(EmailKey key) {
        return database.query("""
                select 1 from emails.emails where idempotency_key = $1 or idempotency_key = $2 and sender_id = $3
                """, Tuple.of(key.stored(), key.text(), key.senderId().orElse(null)), row -> row).map(rows -> !rows.isEmpty());
    }

    /** The email that a caller sent with this key, or else the one that the platform sent; nobody else's. */
    Future<Optional<Sent>> sent(UUID callerId, String key) {
        return database.query("""
                select e.email_id, e.html, e.subject,
                  exists (select from emails.deliveries d where d.email_id = e.email_id and d.state = 'sent')
                from emails.emails e
                where idempotency_key = $1 or idempotency_key = $2 and (sender_id is null or sender_id = $3)
                order by sender_id nulls last limit 1
                """, Tuple.of(new EmailKey(Optional.of(callerId), key).stored(), key, callerId),
                row -> new Sent(row.getUUID(0), row.getString(1), row.getString(2), row.getBoolean(3))).map(Database::first);
    }

    /** The newest first, at most this many. */
    Future<List<Held>> held(int most) {
        return database.query("""
                select e.email_id, d.recipient, e.subject, e.accepted_at
                from emails.deliveries d join emails.emails e on e.email_id = d.email_id
                where d.state = 'held' order by d.delivery_id desc limit $1
                """, Tuple.of(most), row -> new Held(row.getUUID(0), row.getString(1), row.getString(2), row.getOffsetDateTime(3).toInstant()));
    }

    /** The HTML of a held email. */
    Future<Optional<String>> heldHtml(UUID emailId) {
        return database.query("""
                select e.html from emails.emails e
                where e.email_id = $1 and exists (select from emails.deliveries d where d.email_id = e.email_id and d.state = 'held')
                """, Tuple.of(emailId), row -> row.getString(0)).map(Database::first);
    }

    /**
     * Reads the columns of a message, except its attachments, in the order in which {@link DeliveryRepository#read} selects them.
     */
    public static AcceptedEmail email(Row row, int from) {
        return new AcceptedEmail(row.getUUID(from), new EmailKey(Optional.ofNullable(row.getUUID(from + 2)), row.getString(from + 1)),
                Mailbox.parse(row.getString(from + 3)), Arrays.stream(row.getArrayOfStrings(from + 4)).map(Mailbox::parse).toList(),
                new RenderedEmail(row.getString(from + 5), row.getString(from + 6), Optional.ofNullable(row.getString(from + 7))),
                Optional.ofNullable(row.getString(from + 8)), row.getOffsetDateTime(from + 9).toInstant(), List.of(),
                Optional.ofNullable(row.getString("calendar")).map(text -> new CalendarPart(row.getString("calendar_method"), text)));
    }
}
