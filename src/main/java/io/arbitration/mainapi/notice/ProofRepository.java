package io.arbitration.mainapi.notice;

import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** The facts that a proof of service states, and the proofs that were made. */
final class ProofRepository {

    private final Database database;
    private final AuditTrail audit;
    private final PendingObjectRepository pending;

    ProofRepository(Database database, AuditTrail audit, PendingObjectRepository pending) {
        this.database = database;
        this.audit = audit;
        this.pending = pending;
    }

    /** A notice as its proof states it. */
    record ServedNotice(UUID noticeId, UUID caseId, String mailType, UUID senderId, JsonObject input, JsonObject mail, Instant served, boolean inSandbox) {}

    /**
     * What somebody finds of a notice.
     *
     * @param participant whether the caller has a part in the case
     * @param notice empty when the case has none of that id, or the caller no part
     * @param withheld whether the entry that was served is sealed and withheld from the caller
     */
    record Found(boolean participant, Optional<ServedNotice> notice, boolean withheld) {}

    /** Empty when there is no such case. */
    Future<Optional<Found>> find(UUID caseId, UUID noticeId, UUID userId) {
        return database.query("""
                select p.user_id is not null as participant, n.notice_id, c.case_id, n.mail_type, n.sender_id, n.input, n.mail, n.created, c.sandbox_now,
                       n.entry_id is not null and mainapi.withheld(n.entry_id, $3) as withheld
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $3
                left join mainapi.notices n on n.case_id = c.case_id and n.notice_id = $2 and p.user_id is not null
                where c.case_id = $1
                """, Tuple.of(caseId, noticeId, userId), row -> new Found(row.getBoolean("participant"),
                        Optional.ofNullable(row.getUUID("notice_id")).map(id -> new ServedNotice(id, caseId, row.getString("mail_type"), row.getUUID("sender_id"),
                                new JsonObject(row.getString("input")), new JsonObject(row.getString("mail")),
                                row.getOffsetDateTime("created").toInstant(), row.getOffsetDateTime("sandbox_now") != null)), row.getBoolean("withheld")))
                .map(Database::first);
    }

    Future<List<NoticeFile>> files(UUID noticeId) {
        return database.query("""
                select kind, field_id, file_name, content_type, pixel_width, pixel_height, bytes, sha256, block_hashes, address
                from mainapi.notice_files where notice_id = $1 order by place
                """, Tuple.of(noticeId), row -> new NoticeFile(
                        NoticeFile.Kind.of(row.getString("kind")), row.getString("field_id"),
                        row.getString("file_name"), row.getString("content_type"), row.getInteger("pixel_width"), row.getInteger("pixel_height"),
                        new Fingerprint(row.getLong("bytes"), row.getString("sha256"), row.getBuffer("block_hashes")),
                        ObjectAddress.parse(row.getString("address")).orElseThrow()));
    }

    /** One attempt to hand an email to the mail server; the code is null when there was no answer. */
    record EmailAttempt(Instant at, Integer code, String error, int durationMillis) {

        /** As {@link Way#digestText}. */
        String digestText() {
            return "EmailAttempt[at=%s, code=%s, error=%s, durationMillis=%d]".formatted(at, code, error, durationMillis);
        }
    }

    /**
     * The way of the email to one recipient.
     *
     * @param emailId null as long as the mail service does not have it, as are from, state and accepted
     * @param ended when nothing more was to be tried; null before
     * @param refusedAt when the mail service refused it; null unless it did
     * @param refusal what the mail service said to it; null unless it refused it
     */
    record Way(String email, UUID userId, String idempotencyKey, UUID emailId, String from, Instant accepted, String state, Instant ended,
            Instant refusedAt, String refusal, List<EmailAttempt> attempts) {

        /** The text from which the digest of a proof is computed. Stored digests depend on it, so it never changes for the same facts. */
        String digestText() {
            return "Way[email=%s, userId=%s, idempotencyKey=%s, emailId=%s, from=%s, accepted=%s, state=%s, ended=%s, refused=%s, refusal=%s, attempts=[%s]]".formatted(
                    email, userId, idempotencyKey, emailId, from, accepted, state, ended, refusedAt, refusal,
                    attempts.stream().map(EmailAttempt::digestText).collect(Collectors.joining(", ")));
        }
    }

    /** In the order of the notice. */
    Future<List<Way>> ways(UUID noticeId) {
        return database.query("""
                select r.email, r.user_id, r.idempotency_key, d.email_id, m.from_mailbox, d.accepted_at, d.state, d.ended_at, x.at as refused_at,
                       x.reason, a.at, a.code, a.error, a.duration_millis
                from mainapi.notice_recipients r
                left join mainapi.notice_refusals x on x.recipient_id = r.recipient_id
                left join emails_api.notice_deliveries d on d.idempotency_key = r.idempotency_key and d.recipient = r.email
                left join emails_api.notice_emails m on m.email_id = d.email_id
                left join emails_api.notice_attempts a on a.delivery_id = d.delivery_id
                where r.notice_id = $1
                order by r.place, a.attempt_id
                """, Tuple.of(noticeId), row -> row).map(ProofRepository::ways);
    }

    private static List<Way> ways(List<Row> rows) {
        Map<String, Way> byKey = new LinkedHashMap<>();
        for (Row row : rows) {
            Way way = byKey.computeIfAbsent(row.getString("idempotency_key"), key -> new Way(row.getString("email"), row.getUUID("user_id"), key,
                    row.getUUID("email_id"), row.getString("from_mailbox"), instant(row, "accepted_at"), row.getString("state"),
                    instant(row, "ended_at"), instant(row, "refused_at"), row.getString("reason"), new ArrayList<>()));
            if (row.getInteger("duration_millis") != null) {
                way.attempts.add(new EmailAttempt(instant(row, "at"), row.getInteger("code"), row.getString("error"),
                        row.getInteger("duration_millis")));
            }
        }
        return List.copyOf(byKey.values());
    }

    /** A report that an email came back after the mail server had taken it. */
    record Returned(Instant at, String reason) {

        /** As {@link Way#digestText}. */
        String digestText() {
            return "Returned[at=%s, reason=%s]".formatted(at, reason);
        }
    }

    /** By the idempotency keys of the emails. */
    Future<Map<String, Returned>> returned(UUID noticeId) {
        return database.query("""
                select r.idempotency_key, b.at, b.reason
                from mainapi.notice_recipients r
                join emails_api.notice_deliveries d on d.idempotency_key = r.idempotency_key and d.recipient = r.email
                join emails_api.notice_bounces b on b.delivery_id = d.delivery_id
                where r.notice_id = $1
                """, Tuple.of(noticeId), row -> Map.entry(row.getString(0), new Returned(instant(row, "at"), row.getString(2))))
                .map(rows -> {
                    Map<String, Returned> byKey = new TreeMap<>();
                    rows.forEach(row -> byKey.put(row.getKey(), row.getValue()));
                    return byKey;
                });
    }

    /** What the emails of a notice say; all of them say the same, but for whom they are to. */
    record Content(String subject, String html, String text, int emails) {}

    /** Empty as long as the mail service has none. */
    Future<List<Content>> contents(UUID noticeId) {
        return database.query("""
                select m.subject, m.html, coalesce(m.text, '') as text, count(*)::int as emails
                from mainapi.notice_recipients r join emails_api.notice_emails m on m.idempotency_key = r.idempotency_key
                where r.notice_id = $1
                group by m.subject, m.html, coalesce(m.text, '')
                order by min(r.place)
                """, Tuple.of(noticeId), row -> new Content(row.getString(0), row.getString(1), row.getString(2), row.getInteger(3)));
    }

    /** A proof that was made. */
    record Made(Fingerprint fingerprint, ObjectAddress address) {}

    /** The proof that says just this; empty when it was not made yet. */
    Future<Optional<Made>> made(UUID noticeId, String digest) {
        return database.query("""
                select bytes, sha256, block_hashes, address from mainapi.notice_proofs where notice_id = $1 and told = $2
                """, Tuple.of(noticeId, digest), row -> new Made(new Fingerprint(row.getLong(0), row.getString(1), row.getBuffer(2)),
                        ObjectAddress.parse(row.getString(3)).orElseThrow())).map(Database::first);
    }

    /** Keeps a proof and takes its object over; false, and nothing, when another node has just made the same. */
    Future<Boolean> add(ServedNotice notice, String digest, Made proof, Instant now) {
        return database.transaction(transaction -> transaction.preparedQuery("""
                insert into mainapi.notice_proofs (notice_id, told, bytes, sha256, block_hashes, address, created)
                values ($1, $2, $3, $4, $5, $6, $7) on conflict (notice_id, told) do nothing
                """).execute(Tuple.tuple().addUUID(notice.noticeId).addString(digest).addLong(proof.fingerprint.bytes())
                        .addString(proof.fingerprint.sha256()).addBuffer(proof.fingerprint.blockHashes()).addString(proof.address.toString())
                        .addOffsetDateTime(now.atOffset(ZoneOffset.UTC)))
                .compose(rows -> rows.rowCount() == 0 ? Future.succeededFuture(false)
                        : pending.commit(transaction, proof.address).map(true)));
    }

    /** Says in the audit trail that somebody is given the proof. */
    Future<Void> leaveLine(ServedNotice notice, Requester by, Instant now) {
        return database.read(client -> audit.append(client, List.of(new AuditTrail.Line(
                notice.caseId, now, by.userId(), "notice.proved", notice.noticeId.toString(), by.requestId(), by.address()))));
    }

    private static Instant instant(Row row, String column) {
        OffsetDateTime time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }
}
