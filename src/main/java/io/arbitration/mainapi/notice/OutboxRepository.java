package io.arbitration.mainapi.notice;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The emails of notices that the emails area does not have yet, and those that it refused. */
final class OutboxRepository implements ContentRepository<DueEmail, Handover.Outcome<DueEmail>> {

    static final String QUEUE = "notices";
    private static final int REASON_LENGTH_MAX = 500;

    private final Database database;
    private final Clock clock;

    OutboxRepository(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A recipient, before the files of the notice are known. */
    private record Recipient(UUID noticeId, Lease lease, String idempotencyKey, String email, JsonObject mail, boolean isHeld) {}

    @Override
    public Future<List<DueEmail>> read(List<Lease> leases) {
        Map<Long, Lease> byRecipient = Lease.byKey(leases);
        return database.query("""
                select r.notice_id, r.recipient_id, r.idempotency_key, r.email, n.mail, r.is_held
                from mainapi.notice_recipients r
                join mainapi.notices n on n.notice_id = r.notice_id
                where r.recipient_id = any($1)
                order by r.recipient_id
                """, Tuple.tuple().addArrayOfLong(Lease.keys(leases)), row -> new Recipient(row.getUUID(0), byRecipient.get(row.getLong(1)),
                        row.getString(2), row.getString(3), new JsonObject(row.getString(4)), row.getBoolean(5)))
                .compose(recipients -> recipients.isEmpty() ? Future.succeededFuture(List.of()) : attachments(recipients).map(files -> recipients.stream()
                        .map(one -> new DueEmail(one.lease, one.idempotencyKey, one.email, one.mail, files.getOrDefault(one.noticeId, new JsonArray()), one.isHeld))
                        .toList()));
    }

    /** What goes with the emails of these notices: all of their files but the images as they came, which the letter shows. */
    private Future<Map<UUID, JsonArray>> attachments(List<Recipient> recipients) {
        Set<UUID> noticeIds = recipients.stream().map(Recipient::noticeId).collect(Collectors.toSet());
        return database.query("""
                select notice_id, kind, field_id, file_name, content_type, bytes, sha256, block_hashes, address
                from mainapi.notice_files where notice_id = any($1) and kind <> 'image' order by notice_id, place
                """, Tuple.of(noticeIds.toArray(UUID[]::new)), row -> Map.entry(row.getUUID(0), attachment(row)))
                .map(rows -> rows.stream().collect(Collectors.groupingBy(Map.Entry::getKey,
                        Collectors.mapping(Map.Entry::getValue, Collectors.collectingAndThen(Collectors.toList(), JsonArray::new)))));
    }

    private static JsonObject attachment(Row row) {
        JsonObject attachment = new JsonObject().put("fileName", row.getString("file_name")).put("contentType", row.getString("content_type"))
                .put("bytes", row.getLong("bytes")).put("sha256", row.getString("sha256"))
                .put("blockHashes", Base64.getEncoder().encodeToString(row.getBuffer("block_hashes").getBytes())).put("address", row.getString("address"));
        return row.getString("field_id") == null ? attachment
                : attachment.put("contentID", NoticeMail.contentId(row.getString("field_id"), row.getUUID("notice_id")));
    }

    /** Records refusals. An email that the emails area has accepted is recorded there. */
    @Override
    public Future<Void> record(SqlConnection transaction, List<Handover.Outcome<DueEmail>> outcomes) {
        List<Handover.Outcome<DueEmail>> refused = outcomes.stream().filter(outcome -> outcome.handed() == Handover.Handed.REFUSED).toList();
        if (refused.isEmpty()) {
            return Future.succeededFuture();
        }
        Instant at = Timestamps.milliseconds(clock.instant());
        Columns<Handover.Outcome<DueEmail>> columns = new Columns<>(refused)
                .numbers(outcome -> outcome.lease().key()).times(outcome -> at).texts(outcome -> reason(outcome.trouble().orElseThrow()));
        return transaction.preparedQuery("""
                insert into mainapi.notice_refusals (recipient_id, at, reason)
                select r.recipient_id, r.at, r.reason from unnest($1::bigint[], $2::timestamptz[], $3::text[]) as r(recipient_id, at, reason)
                """).execute(columns.tuple()).mapEmpty();
    }

    private static String reason(String trouble) {
        return trouble.length() <= REASON_LENGTH_MAX ? trouble : trouble.substring(0, REASON_LENGTH_MAX);
    }
}
