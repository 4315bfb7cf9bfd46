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
     * What a node let pass between two beats.
     *
     * @param beat counted by that node, one more each time it writes
     */
    record Counts(UUID nodeId, long beat, String counts) {}

    private final Database database;
    private final UUID nodeId;

    RateCountsRepository(Database database, UUID nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    /**
     * Writes what this node let pass, if there is another node to read it, and reads what the others wrote in the last seconds.
     *
     * @param counts null when it let nothing pass
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
