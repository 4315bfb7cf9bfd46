package io.arbitration.platform.events;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/**
 * What a consumer does with the next events: its own writes, in the transaction that also moves its cursor. It may run
 * again with the same events when that transaction fails, so it must do nothing beside it.
 */
@FunctionalInterface
public interface EventReader {

    Future<Void> take(SqlConnection transaction, List<LoggedEvent> events);
}
