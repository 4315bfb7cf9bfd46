package io.arbitration.emails.bounces;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The table of failed deliveries that mail servers have reported. */
public final class BounceRepository {

    /** A delivery that failed. */
    record Recorded(UUID deliveryId, String reason) {}

    private final Database database;

    public BounceRepository(Database database) {
        this.database = database;
    }

    /** Records failed deliveries: only the first report of each, and only those with a known token. Answers the new ones. */
    Future<List<Recorded>> record(List<DeliveryReport> failed, Instant at) {
        Columns<DeliveryReport> columns = new Columns<>(failed)
                .ids(DeliveryReport::token).texts(report -> report.status().orElse(null)).texts(DeliveryReport::reason).times(report -> at);
        return database.query("""
                insert into emails.bounces (delivery_id, at, status, reason)
                select d.delivery_id, r.at, r.status, r.reason
                from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) with ordinality as r(token, status, reason, at, place)
                join emails.deliveries d on d.return_token = r.token
                order by r.place
                on conflict (delivery_id) do nothing
                returning delivery_id, reason
                """, columns.tuple(), row -> new Recorded(row.getUUID("delivery_id"), row.getString("reason")));
    }
}
