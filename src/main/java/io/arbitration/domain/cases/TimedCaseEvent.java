package io.arbitration.domain.cases;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * An event of a case that happens by itself, at its time.
 *
 * @param date the last instant at which a filing is in time
 */
public sealed interface TimedCaseEvent {

    /** When it happens, by the time of the case. */
    Instant at();

    CaseDeadline deadline();

    Instant date();

    /** The party of a deadline is reminded of it this number of days before. */
    record ReminderDue(CaseDeadline deadline, Instant date, int days) implements TimedCaseEvent {
        @Override
        public Instant at() {
            return date.minus(Duration.ofDays(days));
        }
    }

    /** @param isMet whether the document was submitted in time, and is neither withdrawn nor rejected */
    record DeadlinePassed(CaseDeadline deadline, Instant date, boolean isMet) implements TimedCaseEvent {
        @Override
        public Instant at() {
            return date;
        }
    }

    /** By time; at the same instant reminders come before deadlines that pass. */
    Comparator<TimedCaseEvent> ORDER = Comparator.comparing(TimedCaseEvent::at)
            .thenComparing(happening -> happening instanceof DeadlinePassed)
            .thenComparing(TimedCaseEvent::date)
            .thenComparing(happening -> happening.deadline().deadlineId().value());

    /**
     * The future events of a deadline of an open case, in no order. There is no reminder of a deadline that is met or belongs to
     * an earlier phase.
     *
     * @param date with extensions
     * @param reminderDays the numbers of days before the deadline on which its party is reminded
     */
    static Stream<TimedCaseEvent> of(Case of, CaseDeadline deadline, Instant date, boolean isMet, List<Integer> reminderDays) {
        boolean hasReminders = !isMet && deadline.phaseId().equals(of.phaseId());
        return Stream.concat(
                reminderDays.stream().filter(days -> hasReminders).map(days -> new ReminderDue(deadline, date, days)),
                Stream.of(new DeadlinePassed(deadline, date, isMet)));
    }
}
