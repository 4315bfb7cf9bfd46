package io.arbitration.cases.hearings;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.HearingRules;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * When a case is closed, its future hearings are cancelled: nobody could cancel them later, and they would stay in people's
 * calendars.
 */
public final class HearingClosing {

    private final HearingRepository hearings;
    private final HearingTrail trail;

    public HearingClosing(Database database, EventLog eventLog, AuditTrail audit, RandomGenerator random) {
        hearings = new HearingRepository(database);
        trail = new HearingTrail(hearings, eventLog, audit, random);
    }

    /**
     * Cancels the future hearings, in the transaction that closes the case; the case is locked.
     *
     * @param reason of the closing, which becomes that of each cancellation
     * @param now by the time of the platform
     */
    public Future<Void> closed(SqlConnection transaction, Case of, String reason, Requester requester, Instant now) {
        Instant at = of.clock().now(now);
        return hearings.scheduledAfter(transaction, of.caseId(), at).compose(coming -> coming.isEmpty() ? Future.succeededFuture()
                : trail.writeClosed(transaction, of,
                        coming.stream().map(hearing -> HearingRules.cancelledByClosing(hearing, new UserId(requester.userId()), reason, at)).toList(), requester, now));
    }
}
