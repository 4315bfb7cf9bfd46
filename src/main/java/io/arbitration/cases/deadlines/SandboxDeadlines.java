package io.arbitration.cases.deadlines;

import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Happening;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/** What happens with the deadlines of a sandbox when its clock is set forward. */
public final class SandboxDeadlines {

    private final DeadlineRepository repository;
    private final DeadlineKeeper keeper;
    private final CaseRules rules;
    private final EventLog eventLog;
    private final RandomGenerator random;

    SandboxDeadlines(DeadlineRepository repository, DeadlineKeeper keeper, CaseRules rules, EventLog eventLog, RandomGenerator random) {
        this.repository = repository;
        this.keeper = keeper;
        this.rules = rules;
        this.eventLog = eventLog;
        this.random = random;
    }

    /**
     * Finds what happens after one instant and up to another, and appends the events of the reminders among it. The rule set bounds how
     * many there are, because it bounds what may be filed. The case is locked, so nothing else happens in it meanwhile.
     *
     * @return everything that happens, reminders and passed deadlines, in its order
     */
    public Future<List<Happening>> record(SqlConnection transaction, Case of, Instant after, Instant until) {
        List<Integer> days = rules.ruleSet(of.ruleSet()).reminderDays();
        Duration ahead = Duration.ofDays(days.stream().max(Integer::compare).orElse(0));
        // The deadlines of an entry that was docketed a moment ago may not be stored yet, because the consumer of the event log has not
        // read its event.
        return keeper.keep(transaction, of)
                .compose(kept -> repository.between(transaction, of.caseId(), after, until.plus(ahead)))
                .compose(deadlines -> {
                    List<Happening> happenings = deadlines.stream()
                            .flatMap(one -> Happening.of(of, one.deadline(), one.current().date(), one.isMet(), days))
                            .filter(happening -> happening.at().isAfter(after) && !happening.at().isAfter(until))
                            .sorted(Happening.ORDER)
                            .toList();
                    return eventLog.append(transaction, happenings.stream()
                            .filter(Happening.ReminderDue.class::isInstance).map(Happening.ReminderDue.class::cast)
                            .map(reminder -> Reminders.event(reminder.deadline(), reminder.date(), reminder.days(), reminder.at(), true, random)).toList())
                            .map(happenings);
                });
    }
}
