package io.arbitration.cases.sandbox;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The clocks of sandboxes in the database. Every statement is part of the transaction that sets a clock forward, under the lock
 * of its case.
 */
final class SandboxRepository {

    /** The instant up to which the events that time alone causes, such as reminders, are in the event log. */
    Future<Instant> recordedUpTo(SqlConnection transaction, CaseId caseId) {
        return Database.query(transaction, "select sandbox_told from cases.cases where case_id = $1", Tuple.of(caseId.value()),
                row -> row.getOffsetDateTime(0).toInstant()).map(List::getFirst);
    }

    /** Sets the clock forward to an instant up to which these events were recorded, and increases the revision of the case by 1. */
    Future<Void> setOn(SqlConnection transaction, CaseId caseId, Instant to) {
        return transaction.preparedQuery("""
                update cases.cases set revision = revision + 1, sandbox_now = $2, sandbox_told = $2 where case_id = $1
                """).execute(Tuple.of(caseId.value(), to.atOffset(ZoneOffset.UTC))).mapEmpty();
    }
}
