package io.arbitration.domain.time;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.time.DeadlineRule.Trigger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A deadline and its explanation.
 *
 * @param rule the rule in words, such as {@code 21 calendar days from the start of the phase}, and whose working days count
 *                    unless only the calendar of the rule set counts
 * @param trigger the instant from which it counts
 * @param rawDate the day by counting alone, in the time zone of the rule set
 * @param rolledDate the last day: the raw one, or the next working day after it
 * @param date the last instant in time: the last millisecond of the rolled day, or the instant to which it was extended
 * @param late the consequence for a late filing
 * @param extendedFrom the date before the extension; empty if it was not extended
 */
public record Deadline(
        String rule, Instant trigger, LocalDate rawDate, LocalDate rolledDate, Instant date, LateFiling late, Optional<Instant> extendedFrom) {

    /**
     * The deadline by a rule.
     *
     * @param trigger when the trigger of the rule happened
     * @param responseDeadlineDays the number that the case has chosen
     * @param zone in which days begin and end
     */
    public static Deadline of(DeadlineRule rule, Instant trigger, int responseDeadlineDays, ZoneId zone, WorkingDays workingDays) {
        LocalDate from = LocalDate.ofInstant(trigger, zone);
        int days = rule.days().in(responseDeadlineDays);
        LocalDate raw = switch (rule.calendar()) {
            case CALENDAR_DAYS -> from.plusDays(days);
            case WORKING_DAYS -> workingDays.after(from, days);
        };
        LocalDate rolled = workingDays.orNext(raw);
        return new Deadline(words(rule, days) + workingDays.words().map("; "::concat).orElse(""), trigger, raw, rolled, endOfDay(rolled, zone), rule.late(), Optional.empty());
    }

    /** The same deadline, extended to a later instant. */
    public Deadline extendedTo(Instant until) {
        return new Deadline(rule, trigger, rawDate, rolledDate, until, late, Optional.of(extendedFrom.orElse(date)));
    }

    /** The last millisecond of that day in the zone. A day has 23 or 25 hours when clocks change. */
    public static Instant endOfDay(LocalDate day, ZoneId zone) {
        return day.plusDays(1).atStartOfDay(zone).toInstant().minusMillis(1);
    }

    /** Whether a filing at that time is late. */
    public boolean isPast(Instant then) {
        return then.isAfter(date);
    }

    /** Whether a filing at that time is refused, and not only marked as late. */
    public boolean refuses(Instant then) {
        return late == LateFiling.REFUSE && isPast(then);
    }

    private static String words(DeadlineRule rule, int days) {
        String kind = switch (rule.calendar()) {
            case CALENDAR_DAYS -> "calendar";
            case WORKING_DAYS -> "working";
        };
        String from = switch (rule.trigger()) {
            case Trigger.PhaseStart() -> "the start of the phase";
            case Trigger.CaseCreated() -> "the creation of the case";
            case Trigger.DocumentDocketed(DocumentTypeId documentId) -> "the docketing of " + documentId;
        };
        return "%d %s %s from %s".formatted(days, kind, days == 1 ? "day" : "days", from);
    }
}
