package io.arbitration.mainapi.notice;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.domain.notice.NoticeCase;
import io.arbitration.domain.notice.NoticeLimits;
import io.arbitration.domain.notice.Recipient;
import io.arbitration.domain.time.UtcDay;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Stores notices. Every write is part of the transaction that serves one. */
final class NoticeRepository {

    /** The time for which an {@code Idempotency-Key} is stored. */
    private static final Duration REQUEST_KEPT = Duration.ofHours(24);
    private static final int KEY_HASH_LENGTH = 32;
    /** What the recipients of a day are counted of. */
    private static final String SIDE = "side";
    private static final String INSIDE = "inside";

    private final Database database;

    NoticeRepository(Database database) {
        this.database = database;
    }

    /** The notice that the same request has served before. Empty for the first request; it locks the key until the transaction ends. */
    Future<Optional<UUID>> claimRequest(SqlConnection transaction, UUID senderId, Optional<String> requestKey, UUID noticeId, Instant at) {
        if (requestKey.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        OffsetDateTime now = at.atOffset(ZoneOffset.UTC);
        return query(transaction, """
                insert into mainapi.notice_requests as r (sender_id, request_key, notice_id, created) values ($1, $2, $3, $4)
                on conflict (sender_id, request_key) do update
                  set notice_id = case when r.created < $5 then excluded.notice_id else r.notice_id end,
                      created = case when r.created < $5 then excluded.created else r.created end
                returning notice_id
                """, Tuple.of(senderId, requestKey.get(), noticeId, now, now.minus(REQUEST_KEPT)), row -> row.getUUID(0))
                .map(rows -> Optional.of(rows.getFirst()).filter(kept -> !kept.equals(noticeId)));
    }

    /** Deletes requests whose keys are not stored any more, and the counts of past days. */
    Future<Void> deleteExpired(Instant now) {
        OffsetDateTime utc = now.atOffset(ZoneOffset.UTC);
        return database.update("delete from mainapi.notice_requests where created < $1", Tuple.of(utc.minus(REQUEST_KEPT)))
                .compose(forgotten -> database.update("delete from mainapi.notice_outsiders where day < $1", Tuple.of(utc.toLocalDate().minusDays(1))))
                .compose(forgotten -> database.update("delete from mainapi.notice_recipients_of_day where day < $1", Tuple.of(utc.toLocalDate().minusDays(1))))
                .mapEmpty();
    }

    /** @param number of the notice in its case */
    record Counted(int number, NoticeLimits.Totals totals) {}

    /** Counts a notice before it is served. Locks the counts of its case, of the sender's party in it and of its sender until the transaction ends. */
    Future<Counted> count(SqlConnection transaction, Notice notice, PartyId party, UserId senderId, int recipients, int outside) {
        LocalDate day = UtcDay.of(notice.kept());
        UUID caseId = notice.caseId().value();
        return query(transaction, """
                insert into mainapi.notice_heads as h (case_id, notices, recipients) values ($1, 1, $2)
                on conflict (case_id) do update set notices = h.notices + 1, recipients = h.recipients + excluded.recipients
                returning notices, recipients
                """, Tuple.of(caseId, recipients), row -> row).map(List::getFirst)
                .compose(head -> outside(transaction, "case", caseId, day, outside)
                        .compose(ofCase -> ofDay(transaction, SIDE, side(caseId, party), day, NoticeLimits.isSide(party) ? outside : 0)
                        .compose(ofSide -> outside(transaction, "user", senderId.value(), day, outside)
                        .compose(ofUser -> ofDay(transaction, INSIDE, senderId.toString(), day, recipients - outside)
                        .map(inside -> new Counted(head.getInteger(0), new NoticeLimits.Totals(head.getInteger(1), ofUser, ofCase, ofSide, inside)))))));
    }

    /**
     * The totals with a notice to so many recipients, without a lock. Empty if the same request has served a notice before: then that one
     * is answered, whatever the totals are now.
     */
    Future<Optional<NoticeLimits.Totals>> wouldCount(CaseId caseId, PartyId party, Requester requester, Instant now, int recipients, int outside) {
        return database.query("""
                select coalesce((select recipients from mainapi.notice_heads where case_id = $1), 0),
                       coalesce((select recipients from mainapi.notice_outsiders where subject = 'user' and subject_id = $2 and day = $3), 0),
                       coalesce((select recipients from mainapi.notice_outsiders where subject = 'case' and subject_id = $1 and day = $3), 0),
                       coalesce((select recipients from mainapi.notice_recipients_of_day where counted = $5 and subject = $6 and day = $3), 0),
                       coalesce((select recipients from mainapi.notice_recipients_of_day where counted = $7 and subject = $8 and day = $3), 0)
                where not exists (select from mainapi.notice_requests where sender_id = $2 and request_key = $4)
                """, Tuple.tuple().addUUID(caseId.value()).addUUID(requester.userId()).addLocalDate(UtcDay.of(now))
                        .addString(requester.key().map(RequestKey::key).orElse(null))
                        .addString(SIDE).addString(side(caseId.value(), party)).addString(INSIDE).addString(requester.userId().toString()),
                row -> new NoticeLimits.Totals(row.getInteger(0) + recipients, withMore(row.getInteger(1), outside), withMore(row.getInteger(2), outside),
                        withMore(row.getInteger(3), NoticeLimits.isSide(party) ? outside : 0), withMore(row.getInteger(4), recipients - outside)))
                .map(Database::first);
    }

    private static String side(UUID caseId, PartyId party) {
        return caseId + "/" + party;
    }

    /**
     * The total with further recipients; 0 without any, so that a notice to participants only is not refused because of earlier notices.
     */
    private static int withMore(int before, int more) {
        return more == 0 ? 0 : before + more;
    }

    private static Future<Integer> outside(SqlConnection transaction, String subject, UUID id, LocalDate day, int more) {
        return more == 0 ? Future.succeededFuture(0) : query(transaction, """
                insert into mainapi.notice_outsiders as o (subject, subject_id, day, recipients) values ($1, $2, $3, $4)
                on conflict (subject, subject_id, day) do update set recipients = o.recipients + excluded.recipients
                returning recipients
                """, Tuple.of(subject, id, day, more), row -> row.getInteger(0)).map(List::getFirst);
    }

    private static Future<Integer> ofDay(SqlConnection transaction, String counted, String subject, LocalDate day, int more) {
        return more == 0 ? Future.succeededFuture(0) : query(transaction, """
                insert into mainapi.notice_recipients_of_day as r (counted, subject, day, recipients) values ($1, $2, $3, $4)
                on conflict (counted, subject, day) do update set recipients = r.recipients + excluded.recipients
                returning recipients
                """, Tuple.of(counted, subject, day, more), row -> row.getInteger(0)).map(List::getFirst);
    }

    /** Stores a notice with its files, and queues an email for each recipient. */
    Future<Void> insert(SqlConnection transaction, Notice notice, NoticeCase.Participant sender, int number, List<Recipient> recipients) {
        return insertNotice(transaction, notice, sender, number)
                .compose(inserted -> insertFiles(transaction, notice))
                .compose(inserted -> insertRecipients(transaction, notice, recipients));
    }

    private static Future<Void> insertNotice(SqlConnection transaction, Notice notice, NoticeCase.Participant sender, int number) {
        return transaction.preparedQuery("""
                insert into mainapi.notices (notice_id, case_id, number, entry_id, mail_type, sender_id, party_id, organization_id, input, mail, created,
                  hearing_id)
                values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                """).execute(Tuple.tuple().addUUID(notice.noticeId()).addUUID(notice.caseId().value()).addInteger(number)
                        .addLong(notice.subject().named() instanceof Subject.Named.Entry(EntryId entryId) ? (Long) entryId.value() : null)
                        .addString(notice.mailType()).addUUID(sender.userId().value()).addString(sender.partyId().value())
                        .addUUID(sender.organizationId().map(OrganizationId::value).orElse(null)).addString(notice.input().encode())
                        .addString(notice.mail().encode()).addOffsetDateTime(notice.created().atOffset(ZoneOffset.UTC))
                        .addUUID(notice.subject().named() instanceof Subject.Named.OfHearing(HearingId hearingId) ? hearingId.value() : null))
                .mapEmpty();
    }

    private static Future<Void> insertFiles(SqlConnection transaction, Notice notice) {
        Tuple values = new Columns<>(notice.files())
                .texts(file -> file.kind().text()).texts(NoticeFile::fieldId).texts(NoticeFile::name).texts(NoticeFile::contentType)
                .numbers(file -> file.width() == null ? null : file.width().longValue())
                .numbers(file -> file.height() == null ? null : file.height().longValue())
                .numbers(file -> file.fingerprint().bytes()).texts(file -> file.fingerprint().sha256())
                .texts(file -> Base64.getEncoder().encodeToString(file.fingerprint().blockHashes().getBytes()))
                .texts(file -> file.address().toString()).tuple().addUUID(notice.noticeId());
        return transaction.preparedQuery("""
                insert into mainapi.notice_files (notice_id, place, kind, field_id, file_name, content_type, pixel_width, pixel_height, bytes, sha256,
                  block_hashes, address)
                select $11, f.place, f.kind, f.field_id, f.file_name, f.content_type, f.pixel_width, f.pixel_height, f.bytes, f.sha256,
                       decode(f.block_hashes, 'base64'), f.address
                from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::text[])
                  with ordinality as f(kind, field_id, file_name, content_type, pixel_width, pixel_height, bytes, sha256, block_hashes, address, place)
                """).execute(values).mapEmpty();
    }

    private static Future<Void> insertRecipients(SqlConnection transaction, Notice notice, List<Recipient> recipients) {
        Tuple values = new Columns<>(recipients).texts(Recipient::email).ids(recipient -> recipient.userId().map(UserId::value).orElse(null))
                .texts(recipient -> key(notice.noticeId(), recipient.email())).tuple().addUUID(notice.noticeId())
                .addArrayOfBoolean(recipients.stream().map(recipient -> notice.inSandbox() && recipient.isOutside()).toArray(Boolean[]::new));
        return transaction.preparedQuery("""
                with added as (
                  insert into mainapi.notice_recipients (notice_id, place, email, user_id, idempotency_key, is_held)
                  select $4, r.place, r.email, r.user_id, r.idempotency_key, r.is_held
                  from unnest($1::text[], $2::uuid[], $3::text[], $5::boolean[]) with ordinality as r(email, user_id, idempotency_key, is_held, place)
                  order by r.place
                  returning recipient_id, place)
                select platform.enqueue('notices', array_agg(recipient_id order by place)) from added
                """).execute(values).mapEmpty();
    }

    /** The idempotency key of an email: the same for each notice and address. */
    private static String key(UUID noticeId, String email) {
        return "notice-%s-%s".formatted(noticeId,
                Sha256.hex(email.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)).substring(0, KEY_HASH_LENGTH));
    }
}
