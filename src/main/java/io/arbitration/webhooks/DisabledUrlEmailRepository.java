package io.arbitration.webhooks;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;

/** The table {@code webhooks.notices}: these emails and whether they were sent. The statement that disables a URL inserts them. */
final class DisabledUrlEmailRepository implements ContentRepository<DisabledUrlEmail, Handover.Outcome<DisabledUrlEmail>> {

    static final String QUEUE = "webhook_notices";

    /** The most recipients that the emails area accepts for one email. */
    private static final int ADMINISTRATORS_MAX = 100;

    private final Database database;

    DisabledUrlEmailRepository(Database database) {
        this.database = database;
    }

    @Override
    public Future<List<DisabledUrlEmail>> read(List<Lease> leases) {
        Map<Long, Lease> byKey = Lease.byKey(leases);
        return database.query("""
                select n.notice_id, n.url, n.reason, n.at, coalesce(o.name, ''),
                       array(select u.email from identity_api.memberships m join identity_api.users u on u.user_id = m.user_id
                             where m.organization_id = n.organization_id and m.is_administrator order by u.email limit %d)
                from webhooks.notices n left join identity_api.public_organizations o on o.organization_id = n.organization_id
                where n.notice_id = any($1)
                order by n.notice_id
                """.formatted(ADMINISTRATORS_MAX), Tuple.tuple().addArrayOfLong(Lease.keys(leases)), row -> email(byKey.get(row.getLong(0)), row));
    }

    private static DisabledUrlEmail email(Lease lease, Row row) {
        return new DisabledUrlEmail(lease, row.getString(1), row.getString(2), row.getOffsetDateTime(3).toInstant(), row.getString(4),
                List.of(row.getArrayOfStrings(5)));
    }

    @Override
    public Future<Void> record(SqlConnection transaction, List<Handover.Outcome<DisabledUrlEmail>> outcomes) {
        Columns<Handover.Outcome<DisabledUrlEmail>> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.lease().key())
                .flags(outcome -> outcome.handed() == Handover.Handed.YES)
                .flags(Handover.Outcome::isOpen)
                .texts(outcome -> outcome.trouble().orElse(null));
        return transaction.preparedQuery("""
                update webhooks.notices n
                set told_at = case when o.told then now() end, trouble = o.trouble, due = case when o.again then 'infinity'::timestamptz end
                from unnest($1::bigint[], $2::boolean[], $3::boolean[], $4::text[]) as o(notice_id, told, again, trouble)
                where n.notice_id = o.notice_id
                """).execute(columns.tuple()).mapEmpty();
    }
}
