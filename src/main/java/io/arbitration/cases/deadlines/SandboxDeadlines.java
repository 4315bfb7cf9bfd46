package io.arbitration.cases.deadlines;

import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.TimedCaseEvent;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/** The events of the deadlines of a sandbox when its clock is set forward. */
public final class SandboxDeadlines {

    private final DeadlineRepository repository;
    private final DeadlineStorage storage;
    private final CaseRules rules;
    private final EventLog eventLog;
    private final RandomGenerator random;

    SandboxDeadlines(DeadlineRepository repository, DeadlineStorage storage, CaseRules rules, EventLog eventLog, RandomGenerator random) {
        this.repository = repository;
        this.storage = storage;
        this.rules = rules;
        this.eventLog = eventLog;
        this.random = random;
    }

    /**
     * Finds the events after one instant and up to another, and appends those of reminders. The rule set bounds their number,
     * because it bounds what may be filed. The case is locked, so nothing else happens in it meanwhile.
     *
     * @return all events, reminders and passed deadlines, in order
     */
    public Future<List<TimedCaseEvent>> record(SqlConnection transaction, Case of, Instant after, Instant until) {
        List<Integer> days = rules.ruleSet(of.ruleSet()).reminderDays();
        Duration ahead = Duration.ofDays(days.stream().max(Integer::compare).orElse(0));
        // The deadlines of an entry that was docketed a moment ago may not be stored yet, because the consumer of the event log has not
        // read its event.
        return storage.keep(transaction, of)
                .compose(kept -> repository.between(transaction, of.caseId(), after, until.plus(ahead)))
                .compose(deadlines -> {
                    List<TimedCaseEvent> happenings = deadlines.stream()
                            .flatMap(one -> TimedCaseEvent.of(of, one.deadline(), one.current().date(), one.isMet(), days))
                            .filter(happening -> happening.at().isAfter(after) && !happening.at().isAfter(until))
                            .sorted(TimedCaseEvent.ORDER)
                            .toList();
                    return eventLog.append(transaction, happenings.stream()
                            .filter(TimedCaseEvent.ReminderDue.class::isInstance).map(TimedCaseEvent.ReminderDue.class::cast)
                            .map(reminder -> Reminders.event(reminder.deadline(), reminder.date(), reminder.days(), reminder.at(), true, random)).toList())
                            .map(happenings);
                });
    }
}
