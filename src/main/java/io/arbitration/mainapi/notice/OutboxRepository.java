package io.arbitration.mainapi.notice;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The emails of notices that the mail service has not taken yet. All times of the queue are the database's. */
final class OutboxRepository {

    private final Database database;

    OutboxRepository(Database database) {
        this.database = database;
    }

    /** A claimed row, before the files of its notice are known. */
    private record Claimed(UUID noticeId, long recipientId, int attempts, String idempotencyKey, String email, String mail) {}

    /** Claims what is due, the oldest first: never asked for, time to ask again, or claimed by a node that let its lease end. */
    Future<List<DueEmail>> claim(UUID claim, int most, Duration lease) {
        return database.query("""
                with picked as materialized (
                  select recipient_id from mainapi.notice_outbox where due <= now() order by due limit $2 for update skip locked),
                claimed as (
                  update mainapi.notice_outbox o set claim = $1, due = now() + $3::bigint * interval '1 millisecond'
                  from picked where o.recipient_id = picked.recipient_id
                  returning o.recipient_id, o.attempts)
                select r.notice_id, c.recipient_id, c.attempts, r.idempotency_key, r.email, n.mail
                from claimed c
                join mainapi.notice_recipients r on r.recipient_id = c.recipient_id
                join mainapi.notices n on n.notice_id = r.notice_id
                order by c.recipient_id
                """, Tuple.of(claim, most, lease.toMillis()), row -> new Claimed(row.getUUID(0), row.getLong(1), row.getInteger(2),
                        row.getString(3), row.getString(4), row.getString(5)))
                .compose(claimed -> claimed.isEmpty() ? Future.succeededFuture(List.of()) : attachments(claimed).map(files -> claimed.stream()
                        .map(one -> new DueEmail(one.recipientId, claim, one.attempts, one.idempotencyKey, one.email, new JsonObject(one.mail),
                                files.getOrDefault(one.noticeId, new JsonArray())))
                        .toList()));
    }

    /** What goes with the emails of these notices: all of their files but the images as they came, which the letter shows. */
    private Future<Map<UUID, JsonArray>> attachments(List<Claimed> claimed) {
        Set<UUID> noticeIds = claimed.stream().map(Claimed::noticeId).collect(Collectors.toSet());
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
                : attachment.put("contentID", contentId(row.getString("field_id"), row.getUUID("notice_id")));
    }

    /** Under which the email shows the preview of an image. */
    static String contentId(String fieldId, UUID noticeId) {
        return fieldId + "@" + noticeId;
    }

    /** Records what became of them, in one statement. One whose claim is no longer that of the outbox changes nothing. */
    Future<Void> record(List<Handover> handovers) {
        Columns<Handover> columns = new Columns<>(handovers)
                .numbers(handover -> handover.due().recipientId())
                .ids(handover -> handover.due().claim())
                .texts(OutboxRepository::state)
                .numbers(handover -> handover instanceof Handover.Again again ? again.pause().toMillis() : 0L)
                .times(handover -> handover instanceof Handover.Refused refused ? refused.at() : null)
                .texts(handover -> handover instanceof Handover.Refused refused ? refused.reason() : null);
        return database.update("""
                with decided as materialized (
                  select o.*
                  from unnest($1::bigint[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[])
                       as o(recipient_id, claim, state, pause_millis, at, reason)
                  join mainapi.notice_outbox q on q.recipient_id = o.recipient_id and q.claim = o.claim
                  order by o.recipient_id
                  for update of q),
                removed as (
                  delete from mainapi.notice_outbox q using decided d where q.recipient_id = d.recipient_id and d.state <> 'again'),
                put_back as (
                  update mainapi.notice_outbox q
                  set claim = null, attempts = q.attempts + 1, due = now() + d.pause_millis * interval '1 millisecond'
                  from decided d where q.recipient_id = d.recipient_id and d.state = 'again')
                insert into mainapi.notice_refusals (recipient_id, at, reason)
                select recipient_id, at, reason from decided where state = 'refused'
                """, columns.tuple()).mapEmpty();
    }

    private static String state(Handover handover) {
        return switch (handover) {
            case Handover.Taken taken -> "taken";
            case Handover.Refused refused -> "refused";
            case Handover.Again again -> "again";
        };
    }

    /** Gives back what was claimed and not asked for. */
    Future<Void> release(List<DueEmail> claimed) {
        Columns<DueEmail> columns = new Columns<>(claimed).numbers(DueEmail::recipientId).ids(DueEmail::claim);
        return database.update("""
                update mainapi.notice_outbox q set claim = null, due = now()
                from unnest($1::bigint[], $2::uuid[]) as c(recipient_id, claim)
                where q.recipient_id = c.recipient_id and q.claim = c.claim
                """, columns.tuple()).mapEmpty();
    }
}
