package io.arbitration.cases.hearings;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Case;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;

/** Who joins a case is invited to the hearings that are to come, and who leaves it is told that they are no longer its own. */
public final class HearingAttendance {

    private final HearingRepository hearings;

    public HearingAttendance(Database database) {
        hearings = new HearingRepository(database);
    }

    /** In the transaction in which somebody becomes a participant; the case is locked. */
    public Future<Void> joined(SqlConnection transaction, Case of, UserId userId, Instant now) {
        return hearings.queueJoined(transaction, of.caseId(), userId, of.clock().now(now));
    }

    /** In the transaction in which somebody is removed; the case is locked. */
    public Future<Void> left(SqlConnection transaction, Case of, UserId userId, Instant now) {
        return hearings.queueLeft(transaction, of.caseId(), userId, of.clock().now(now));
    }
}
