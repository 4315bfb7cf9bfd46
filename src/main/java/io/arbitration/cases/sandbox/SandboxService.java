package io.arbitration.cases.sandbox;

import io.arbitration.cases.CaseChanges;
import io.arbitration.cases.deadlines.SandboxDeadlines;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.SandboxRules;
import io.arbitration.domain.cases.TimedCaseEvent;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Sets the clock of a sandbox forward. All events that the passing of that time causes are recorded in the transaction that moves
 * the clock, under the lock of the case. So of two simultaneous requests the second continues where the first ended, and a crash
 * changes nothing.
 */
final class SandboxService {

    private final Database database;
    private final SandboxRepository repository;
    private final CaseChanges cases;
    private final SandboxDeadlines deadlines;
    private final AuditTrail audit;
    private final SandboxSettings settings;
    private final Clock clock;

    SandboxService(Database database, SandboxRepository repository, CaseChanges cases, SandboxDeadlines deadlines, AuditTrail audit, SandboxSettings settings,
            Clock clock) {
        this.database = database;
        this.repository = repository;
        this.cases = cases;
        this.deadlines = deadlines;
        this.audit = audit;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * The result of setting the clock forward.
     *
     * @param fired the events of the time that passed, in order
     * @param revision of the case
     */
    record SetOn(Instant now, List<TimedCaseEvent> fired, long revision) {}

    Future<SetOn> setOn(Optional<CaseId> caseId, Instant to, OptionalLong expectedRevision, Requester requester) {
        if (!settings.enabled()) {
            throw SandboxError.NOT_ENABLED.refusal();
        }
        CaseId id = caseId.orElseThrow(cases::caseNotFound);
        return database.transaction(requester.key(), transaction -> cases.locked(transaction, id).compose(of -> {
            SandboxRules.refuses(of, to, expectedRevision, CaseChanges.caseUser(requester)).ifPresent(reason -> {
                throw SandboxError.refusal(reason, of);
            });
            return setOn(transaction, of, to, requester);
        }));
    }

    private Future<SetOn> setOn(SqlConnection transaction, Case of, Instant to, Requester requester) {
        AuditTrail.Line line = new AuditTrail.Line(of.caseId().value(), Timestamps.milliseconds(clock.instant()), requester.userId(),
                "sandbox.clock-advanced", Timestamps.text(to), requester.requestId(), requester.address());
        return repository.recordedUpTo(transaction, of.caseId())
                .compose(recordedUpTo -> deadlines.record(transaction, of, recordedUpTo, to))
                .compose(fired -> repository.setOn(transaction, of.caseId(), to)
                        .compose(moved -> audit.append(transaction, List.of(line)))
                        .map(recorded -> new SetOn(to, fired, of.revision() + 1)));
    }
}
