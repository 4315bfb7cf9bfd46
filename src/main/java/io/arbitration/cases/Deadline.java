package io.arbitration.cases;

import io.arbitration.cases.definitions.DeadlineRule;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.LocalDate;

/**
 * A deadline and how it came about.
 *
 * @param rule       the rule in words, such as {@code 21 calendar days from the start of the phase}
 * @param trigger    the instant from which it counts
 * @param rawDate    the day by the count alone, in the time zone of the rule set
 * @param rolledDate the last day: the raw one, or the next working day after it
 * @param date       the last millisecond of the rolled day; what comes after it is late
 * @param late       what happens to a filing that is late
 */
public record Deadline(
        String rule, Instant trigger, LocalDate rawDate, LocalDate rolledDate, Instant date, DeadlineRule.Late late) {

    /** Whether a filing made then is refused; one that is only late is marked. */
    public boolean refuses(Instant then) {
        return late == DeadlineRule.Late.REFUSE && then.isAfter(date);
    }

    /** As {@code /cases/actions} and {@code /filings/documents/check} show it. */
    public JsonObject json() {
        return new JsonObject()
                .put("date", Timestamps.text(date))
                .put("rule", rule)
                .put("trigger", Timestamps.text(trigger))
                .put("rawDate", rawDate.toString())
                .put("rolledDate", rolledDate.toString());
    }
}
