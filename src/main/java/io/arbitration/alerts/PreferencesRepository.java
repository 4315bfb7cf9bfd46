package io.arbitration.alerts;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
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
                select docket_filings, case_created, approvals, decisions, deadlines, hearings, invitations
                from alerts.preferences where user_id = $1
                """, Tuple.of(userId), row -> new Preferences(row.getBoolean(0), row.getBoolean(1), row.getBoolean(2), row.getBoolean(3),
                        row.getBoolean(4), row.getBoolean(5), row.getBoolean(6)))
                .map(Database::first);
    }

    /** Absent values keep what is stored; where nothing is, they are true. One statement, so that two updates at once lose nothing. */
    Future<Void> update(UUID userId, PreferenceChange change) {
        return database.update("""
                insert into alerts.preferences as p (user_id, docket_filings, case_created, approvals, decisions, deadlines, hearings, invitations)
                values ($1, coalesce($2::boolean, true), coalesce($3::boolean, true), coalesce($4::boolean, true), coalesce($5::boolean, true),
                        coalesce($6::boolean, true), coalesce($7::boolean, true), coalesce($8::boolean, true))
                on conflict (user_id) do update
                set docket_filings = coalesce($2, p.docket_filings), case_created = coalesce($3, p.case_created),
                    approvals = coalesce($4, p.approvals), decisions = coalesce($5, p.decisions), deadlines = coalesce($6, p.deadlines),
                    hearings = coalesce($7, p.hearings), invitations = coalesce($8, p.invitations)
                """, Tuple.from(Arrays.asList(userId, change.docketFilings().orElse(null), change.caseCreated().orElse(null),
                        change.approvals().orElse(null), change.decisions().orElse(null), change.deadlines().orElse(null),
                        change.hearings().orElse(null), change.invitations().orElse(null)))).mapEmpty();
    }
}
