package io.arbitration.cases.hearings;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Case;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;

/**
 * Notifies a person who joins a case of its future hearings, and a person who leaves it that the hearings take place without that
 * person.
 */
public final class HearingAttendance {

    private final HearingRepository hearings;

    public HearingAttendance(Database database) {
        hearings = new HearingRepository(database);
    }

    /** Called in the transaction that adds a participant; the case is locked. */
    public Future<Void> joined(SqlConnection transaction, Case of, UserId userId, Instant now) {
        return hearings.queueJoined(transaction, of.caseId(), userId, of.clock().now(now));
    }

    /** Called in the transaction that removes a participant; the case is locked. */
    public Future<Void> left(SqlConnection transaction, Case of, UserId userId, Instant now) {
        return hearings.queueLeft(transaction, of.caseId(), userId, of.clock().now(now));
    }
}
