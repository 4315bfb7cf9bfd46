package io.arbitration.platform.limits;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** The table {@code platform.rate_counts}. */
final class RateCountsRepository {

    private static final int READ_SECONDS = 5;
    private static final int KEPT_SECONDS = 10;

    /**
     * The requests that a node admitted between two beats.
     *
     * @param beat a counter of that node, incremented each time it writes
     */
    record Counts(UUID nodeId, long beat, String counts) {}

    private final Database database;
    private final UUID nodeId;

    RateCountsRepository(Database database, UUID nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    /**
     * Writes the requests that this node admitted, if there is another node to read them, and reads those that the others wrote
     * in the last seconds.
     *
     * @param counts null if it admitted none
     */
    Future<List<Counts>> exchange(long beat, String counts) {
        return database.query("""
                with written as (
                  insert into platform.rate_counts (node_id, beat, counts)
                  select $1, $2, $3::text
                  where $3::text is not null
                    and exists (select from platform.nodes where node_id <> $1 and seen > now() - $4 * interval '1 second')
                  on conflict (node_id, beat) do nothing),
                forgotten as (
                  delete from platform.rate_counts where written < now() - $5 * interval '1 second')
                select node_id, beat, counts from platform.rate_counts
                where node_id <> $1 and written > now() - $4 * interval '1 second'
                order by node_id, beat
                """, Tuple.of(nodeId, beat, counts, READ_SECONDS, KEPT_SECONDS),
                row -> new Counts(row.getUUID("node_id"), row.getLong("beat"), row.getString("counts")));
    }
}
