package io.arbitration.domain.cases;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Something that happens in a case by itself, at its time.
 *
 * @param date the last instant at which a filing is in time
 */
public sealed interface Happening {

    /** When it happens, by the time of the case. */
    Instant at();

    CaseDeadline deadline();

    Instant date();

    /** The party of a deadline is reminded of it, so many days before. */
    record ReminderDue(CaseDeadline deadline, Instant date, int days) implements Happening {
        @Override
        public Instant at() {
            return date.minus(Duration.ofDays(days));
        }
    }

    /** @param isMet whether the document was submitted in time, and is neither withdrawn nor rejected */
    record DeadlinePassed(CaseDeadline deadline, Instant date, boolean isMet) implements Happening {
        @Override
        public Instant at() {
            return date;
        }
    }

    /** What comes first is told first; at one instant reminders before what passes. */
    Comparator<Happening> ORDER = Comparator.comparing(Happening::at)
            .thenComparing(happening -> happening instanceof DeadlinePassed)
            .thenComparing(Happening::date)
            .thenComparing(happening -> happening.deadline().deadlineId().value());

    /**
     * What happens with a deadline of an open case as it is, in no order. Nobody is reminded of one that is met, or of an earlier phase.
     *
     * @param date         with what was granted
     * @param reminderDays how many days before it its party is reminded
     */
    static Stream<Happening> of(Case of, CaseDeadline deadline, Instant date, boolean isMet, List<Integer> reminderDays) {
        boolean isTold = !isMet && deadline.phaseId().equals(of.phaseId());
        return Stream.concat(
                reminderDays.stream().filter(days -> isTold).map(days -> new ReminderDue(deadline, date, days)),
                Stream.of(new DeadlinePassed(deadline, date, isMet)));
    }
}
