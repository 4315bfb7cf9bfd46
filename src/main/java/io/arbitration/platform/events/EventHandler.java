package io.arbitration.platform.events;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/**
 * The work of a consumer for the next events: its own writes, in the transaction that also moves its cursor. If that transaction
 * fails, the same events are handled again, so a handler must have no effect outside of the transaction.
 */
@FunctionalInterface
public interface EventHandler {

    Future<Void> handle(SqlConnection transaction, List<LoggedEvent> events);
}
