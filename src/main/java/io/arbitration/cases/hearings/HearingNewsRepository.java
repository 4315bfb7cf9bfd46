package io.arbitration.cases.hearings;

import io.arbitration.cases.CasesRepository;
import io.arbitration.domain.UserId;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The table {@code cases.hearing_news}: who is to be told of which revision of a hearing. */
final class HearingNewsRepository implements ContentRepository<HearingNews, Handover.Outcome<HearingNews>> {

    static final String QUEUE = "hearing_news";

    private final Database database;
    private final HearingNews.Sender sender;

    HearingNewsRepository(Database database, HearingNews.Sender sender) {
        this.database = database;
        this.sender = sender;
    }

    @Override
    public Future<List<HearingNews>> read(List<Lease> leases) {
        Map<Long, Lease> byNews = Lease.byKey(leases);
        return database.query("""
                select n.news_id, n.channel, n.user_id, n.revision = 1 as is_first, c.title as case_title, c.rule_set, c.sandbox_now is not null as is_sandbox,
                       not exists (select from cases.hearing_news later
                                   where later.hearing_id = n.hearing_id and later.user_id = n.user_id and later.channel = n.channel
                                     and later.revision > n.revision) as is_last,
                       case when p.user_id is not null and coalesce(f.hearings, true) then u.email end as reader_email, u.first_name,
                       h.hearing_id, h.case_id, h.title, h.starts_at, h.duration_minutes, h.time_zone, h.place, h.link, h.agenda, h.revision,
                       h.cancelled_by, h.cancelled_at, h.cancel_reason, h.created_by, h.created, h.updated
                from cases.hearing_news n
                join cases.hearings h using (hearing_id)
                join cases.cases c using (case_id)
                left join cases.participants p on p.case_id = h.case_id and p.user_id = n.user_id
                left join identity_api.users u on u.user_id = n.user_id and not u.disabled
                left join alerts_api.preferences f on f.user_id = n.user_id
                where n.news_id = any($1)
                order by n.news_id
                """, Tuple.tuple().addArrayOfLong(Lease.keys(leases)), row -> news(byNews.get(row.getLong("news_id")), row));
    }

    private HearingNews news(Lease lease, Row row) {
        Optional<HearingNews.Reader> reader = Optional.ofNullable(row.getString("reader_email"))
                .map(email -> new HearingNews.Reader(email, row.getString("first_name")));
        return new HearingNews(lease, HearingNews.Channel.valueOf(row.getString("channel").toUpperCase(Locale.ROOT)), HearingRepository.hearing(row),
                new CasesRepository.Titled(row.getString("case_title"), row.getString("rule_set"), row.getBoolean("is_sandbox")).marked(), new UserId(row.getUUID("user_id")), reader, row.getBoolean("is_first"), row.getBoolean("is_last"), sender);
    }

    /** Nothing beside the queue says what became of it. */
    @Override
    public Future<Void> record(SqlConnection transaction, List<Handover.Outcome<HearingNews>> outcomes) {
        return Future.succeededFuture();
    }
}
