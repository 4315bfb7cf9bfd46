package io.arbitration.alerts;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;

/** Alerts that have ended, until they are removed. */
final class AlertHistoryRepository {

    private static final int DELETED_MAX = 5000;

    private final Database database;

    AlertHistoryRepository(Database database) {
        this.database = database;
    }

    /** Deletes the oldest alerts that have ended and are older than the history, and the counts of past days. Answers how many alerts it deleted. */
    Future<Integer> deleteExpired(Duration history) {
        return database.update("""
                delete from alerts.emails_of_day where ctid = any (array(
                  select ctid from alerts.emails_of_day where day < (now() at time zone 'utc')::date limit %d))
                """.formatted(DELETED_MAX), Tuple.tuple()).compose(days -> database.update("""
                delete from alerts.alerts where alert_id = any (array(
                  select alert_id from (select alert_id, state, created from alerts.alerts order by alert_id limit %d) oldest
                  where state <> 'pending' and created < now() - $1::bigint * interval '1 second'))
                """.formatted(DELETED_MAX), Tuple.of(history.toSeconds())));
    }
}
