package io.arbitration.webhooks;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** What organizations have to be told by email, and whether they were. All times are the database's. */
final class NoticeRepository {

    /** PostgreSQL channel that tells of a new one. */
    static final String NOTICED = "webhooks_noticed";
    /** As many as one email may go to. */
    private static final int ADMINISTRATORS_MAX = 100;

    private final Database database;

    NoticeRepository(Database database) {
        this.database = database;
    }

    /** Takes notices whose time has come, to nobody else until the lease ends. */
    Future<List<Notice>> claim(UUID claim, int most, Duration lease) {
        return database.query("""
                with claimed as (
                  update webhooks.notices set claim = $1, attempts = attempts + 1, due = now() + $3::bigint * interval '1 millisecond'
                  where notice_id = any (array(
                    select notice_id from webhooks.notices where due <= now() order by due limit $2 for update skip locked))
                  returning notice_id, attempts, organization_id, url, reason, at)
                select c.notice_id, c.attempts, c.url, c.reason, c.at, coalesce(o.name, ''),
                       array(select u.email from identity_api.members m join identity_api.users u on u.user_id = m.user_id
                             where m.organization_id = c.organization_id and m.is_administrator order by u.email limit %d)
                from claimed c left join identity_api.public_organizations o on o.organization_id = c.organization_id
                order by c.notice_id
                """.formatted(ADMINISTRATORS_MAX), Tuple.of(claim, most, lease.toMillis()), row -> notice(claim, row));
    }

    private static Notice notice(UUID claim, Row row) {
        return new Notice(row.getLong(0), claim, row.getInteger(1), row.getString(2), row.getString(3), row.getOffsetDateTime(4).toInstant(),
                row.getString(5), List.of(row.getArrayOfStrings(6)));
    }

    Future<Void> told(Notice notice) {
        return database.update("""
                update webhooks.notices set told_at = now(), due = null, claim = null, trouble = null where notice_id = $1 and claim = $2
                """, Tuple.of(notice.id(), notice.claim())).mapEmpty();
    }

    Future<Void> again(Notice notice, Duration pause, String trouble) {
        return database.update("""
                update webhooks.notices set due = now() + $3::bigint * interval '1 millisecond', claim = null, trouble = $4
                where notice_id = $1 and claim = $2
                """, Tuple.of(notice.id(), notice.claim(), pause.toMillis(), trouble)).mapEmpty();
    }

    Future<Void> givenUp(Notice notice, String trouble) {
        return database.update("""
                update webhooks.notices set due = null, claim = null, trouble = $3 where notice_id = $1 and claim = $2
                """, Tuple.of(notice.id(), notice.claim(), trouble)).mapEmpty();
    }
}
