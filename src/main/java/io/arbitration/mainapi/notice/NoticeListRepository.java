package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Lists notices with their recipients, and the state of each email. */
final class NoticeListRepository {

    /** Recipients on a page, some 3 KB each at most; a page has one notice at least, which has no more than 100. */
    static final int PAGE_RECIPIENTS_MAX = 500;

    private final Database database;

    NoticeListRepository(Database database) {
        this.database = database;
    }

    /**
     * The state of the email to a recipient.
     *
     * @param sentAt the first attempt to hand it to the mail server
     * @param deliveredAt when the mail server accepted it, even if it came back later
     * @param failedAt when it was given up, or came back
     * @param reason why it is not delivered; empty if it is, or if no attempt has failed
     */
    record Delivery(
            String email, String idempotencyKey, Optional<Instant> sentAt, Optional<Instant> deliveredAt, Optional<Instant> failedAt,
            Optional<String> reason) {}

    /** A notice with the delivery record of each recipient, and either the entry or the hearing that was served. */
    record Served(UUID noticeId, int number, String mailType, Optional<Long> entryId, Optional<UUID> hearingId, List<Delivery> recipients) {}

    /** @param next the number behind which the next page begins; empty at the end */
    record Page(List<Served> notices, Optional<Integer> next) {}

    /** The notices of a case behind a number, in the order in which they were served; bounded by notices and by recipients. */
    Future<Page> page(CaseId caseId, int afterNumber, int limit) {
        return database.query("""
                with page as (
                  select n.notice_id, n.number, n.mail_type, n.entry_id, n.hearing_id, r.recipients,
                         sum(r.recipients) over (order by n.number) - r.recipients as recipients_before,
                         row_number() over (order by n.number) as place, count(*) over () as found
                  from (select notice_id, number, mail_type, entry_id, hearing_id from mainapi.notices
                        where case_id = $1 and number > $2 order by number limit $3 + 1) n
                  cross join lateral (select count(*) as recipients from mainapi.notice_recipients r where r.notice_id = n.notice_id) r)
                select p.notice_id, p.number, p.mail_type, p.entry_id, p.hearing_id, p.found, r.email, r.idempotency_key,
                       t.first_at as sent_at,
                       case when d.state = 'sent' then d.ended_at end as delivered_at,
                       coalesce(x.at, b.at, case when d.state in ('bounced', 'failed') then d.ended_at end) as failed_at,
                       coalesce(x.reason, b.reason, case when r.is_held then 'the case is a sandbox, the email is held'
                                               when d.state = 'held' then 'no mail server is configured, the email is held'
                                               when d.state <> 'sent' then t.last_error end) as reason
                from page p
                join mainapi.notice_recipients r on r.notice_id = p.notice_id
                left join mainapi.notice_refusals x on x.recipient_id = r.recipient_id
                left join emails_api.notice_deliveries d on d.idempotency_key = r.idempotency_key and d.recipient = r.email
                left join emails_api.notice_bounces b on b.delivery_id = d.delivery_id
                left join lateral (
                  select min(a.at) as first_at, (array_agg(a.error order by a.attempt_id desc) filter (where a.error is not null))[1] as last_error
                  from emails_api.notice_attempts a where a.delivery_id = d.delivery_id) t on true
                where p.place <= $3 and p.recipients_before + p.recipients <= greatest($4, p.recipients)
                order by p.number, r.place
                """, Tuple.of(caseId.value(), afterNumber, limit, PAGE_RECIPIENTS_MAX), row -> row).map(NoticeListRepository::page);
    }

    private static Page page(List<Row> rows) {
        Map<Integer, Served> byNumber = new LinkedHashMap<>();
        for (Row row : rows) {
            byNumber.computeIfAbsent(row.getInteger("number"), number -> new Served(row.getUUID("notice_id"), number, row.getString("mail_type"),
                    Optional.ofNullable(row.getLong("entry_id")), Optional.ofNullable(row.getUUID("hearing_id")), new ArrayList<>())).recipients.add(delivery(row));
        }
        List<Served> served = List.copyOf(byNumber.values());
        boolean more = !served.isEmpty() && rows.getFirst().getLong("found") > served.size();
        return new Page(served, more ? Optional.of(served.getLast().number) : Optional.empty());
    }

    private static Delivery delivery(Row row) {
        return new Delivery(row.getString("email"), row.getString("idempotency_key"), instant(row, "sent_at"), instant(row, "delivered_at"),
                instant(row, "failed_at"), Optional.ofNullable(row.getString("reason")));
    }

    private static Optional<Instant> instant(Row row, String column) {
        return Optional.ofNullable(row.getOffsetDateTime(column)).map(OffsetDateTime::toInstant);
    }
}
