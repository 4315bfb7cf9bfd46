package io.arbitration.cases.hearings;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The table {@code cases.hearing_news}: the notifications of hearings, one for each state of a hearing, person and channel, with
 * their results.
 */
final class HearingNotificationRepository implements ContentRepository<HearingNotification, Handover.Outcome<HearingNotification>> {

    static final String QUEUE = "hearing_news";

    private final Database database;
    private final HearingNotification.Sender sender;
    private final Clock clock;

    HearingNotificationRepository(Database database, HearingNotification.Sender sender, Clock clock) {
        this.database = database;
        this.sender = sender;
        this.clock = clock;
    }

    /** The notifications {@code e} of the same hearing to the same person by the same channel as {@code n}. */
    private static final String SAME = "e.hearing_id = n.hearing_id and e.user_id = n.user_id and e.channel = n.channel";
    /**
     * Whether the person got a notification {@code e}. A node of the previous release does not record it, but only removes from the queue
     * what it has sent.
     */
    private static final String RECEIVED = "coalesce(e.told, case when q.key is null then 'yes' when q.unrecorded > 0 then 'perhaps' else 'no' end)";

    @Override
    public Future<List<HearingNotification>> read(List<Lease> leases) {
        Map<Long, Lease> byKey = Lease.byKey(leases);
        return database.query("""
                select n.news_id, n.revision as news_revision, n.attendance_changes as news_attendance_changes, n.channel, n.user_id, c.title as case_title, c.sandbox_now is not null as is_sandbox,
                       n.left_title, n.left_starts_at, n.left_minutes, n.left_time_zone,
                       not exists (select from cases.hearing_news e where %1$s and e.news_id > n.news_id)
                         and (p.user_id is null or not exists (select from cases.hearing_closings l where l.hearing_id = n.hearing_id)) as is_last,
                       exists (select from cases.hearing_news e join platform_api.queue_states q on q.queue = 'hearing_news' and q.key = e.news_id
                               where %1$s and e.news_id < n.news_id and q.is_leased) as waits,
                       (select q.unrecorded > 1 from platform_api.queue_states q where q.queue = 'hearing_news' and q.key = n.news_id) as was_claimed,
                       case when (p.user_id is not null or n.left_title is not null)
                         and (coalesce(f.hearings, true) or n.channel = 'email' and before.knows <> 'no') then u.email end as reader_email, u.first_name,
                       before.knows, %3$s
                from cases.hearing_news n
                join cases.hearings h using (hearing_id)
                join cases.cases c using (case_id)
                left join lateral (
                  select case when e.left_title is null then %2$s else 'no' end as knows
                  from cases.hearing_news e left join platform_api.queue_states q on q.queue = 'hearing_news' and q.key = e.news_id
                  where %1$s and e.news_id < n.news_id and %2$s <> 'no'
                  order by e.news_id desc limit 1) before on true
                left join cases.participants p on p.case_id = h.case_id and p.user_id = n.user_id
                left join identity_api.users u on u.user_id = n.user_id and not u.disabled
                left join alerts_api.preferences f on f.user_id = n.user_id
                where n.news_id = any($1)
                order by n.news_id
                """.formatted(SAME, RECEIVED, HearingRepository.COLUMNS), Tuple.tuple().addArrayOfLong(Lease.keys(leases)),
                row -> notification(byKey.get(row.getLong("news_id")), row));
    }

    private HearingNotification notification(Lease lease, Row row) {
        Optional<HearingNotification.Reader> reader = Optional.ofNullable(row.getString("reader_email"))
                .map(email -> new HearingNotification.Reader(email, row.getString("first_name")));
        Optional<Hearing.Schedule> left = Optional.ofNullable(row.getString("left_title")).map(title -> new Hearing.Schedule(title,
                row.getOffsetDateTime("left_starts_at").toInstant(), Duration.ofMinutes(row.getInteger("left_minutes")), ZoneId.of(row.getString("left_time_zone")),
                Optional.empty(), Optional.empty(), Optional.empty()));
        return new HearingNotification(lease, HearingNotification.Channel.valueOf(row.getString("channel").toUpperCase(Locale.ROOT)), HearingRepository.hearing(row),
                new HearingNotification.State(row.getLong("news_revision"), row.getInteger("news_attendance_changes")),
                CaseClock.marked(row.getString("case_title"), row.getBoolean("is_sandbox")), row.getBoolean("is_sandbox"), new UserId(row.getUUID("user_id")), reader, left,
                Optional.ofNullable(row.getString("knows")).map(knows -> Handover.Handed.valueOf(knows.toUpperCase(Locale.ROOT))).orElse(Handover.Handed.NO),
                row.getBoolean("is_last"), row.getBoolean("waits"), clock.instant(), Boolean.TRUE.equals(row.getBoolean("was_claimed")), sender);
    }

    /** Records who got a notification. "Perhaps" of an earlier attempt is not replaced by the "no" of a later one. */
    @Override
    public Future<Void> record(SqlConnection transaction, List<Handover.Outcome<HearingNotification>> outcomes) {
        List<Handover.Outcome<HearingNotification>> decided = outcomes.stream()
                .filter(one -> one.settlement() instanceof Settlement.Done || handed(one) != Handover.Handed.NO).toList();
        return decided.isEmpty() ? Future.succeededFuture() : transaction.preparedQuery("""
                update cases.hearing_news n set told = case when o.told = 'no' then coalesce(n.told, 'no') else o.told end
                from unnest($1::bigint[], $2::text[]) as o(news_id, told) where n.news_id = o.news_id
                """).execute(new Columns<>(decided).numbers(one -> one.lease().key()).texts(one -> handed(one).name().toLowerCase(Locale.ROOT)).tuple()).mapEmpty();
    }

    private static Handover.Handed handed(Handover.Outcome<HearingNotification> outcome) {
        boolean isHanded = outcome.handed() == Handover.Handed.YES || outcome.handed() == Handover.Handed.PERHAPS;
        return isHanded ? outcome.handed() : outcome.item().wasClaimed() ? Handover.Handed.PERHAPS : Handover.Handed.NO;
    }
}
