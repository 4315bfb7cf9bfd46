package io.arbitration.platform.queue;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/**
 * The rows of an area that the items of a queue are about. The queue keeps when an item is due and who works on it; everything
 * else is kept here.
 */
public interface ContentRepository<C extends LeasedItem, O extends AttemptOutcome> {

    /** What these leases are about, as it stands now. An item without content is left out: nothing can be done with it. */
    Future<List<C>> read(List<Lease> leases);

    /** Records outcomes that count, in the transaction that settles their items. */
    Future<Void> record(SqlConnection transaction, List<O> outcomes);
}
