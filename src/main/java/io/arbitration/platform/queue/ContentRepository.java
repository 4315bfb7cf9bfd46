package io.arbitration.platform.queue;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/**
 * The rows of an area that the items of a queue refer to. The queue stores when an item is due and which node has claimed it; everything
 * else about the item is in these rows.
 */
public interface ContentRepository<C extends LeasedItem, O extends AttemptOutcome> {

    /** The content of these items, as it is now. An item whose row does not exist is left out. */
    Future<List<C>> read(List<Lease> leases);

    /**
     * Records outcomes, in the transaction that removes their items from the queue or makes them due again. Only called with outcomes that
     * count.
     */
    Future<Void> record(SqlConnection transaction, List<O> outcomes);
}
