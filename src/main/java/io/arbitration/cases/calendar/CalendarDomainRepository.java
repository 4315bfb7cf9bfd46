package io.arbitration.cases.calendar;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.net.URI;
import java.util.List;

/**
 * The domain in the UIDs of calendar entries. Calendars know an entry by its UID for ever, so the domain is kept in the database when a node
 * starts for the first time, and stays when the public address changes.
 */
public final class CalendarDomainRepository {

    private final Database database;

    public CalendarDomainRepository(Database database) {
        this.database = database;
    }

    /**
     * The domain that is kept.
     *
     * @param publicUrl whose host is kept where none is yet
     */
    public Future<String> kept(String publicUrl) {
        return database.update("insert into cases.calendar_domain (domain) values ($1) on conflict do nothing", Tuple.of(URI.create(publicUrl).getHost()))
                .compose(inserted -> database.query("select domain from cases.calendar_domain", Tuple.tuple(), row -> row.getString(0)))
                .map(List::getFirst);
    }
}
