package io.arbitration.mainapi.notice;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Notices in the database. Whoever reads them names the caller: without a part in the case nothing is read. */
final class NoticeRepository {

    /** As long as an {@code Idempotency-Key} is kept. */
    private static final Duration REQUEST_KEPT = Duration.ofHours(24);

    private final Database database;
    private final AuditTrail audit;
    private final PendingObjectRepository pending;

    NoticeRepository(Database database, AuditTrail audit, PendingObjectRepository pending) {
        this.database = database;
        this.audit = audit;
        this.pending = pending;
    }

    /**
     * A case, and somebody's part in it.
     *
     * @param partyId null without a part
     * @param organizationId of the part; null without one
     * @param name public name of that person; null without one
     */
    record Standing(boolean open, String partyId, UUID organizationId, boolean isObserver, String name) {}

    /** Empty when there is no such case. */
    Future<Optional<Standing>> standing(UUID caseId, UUID userId) {
        return database.query("""
                select c.status, p.party_id, p.organization_id, p.is_observer, nullif(trim(u.first_name || ' ' || u.last_name), '') as name
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                left join identity_api.public_users u on u.user_id = p.user_id
                where c.case_id = $1
                """, Tuple.of(caseId, userId), NoticeRepository::standing).map(rows -> rows.stream().findFirst());
    }

    /** The same, and the case stays as it is until the transaction ends. */
    private static Future<Optional<Standing>> standingLocked(SqlConnection transaction, UUID caseId, UUID userId) {
        return query(transaction, """
                select c.status, p.party_id, p.organization_id, p.is_observer, null::text as name
                from cases_api.cases c left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                where c.case_id = $1
                for share of c
                """, Tuple.of(caseId, userId), NoticeRepository::standing).map(rows -> rows.stream().findFirst());
    }

    private static Standing standing(Row row) {
        return new Standing("open".equals(row.getString("status")), row.getString("party_id"), row.getUUID("organization_id"),
                Boolean.TRUE.equals(row.getBoolean("is_observer")), row.getString("name"));
    }

    /** Addresses of those of these users who take part in the case. */
    Future<Map<UUID, String>> participants(UUID caseId, List<UUID> userIds) {
        return database.query("""
                select u.user_id, u.email
                from cases_api.participants p join identity_api.users u on u.user_id = p.user_id
                where p.case_id = $1 and p.user_id = any($2)
                """, Tuple.tuple().addUUID(caseId).addArrayOfUUID(userIds.toArray(UUID[]::new)), row -> Map.entry(row.getUUID(0), row.getString(1)))
                .map(rows -> rows.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** What a notice's file is for. */
    enum Kind {
        IMAGE, PREVIEW, LETTER, ENTRY;

        String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A stored file of a notice.
     *
     * @param fieldId of an image and its preview; null for others
     * @param width in pixels; null for what is no image, as is height
     */
    record File(Kind kind, String fieldId, String name, String contentType, Integer width, Integer height, Fingerprint fingerprint,
            ObjectAddress address) {}

    /**
     * @param place in the request
     * @param userId null for one who was named by an address
     */
    record Recipient(int place, String email, UUID userId, String idempotencyKey) {}

    /**
     * A notice, whole.
     *
     * @param input what the sender gave as JSON
     * @param mail data of its email
     */
    record Notice(UUID noticeId, UUID caseId, long entryId, String mailType, JsonObject input, JsonObject mail, Instant created,
            List<File> files, List<Recipient> recipients) {}

    /**
     * Keeps a notice, takes its objects over and queues an email for each recipient, or does none of this.
     *
     * @param requestKey of the request, if it has one: a notice that the same request made before is left as it is
     * @param admit refuses by throwing; sees the case as it stays until the notice is in it
     * @param recipientsMax in the case
     * @return the notice's id, or that of the one that was there
     */
    Future<UUID> add(Notice notice, By by, Optional<String> requestKey, Consumer<Optional<Standing>> admit, int recipientsMax) {
        return database.unmarked(transaction -> claimRequest(transaction, notice, by, requestKey).compose(before -> before.isPresent()
                ? Future.succeededFuture(before.get())
                : standingLocked(transaction, notice.caseId, by.userId()).compose(found -> {
                    admit.accept(found);
                    return insert(transaction, notice, by, found.orElseThrow(), recipientsMax);
                }).map(notice.noticeId)));
    }

    /** The notice that the same request made; empty when this is the first, which holds a lock on its key from then on. */
    private static Future<Optional<UUID>> claimRequest(SqlConnection transaction, Notice notice, By by, Optional<String> requestKey) {
        if (requestKey.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        OffsetDateTime now = notice.created.atOffset(ZoneOffset.UTC);
        return query(transaction, """
                insert into mainapi.notice_requests as r (sender_id, request_key, notice_id, created) values ($1, $2, $3, $4)
                on conflict (sender_id, request_key) do update
                  set notice_id = case when r.created < $5 then excluded.notice_id else r.notice_id end,
                      created = case when r.created < $5 then excluded.created else r.created end
                returning notice_id
                """, Tuple.of(by.userId(), requestKey.get(), notice.noticeId, now, now.minus(REQUEST_KEPT)), row -> row.getUUID(0))
                .map(rows -> Optional.of(rows.getFirst()).filter(noticeId -> !noticeId.equals(notice.noticeId)));
    }

    /** Deletes what is known of requests whose keys are not kept any more. */
    Future<Integer> forgetRequests(Instant now) {
        return database.update("delete from mainapi.notice_requests where created < $1", Tuple.of(now.atOffset(ZoneOffset.UTC).minus(REQUEST_KEPT)));
    }

    private Future<Void> insert(SqlConnection transaction, Notice notice, By by, Standing standing, int recipientsMax) {
        return nextNumber(transaction, notice, recipientsMax)
                .compose(number -> insertNotice(transaction, notice, by, standing, number))
                .compose(inserted -> insertFiles(transaction, notice))
                .compose(inserted -> insertRecipients(transaction, notice))
                .compose(inserted -> commitFiles(transaction, notice.files, 0))
                .compose(committed -> audit.append(transaction, List.of(
                        line(notice.caseId, by, notice.created, "notice.served", notice.noticeId))));
    }

    /** Locks the count of the case until the transaction ends. */
    private static Future<Integer> nextNumber(SqlConnection transaction, Notice notice, int recipientsMax) {
        return query(transaction, """
                insert into mainapi.notice_heads as h (case_id, notices, recipients) values ($1, 1, $2)
                on conflict (case_id) do update set notices = h.notices + 1, recipients = h.recipients + $2
                returning notices, recipients
                """, Tuple.of(notice.caseId, notice.recipients.size()), row -> {
                    if (row.getInteger(1) > recipientsMax) {
                        throw NoticeError.TOO_MANY.refusal(recipientsMax);
                    }
                    return row.getInteger(0);
                }).map(List::getFirst);
    }

    private static Future<Void> insertNotice(SqlConnection transaction, Notice notice, By by, Standing standing, int number) {
        return transaction.preparedQuery("""
                insert into mainapi.notices (notice_id, case_id, number, entry_id, mail_type, sender_id, party_id, organization_id, input, mail, created)
                values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                """).execute(Tuple.tuple().addUUID(notice.noticeId).addUUID(notice.caseId).addInteger(number).addLong(notice.entryId)
                        .addString(notice.mailType).addUUID(by.userId()).addString(standing.partyId).addUUID(standing.organizationId)
                        .addString(notice.input.encode()).addString(notice.mail.encode()).addOffsetDateTime(notice.created.atOffset(ZoneOffset.UTC)))
                .mapEmpty();
    }

    private static Future<Void> insertFiles(SqlConnection transaction, Notice notice) {
        Tuple values = new Columns<>(notice.files)
                .texts(file -> file.kind.text()).texts(File::fieldId).texts(File::name).texts(File::contentType)
                .numbers(file -> file.width == null ? null : file.width.longValue()).numbers(file -> file.height == null ? null : file.height.longValue())
                .numbers(file -> file.fingerprint.bytes()).texts(file -> file.fingerprint.sha256())
                .texts(file -> Base64.getEncoder().encodeToString(file.fingerprint.blockHashes().getBytes()))
                .texts(file -> file.address.toString()).tuple().addUUID(notice.noticeId);
        return transaction.preparedQuery("""
                insert into mainapi.notice_files (notice_id, place, kind, field_id, file_name, content_type, pixel_width, pixel_height, bytes, sha256,
                  block_hashes, address)
                select $11, f.place, f.kind, f.field_id, f.file_name, f.content_type, f.pixel_width, f.pixel_height, f.bytes, f.sha256,
                       decode(f.block_hashes, 'base64'), f.address
                from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::text[])
                  with ordinality as f(kind, field_id, file_name, content_type, pixel_width, pixel_height, bytes, sha256, block_hashes, address, place)
                """).execute(values).mapEmpty();
    }

    /** Recipients and their places in the outbox; who was named as a participant must still be one. */
    private static Future<Void> insertRecipients(SqlConnection transaction, Notice notice) {
        Tuple values = new Columns<>(notice.recipients).texts(Recipient::email).ids(Recipient::userId).texts(Recipient::idempotencyKey).tuple()
                .addUUID(notice.noticeId).addUUID(notice.caseId);
        List<Recipient> all = notice.recipients;
        return transaction.preparedQuery("""
                with added as (
                  insert into mainapi.notice_recipients (notice_id, place, email, user_id, idempotency_key)
                  select $4, r.place, r.email, r.user_id, r.idempotency_key
                  from unnest($1::text[], $2::uuid[], $3::text[]) with ordinality as r(email, user_id, idempotency_key, place)
                  where r.user_id is null
                     or exists (select from cases_api.participants p where p.case_id = $5 and p.user_id = r.user_id)
                  order by r.place
                  returning recipient_id, place)
                select array_agg(place), platform.enqueue('notices', array_agg(recipient_id order by place)) from added
                """).execute(values).map(rows -> {
                    Integer[] places = rows.iterator().next().getArrayOfIntegers(0);
                    Set<Integer> added = places == null ? Set.of() : Set.of(places);
                    for (int i = 0; i < all.size(); i++) {
                        if (!added.contains(i + 1)) {
                            throw NoticeError.RECIPIENT_NOT_FOUND.refusal(all.get(i).place);
                        }
                    }
                    return null;
                });
    }

    private Future<Void> commitFiles(SqlConnection transaction, List<File> files, int at) {
        return at == files.size() ? Future.succeededFuture()
                : pending.commit(transaction, files.get(at).address).compose(committed -> commitFiles(transaction, files, at + 1));
    }

    /**
     * How far the email to a recipient has come.
     *
     * @param sentAt first attempt to hand it to the mail server; null before
     * @param deliveredAt when the mail server took it; null before, and for one that it never took
     * @param failedAt when it was given up; null otherwise
     * @param reason why it is not delivered; null when it is, or nothing stands against it yet
     */
    record Delivery(String email, String idempotencyKey, Instant sentAt, Instant deliveredAt, Instant failedAt, String reason) {}

    /** A notice in a list. */
    record Listed(UUID noticeId, String mailType, long entryId, Delivery delivery) {}

    /**
     * What somebody finds of a case's notices, a line for each recipient.
     *
     * @param participant whether the caller has a part in the case
     * @param line empty in the one line of a case without notices, or of a caller without a part
     */
    record Found(boolean participant, Optional<Listed> line) {}

    /** In the order in which they were served; no line at all when there is no such case. */
    Future<List<Found>> list(UUID caseId, UUID userId) {
        return database.query("""
                select p.user_id is not null as participant, n.notice_id, n.mail_type, n.entry_id, r.email, r.idempotency_key,
                       t.first_at as sent_at,
                       case when d.state = 'sent' then d.ended_at end as delivered_at,
                       coalesce(x.at, case when d.state in ('bounced', 'failed') then d.ended_at end) as failed_at,
                       coalesce(x.reason, case when d.state = 'held' then 'no mail server is configured, the email is held'
                                               when d.state <> 'sent' then t.last_error end) as reason
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                left join mainapi.notices n on n.case_id = c.case_id and p.user_id is not null
                left join mainapi.notice_recipients r on r.notice_id = n.notice_id
                left join mainapi.notice_refusals x on x.recipient_id = r.recipient_id
                left join emails_api.notice_deliveries d on d.idempotency_key = r.idempotency_key and d.recipient = r.email
                left join lateral (
                  select min(a.at) as first_at, (array_agg(a.error order by a.attempt_id desc) filter (where a.error is not null))[1] as last_error
                  from emails_api.notice_attempts a where a.delivery_id = d.delivery_id) t on true
                where c.case_id = $1
                order by n.number, r.place
                """, Tuple.of(caseId, userId), NoticeRepository::found);
    }

    private static Found found(Row row) {
        return new Found(row.getBoolean("participant"), Optional.ofNullable(row.getUUID("notice_id")).map(noticeId ->
                new Listed(noticeId, row.getString("mail_type"), row.getLong("entry_id"), new Delivery(row.getString("email"),
                        row.getString("idempotency_key"), instant(row, "sent_at"), instant(row, "delivered_at"), instant(row, "failed_at"),
                        row.getString("reason")))));
    }

    static Instant instant(Row row, String column) {
        OffsetDateTime time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }

    private static AuditTrail.Line line(UUID caseId, By by, Instant at, String action, UUID noticeId) {
        return new AuditTrail.Line(caseId, at, by.userId(), action, noticeId.toString(), by.requestId(), by.address());
    }
}
