package io.arbitration.domain.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.time.DeadlineRule.DayCount;
import io.arbitration.domain.time.DeadlineRule.Trigger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    /** A Monday in Berlin. */
    private static final Instant TRIGGER = Instant.parse("2026-11-02T09:15:00Z");
    private static final LocalDate HOLIDAY = LocalDate.parse("2026-11-16");
    private static final WorkingDays WORKING_DAYS = new WorkingDays(Set.of(HOLIDAY)::contains, Closures.NONE, "us", Optional.empty());

    private static Deadline deadline(int days, DayCount count, LateFiling late) {
        return Deadline.of(new DeadlineRule(new Trigger.PhaseStart(), new NumberOfDays.Fixed(days), count, late), TRIGGER, 21, BERLIN, WORKING_DAYS);
    }

    @Test
    void theDayOfTheTriggerDoesNotCountAndTheLastDayCountsToItsEnd() {
        Deadline deadline = deadline(1, DayCount.CALENDAR_DAYS, LateFiling.REFUSE);
        assertThat(deadline.rawDate()).isEqualTo(LocalDate.parse("2026-11-03"));
        assertThat(deadline.date()).isEqualTo(Instant.parse("2026-11-03T22:59:59.999Z"));
        assertThat(deadline.isPast(deadline.date())).isFalse();
        assertThat(deadline.isPast(deadline.date().plusMillis(1))).isTrue();
    }

    @Test
    void aLastDayThatIsADayOffRollsToTheNextWorkingDay() {
        Deadline deadline = deadline(12, DayCount.CALENDAR_DAYS, LateFiling.REFUSE);
        assertThat(deadline.rawDate()).as("a Saturday; Monday is a holiday").isEqualTo(LocalDate.parse("2026-11-14"));
        assertThat(deadline.rolledDate()).isEqualTo(LocalDate.parse("2026-11-17"));
    }

    @Test
    void workingDaysLeaveDaysOffOut() {
        assertThat(deadline(10, DayCount.WORKING_DAYS, LateFiling.REFUSE).rolledDate()).isEqualTo(LocalDate.parse("2026-11-17"));
    }

    @Test
    void onlyARuleThatRefusesLateFilingsRefusesThem() {
        Instant after = Instant.parse("2026-12-31T00:00:00Z");
        assertThat(deadline(1, DayCount.CALENDAR_DAYS, LateFiling.REFUSE).refuses(after)).isTrue();
        assertThat(deadline(1, DayCount.CALENDAR_DAYS, LateFiling.MARK).refuses(after)).isFalse();
        assertThat(deadline(1, DayCount.CALENDAR_DAYS, LateFiling.MARK).isPast(after)).isTrue();
    }

    @Test
    void theCaseMayHaveChosenTheDays() {
        DeadlineRule rule = new DeadlineRule(new Trigger.DocumentDocketed(new DocumentTypeId("claim")), new NumberOfDays.ResponseDeadline(),
                DayCount.CALENDAR_DAYS, LateFiling.MARK);
        Deadline deadline = Deadline.of(rule, TRIGGER, 7, BERLIN, WORKING_DAYS);
        assertThat(deadline.rawDate()).isEqualTo(LocalDate.parse("2026-11-09"));
        assertThat(deadline.rule()).isEqualTo("7 calendar days from the docketing of claim");
    }

    @Test
    void aDayEndsWhenTheNextBeginsAlsoWhereClocksChangeAtMidnight() {
        assertThat(Deadline.endOfDay(LocalDate.parse("2026-04-23"), ZoneId.of("Africa/Cairo"))).isEqualTo(Instant.parse("2026-04-23T21:59:59.999Z"));
        assertThat(Deadline.endOfDay(LocalDate.parse("2026-10-25"), BERLIN)).isEqualTo(Instant.parse("2026-10-25T22:59:59.999Z"));
    }
}
