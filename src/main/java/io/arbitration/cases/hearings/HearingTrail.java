package io.arbitration.cases.hearings;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Writes changed hearings with everything that records the change: notifications for the participants, an event, and a line in the audit
 * trail.
 */
final class HearingTrail {

    /** A kind of change: the kind of its event, and the action in the audit trail. */
    enum Change {
        SCHEDULED("hearing_scheduled", "hearing.scheduled"),
        CHANGED("hearing_changed", "hearing.changed"),
        CANCELLED("hearing_cancelled", "hearing.cancelled");

        private final String event;
        private final String action;

        Change(String event, String action) {
            this.event = event;
            this.action = action;
        }
    }

    private final HearingRepository hearings;
    private final EventLog eventLog;
    private final AuditTrail audit;
    private final RandomGenerator random;

    HearingTrail(HearingRepository hearings, EventLog eventLog, AuditTrail audit, RandomGenerator random) {
        this.hearings = hearings;
        this.eventLog = eventLog;
        this.audit = audit;
        this.random = random;
    }

    /**
     * Writes one changed hearing. Called in the transaction that has locked the case.
     *
     * @param now by the time of the platform
     */
    Future<Void> write(SqlConnection transaction, Case of, Hearing changed, Change change, Requester requester, Instant now) {
        return write(transaction, of, List.of(changed), change, requester, now)
                .compose(written -> hearings.queueNotifications(transaction, List.of(changed.hearingId())));
    }

    /**
     * Writes the hearings that the closing of a case cancels, in few statements. Their notifications may be many, so a later transaction
     * queues them.
     */
    Future<Void> writeClosed(SqlConnection transaction, Case of, List<Hearing> cancelled, Requester requester, Instant now) {
        return write(transaction, of, cancelled, Change.CANCELLED, requester, now).compose(written -> hearings.queueClosed(transaction, cancelled));
    }

    private Future<Void> write(SqlConnection transaction, Case of, List<Hearing> changed, Change change, Requester requester, Instant now) {
        return hearings.write(transaction, changed)
                .compose(written -> eventLog.append(transaction, changed.stream().map(hearing -> event(of, hearing, change, requester, now)).toList()))
                .compose(appended -> audit.append(transaction, changed.stream().map(hearing -> line(hearing, change, requester, now)).toList()));
    }

    private static AuditTrail.Line line(Hearing hearing, Change change, Requester requester, Instant now) {
        return new AuditTrail.Line(hearing.caseId().value(), Timestamps.milliseconds(now), requester.userId(), change.action, hearing.hearingId().toString(),
                requester.requestId(), requester.address());
    }

    private Event event(Case of, Hearing hearing, Change change, Requester requester, Instant now) {
        return new Event(Identifiers.random(random), change.event, hearing.caseId().value(), Optional.of(requester.userId()), of.clock().now(now), new JsonObject()
                .put("caseID", hearing.caseId().toString()).put("hearingID", hearing.hearingId().toString()), requester.trace(), of.clock().isSandbox());
    }
}
