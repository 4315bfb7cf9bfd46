package io.arbitration.webhooks;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What each organization was to be told, in order. */
final class FeedRepository {

    /** @param envelope JSON text, as it was sent to the URLs */
    record Told(long position, String envelope) {}

    private final Database database;

    FeedRepository(Database database) {
        this.database = database;
    }

    Future<List<Told>> after(UUID organizationId, long position, Optional<String> event, int limit) {
        Tuple values = Tuple.of(organizationId, position, limit);
        event.ifPresent(values::addString);
        return database.query("""
                select f.position, e.envelope
                from webhooks.feed f join platform_api.events e on e.sequence = f.sequence
                where f.organization_id = $1 and f.position > $2 %s
                order by f.position limit $3
                """.formatted(event.isPresent() ? "and f.event = $4" : ""), values, row -> new Told(row.getLong(0), row.getString(1)));
    }
}
