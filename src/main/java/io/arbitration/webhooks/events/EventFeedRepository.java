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

    /** Which events, as a caller asks for them: those after a position, oldest first, or those before it, newest first. */
    sealed interface Side {

        long position();

        record After(long position) implements Side {}

        record Before(long position) implements Side {}
    }

    private final Database database;

    public EventFeedRepository(Database database) {
        this.database = database;
    }

    Future<List<FeedEvent>> list(UUID organizationId, Side side, Optional<String> event, int limit) {
        Tuple values = Tuple.of(organizationId, side.position(), limit);
        event.ifPresent(values::addString);
        String compared = switch (side) {
            case Side.After after -> ">";
            case Side.Before before -> "<";
        };
        String order = switch (side) {
            case Side.After after -> "asc";
            case Side.Before before -> "desc";
        };
        return database.query("""
                select f.position, e.envelope, e.sandbox
                from webhooks.feed f join platform_api.events e on e.sequence = f.sequence
                where f.organization_id = $1 and f.position %s $2 %s
                order by f.position %s limit $3
                """.formatted(compared, event.isPresent() ? "and f.event = $4" : "", order), values, row -> new FeedEvent(row.getLong(0), row.getString(1), row.getBoolean(2)));
    }
}
