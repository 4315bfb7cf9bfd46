package io.arbitration.cases.calendar;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.net.URI;
import java.util.List;

/**
 * The domain in the UIDs of calendar entries. Calendars identify an entry by its UID, so the domain must not change when the public URL
 * changes. The first node stores it in the database.
 */
public final class CalendarDomainRepository {

    private final Database database;

    public CalendarDomainRepository(Database database) {
        this.database = database;
    }

    /**
     * The stored domain.
     *
     * @param publicUrl its host is stored if there is none yet
     */
    public Future<String> kept(String publicUrl) {
        return database.update("insert into cases.calendar_domain (domain) values ($1) on conflict do nothing", Tuple.of(URI.create(publicUrl).getHost()))
                .compose(inserted -> database.query("select domain from cases.calendar_domain", Tuple.tuple(), row -> row.getString(0)))
                .map(List::getFirst);
    }
}
