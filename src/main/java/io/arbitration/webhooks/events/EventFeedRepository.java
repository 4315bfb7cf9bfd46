package io.arbitration.webhooks.events;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The events that concern an organization, in the order in which they were added to its feed. */
public final class EventFeedRepository {

    /**
     * @param envelope JSON text, as it is sent to URLs
     * @param inSandbox whether it happened in a case that runs by a clock of its own
     */
    record FeedEvent(long position, String envelope, boolean inSandbox) {}

    private final Database database;

    public EventFeedRepository(Database database) {
        this.database = database;
    }

    Future<List<FeedEvent>> after(UUID organizationId, long position, Optional<String> event, int limit) {
        Tuple values = Tuple.of(organizationId, position, limit);
        event.ifPresent(values::addString);
        return database.query("""
                select f.position, e.envelope, e.sandbox
                from webhooks.feed f join platform_api.events e on e.sequence = f.sequence
                where f.organization_id = $1 and f.position > $2 %s
                order by f.position limit $3
                """.formatted(event.isPresent() ? "and f.event = $4" : ""), values, row -> new FeedEvent(row.getLong(0), row.getString(1), row.getBoolean(2)));
    }
}
