package io.arbitration.alerts;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import java.util.UUID;

/** The table {@code alerts.preferences}: a row for each user who ever changed one. */
final class PreferencesRepository {

    private final Database database;

    PreferencesRepository(Database database) {
        this.database = database;
    }

    Future<Optional<Preferences>> find(UUID userId) {
        return database.query("""
                select docket_filings, case_created from alerts.preferences where user_id = $1
                """, Tuple.of(userId), row -> new Preferences(row.getBoolean("docket_filings"), row.getBoolean("case_created")))
                .map(rows -> rows.stream().findFirst());
    }

    /** Absent values keep what is stored; where nothing is, they are the usual ones. One statement, so that two updates at once lose nothing. */
    Future<Void> update(UUID userId, Optional<Boolean> docketFilings, Optional<Boolean> caseCreated, Preferences usual) {
        return database.update("""
                insert into alerts.preferences as p (user_id, docket_filings, case_created)
                values ($1, coalesce($2::boolean, $4), coalesce($3::boolean, $5))
                on conflict (user_id) do update
                set docket_filings = coalesce($2, p.docket_filings), case_created = coalesce($3, p.case_created)
                """, Tuple.of(userId, docketFilings.orElse(null), caseCreated.orElse(null),
                        usual.docketFilings(), usual.caseCreated())).mapEmpty();
    }
}
