package io.arbitration.cases.hearings;

import io.arbitration.domain.HearingId;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The table {@code cases.hearing_closings}: hearings that were cancelled by the closing of their case. The notifications of a few
 * hearings at a time are queued, in the transaction that removes these hearings from this queue. Nobody joins or leaves a closed
 * case, so its participants are still those at the closing.
 */
final class ClosedHearingRepository implements ContentRepository<ClosedHearing, ClosedHearing> {

    static final String QUEUE = "hearing_closings";
    /**
     * For a case with the maximum number of participants, these are ten thousand notifications in a transaction: about a second
     * of work.
     */
    static final int AT_ONCE_MAX = 10;
    /** After this time, another node takes over the work of a node that died. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private final Database database;
    private final HearingRepository hearings;

    ClosedHearingRepository(Database database, HearingRepository hearings) {
        this.database = database;
        this.hearings = hearings;
    }

    @Override
    public Future<List<ClosedHearing>> read(List<Lease> leases) {
        Map<Long, Lease> byClosing = Lease.byKey(leases);
        return database.query("select closing_id, hearing_id from cases.hearing_closings where closing_id = any($1)", Tuple.tuple().addArrayOfLong(Lease.keys(leases)),
                row -> new ClosedHearing(byClosing.get(row.getLong("closing_id")), new HearingId(row.getUUID("hearing_id"))));
    }

    @Override
    public Future<Void> record(SqlConnection transaction, List<ClosedHearing> closed) {
        List<HearingId> ids = closed.stream().map(ClosedHearing::hearingId).toList();
        return transaction.preparedQuery("delete from cases.hearing_closings where hearing_id = any($1)")
                .execute(Tuple.of((Object) ids.stream().map(HearingId::value).toArray(UUID[]::new)))
                .compose(deleted -> hearings.queueNotifications(transaction, ids));
    }
}
