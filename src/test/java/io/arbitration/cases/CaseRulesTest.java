package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.cases.definitions.JollydayCalendars;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.cases.ScheduledDates;
import io.arbitration.domain.cases.ScheduledPhase;
import io.arbitration.domain.time.Closures;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.DeadlineRule;
import io.arbitration.domain.time.DeadlineRule.DayCount;
import io.arbitration.domain.time.DeadlineRule.Trigger;
import io.arbitration.domain.time.LateFiling;
import io.arbitration.domain.time.NumberOfDays;
import io.arbitration.platform.answer.DeadlineJson;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaseRulesTest {

    private static final Definitions SHIPPED = DefinitionsLoader.load(Path.of("conf/definitions"));
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-02T09:15:00Z"), ZoneOffset.UTC);

    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, de, 2026-11-02T09:15:00Z, 12, 2026-11-14, 2026-11-16, 2026-11-16T22:59:59.999Z, over a weekend",
        "Europe/Berlin, de, 2026-11-02T09:15:00Z, 14, 2026-11-16, 2026-11-16, 2026-11-16T22:59:59.999Z, a working day stays",
        "Europe/Berlin, de, 2026-12-18T09:00:00Z, 7, 2026-12-25, 2026-12-28, 2026-12-28T22:59:59.999Z, over Christmas and a weekend",
        "Europe/Berlin, de, 2026-03-20T09:00:00Z, 14, 2026-04-03, 2026-04-07, 2026-04-07T21:59:59.999Z, over Easter",
        "Europe/Berlin, de, 2026-12-18T09:00:00Z, 14, 2027-01-01, 2027-01-04, 2027-01-04T22:59:59.999Z, into the next year",
        "America/New_York, us, 2027-12-21T15:00:00Z, 10, 2027-12-31, 2028-01-03, 2028-01-04T04:59:59.999Z, over New Year's Day kept early",
        "Europe/Berlin, de, 2026-03-20T09:00:00Z, 7, 2026-03-27, 2026-03-27, 2026-03-27T22:59:59.999Z, before the clocks go forward",
        "Europe/Berlin, de, 2026-03-20T09:00:00Z, 10, 2026-03-30, 2026-03-30, 2026-03-30T21:59:59.999Z, after they did",
        "Europe/Berlin, de, 2026-10-19T09:00:00Z, 7, 2026-10-26, 2026-10-26, 2026-10-26T22:59:59.999Z, after they went back",
        "Africa/Cairo, us, 2026-04-16T09:00:00Z, 7, 2026-04-23, 2026-04-23, 2026-04-23T21:59:59.999Z, the next day begins at one o'clock",
        "Europe/Berlin, de, 2026-11-02T23:30:00Z, 1, 2026-11-04, 2026-11-04, 2026-11-04T22:59:59.999Z, it is the next day there already",
        "America/New_York, us, 2026-07-01T03:30:00Z, 1, 2026-07-01, 2026-07-01, 2026-07-02T03:59:59.999Z, it is still the day before there"})
    void aDeadlineInCalendarDaysRollsToTheNextWorkingDayAndLastsUntilItsEnd(
            ZoneId zone, String calendar, Instant start, int days, LocalDate raw, LocalDate rolled, Instant date, String why) {
        CaseRules rules = rules(zone, calendar, rule(new Trigger.PhaseStart(), days, DayCount.CALENDAR_DAYS));

        Deadline deadline = deadline(rules, start).orElseThrow();

        assertThat(deadline.rawDate()).as(why).isEqualTo(raw);
        assertThat(deadline.rolledDate()).as(why).isEqualTo(rolled);
        assertThat(deadline.date()).as(why).isEqualTo(date);
        assertThat(deadline.trigger()).isEqualTo(start);
    }

    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, de, 2026-12-23T09:00:00Z, 2, 2026-12-28, Christmas and a weekend between",
        "Europe/Berlin, de, 2026-12-31T09:00:00Z, 1, 2027-01-04, New Year's Day and a weekend between",
        "Europe/Berlin, de, 2026-11-07T09:00:00Z, 1, 2026-11-09, begun on a Saturday",
        "America/New_York, us, 2026-11-20T15:00:00Z, 10, 2026-12-07, Thanksgiving between",
        "America/New_York, us, 2027-12-30T15:00:00Z, 1, 2028-01-03, New Year's Day kept early"})
    void aDeadlineInWorkingDaysCountsNoDayOff(ZoneId zone, String calendar, Instant start, int days, LocalDate last, String why) {
        CaseRules rules = rules(zone, calendar, rule(new Trigger.PhaseStart(), days, DayCount.WORKING_DAYS));

        Deadline deadline = deadline(rules, start).orElseThrow();

        assertThat(deadline.rawDate()).as(why).isEqualTo(last);
        assertThat(deadline.rolledDate()).as(why).isEqualTo(last);
    }

    @Test
    void aDeadlineSaysItsRuleInWords() {
        Instant start = Instant.parse("2026-11-02T09:15:00Z");
        ZoneId zone = ZoneId.of("Europe/Berlin");
        assertThat(deadline(rules(zone, "de", rule(new Trigger.PhaseStart(), 12, DayCount.CALENDAR_DAYS)), start))
                .hasValueSatisfying(deadline -> assertThat(DeadlineJson.of(deadline).encode()).isEqualTo("""
                        {"date":"2026-11-16T22:59:59.999Z","rule":"12 calendar days from the start of the phase",\
                        "trigger":"2026-11-02T09:15:00.000Z","rawDate":"2026-11-14","rolledDate":"2026-11-16"}"""));
        assertThat(deadline(rules(zone, "de", rule(new Trigger.CaseCreated(), 1, DayCount.WORKING_DAYS)), start))
                .hasValueSatisfying(deadline -> assertThat(deadline.rule()).isEqualTo("1 working day from the creation of the case"));
    }

    @Test
    void aDeadlineFromADocumentRunsOnlyOnceThatIsDocketed() {
        CaseRules rules = rules(ZoneId.of("Europe/Berlin"), "de",
                rule(new Trigger.DocumentDocketed(new DocumentTypeId("counterclaim")), 7, DayCount.CALENDAR_DAYS));
        Instant start = Instant.parse("2026-11-02T09:15:00Z");

        assertThat(deadline(rules, start, docketed(1, "motion", start))).isEmpty();
        assertThat(deadline(rules, start, docketed(1, "counterclaim", Instant.parse("2026-11-10T12:00:00Z"))))
                .hasValueSatisfying(deadline -> {
                    assertThat(deadline.rule()).isEqualTo("7 calendar days from the docketing of counterclaim");
                    assertThat(deadline.rolledDate()).isEqualTo(LocalDate.parse("2026-11-17"));
                });
    }

    /** As the list shows them: a deadline for each entry. A filing is in time as long as one of them is to come. */
    @Test
    void ofSeveralDeadlinesForADocumentTheLatestCountsWithWhatWasGrantedForItsEntry() {
        CaseRules rules = rules(ZoneId.of("Europe/Berlin"), "de",
                rule(new Trigger.DocumentDocketed(new DocumentTypeId("counterclaim")), 7, DayCount.CALENDAR_DAYS));
        Instant start = Instant.parse("2026-11-02T09:15:00Z");
        TriggeringEntry first = docketed(1, "counterclaim", Instant.parse("2026-11-10T12:00:00Z"));
        TriggeringEntry second = docketed(2, "counterclaim", Instant.parse("2026-11-12T12:00:00Z"));
        Instant granted = Instant.parse("2026-12-24T12:00:00Z");

        assertThat(deadline(rules, start, second, first).orElseThrow().trigger()).as("of the newest entry").isEqualTo(second.enteredAt());
        Deadline extended = deadline(rules, start, Map.of(key(first), granted), first, second).orElseThrow();
        assertThat(extended.date()).as("extended beyond that of the newest entry").isEqualTo(granted);
        assertThat(extended.extendedFrom()).contains(Instant.parse("2026-11-17T22:59:59.999Z"));
        TriggeringEntry atTheSameTime = docketed(3, "counterclaim", second.enteredAt());
        assertThat(deadline(rules, start, Map.of(key(second), granted), atTheSameTime).orElseThrow().date())
                .as("what was granted for another entry of the same time, as in a sandbox").isEqualTo(Instant.parse("2026-11-19T22:59:59.999Z"));
        assertThat(deadline(rules, start, Map.of(key(second), second.enteredAt().plusSeconds(1)), second).orElseThrow().extendedFrom())
                .as("what was granted in a phase whose rule gives less time takes none away").isEmpty();
    }

    private static CaseDates.Extended key(TriggeringEntry entry) {
        return new CaseDates.Extended(new DocumentTypeId("motion"), new PartyId("claimant"), Optional.of(entry.entryId()), entry.enteredAt());
    }

    private static TriggeringEntry docketed(long entryId, String documentId, Instant at) {
        return new TriggeringEntry(new EntryId(entryId), new DocumentTypeId(documentId), at);
    }

    @Test
    void theDaysThatTheCaseChoseCountInItsDeadlines() {
        CaseRules rules = CaseRules.of(SHIPPED, JollydayCalendars.computedFrom(CLOCK));
        Instant start = Instant.parse("2026-11-02T09:15:00Z");
        MatrixEntry answer = rules.entry("expedited", new PhaseId("response"), new DocumentTypeId("answer"), new PartyId("respondent")).orElseThrow();

        assertThat(rules.deadline("expedited", answer, new PartyId("respondent"), dates(30, Map.of(new PhaseId("response"), start))).orElseThrow().rolledDate())
                .isEqualTo(LocalDate.parse("2026-12-02"));
        assertThat(rules.deadline("expedited", answer, new PartyId("respondent"), dates(7, Map.of(new PhaseId("response"), start))).orElseThrow().rolledDate())
                .isEqualTo(LocalDate.parse("2026-11-09"));
        assertThat(rules.deadline("expedited", answer, new PartyId("respondent"), dates(7, Map.of()))).as("before the phase begins").isEmpty();
    }

    @Test
    void aPhaseThatHasNotBegunStartsWhenTheOneBeforeIsToEnd() {
        List<ScheduledDates> schedule = CaseRules.of(SHIPPED, JollydayCalendars.computedFrom(CLOCK)).schedule("expedited", new PhaseId("caseInitiation"), true,
                dates(14, Map.of(new PhaseId("caseInitiation"), Instant.parse("2026-11-02T09:15:00Z"))));

        assertThat(schedule).extracting(ScheduledDates::phaseId).containsExactlyElementsOf(
                SHIPPED.phases().stream().map(phase -> phase.id()).toList());
        assertThat(schedule.get(0).end()).contains(Instant.parse("2026-11-09T22:59:59.999Z"));
        assertThat(schedule.get(0).filingDeadline()).as("the claim is due 14 days from the creation of the case")
                .contains(Instant.parse("2026-11-16T22:59:59.999Z"));
        assertThat(schedule.get(1).start()).contains(Instant.parse("2026-11-09T23:00:00Z"));
        assertThat(schedule.get(1).end()).as("the fifth day is a Sunday").contains(Instant.parse("2026-11-16T22:59:59.999Z"));
        assertThat(schedule.get(1).filingDeadline()).as("the fee is due on the third working day").contains(Instant.parse("2026-11-13T22:59:59.999Z"));
        assertThat(schedule.get(4).filingDeadline()).as("no required document has a deadline").isEqualTo(schedule.get(4).end());
        for (int at = 1; at < schedule.size(); at++) {
            assertThat(schedule.get(at).start()).contains(schedule.get(at - 1).end().orElseThrow().plusMillis(1));
        }
    }

    @Test
    void aSkippedPhaseHasNoDatesAndTheOnesBehindItFollowTheOneThatBegan() {
        List<ScheduledDates> schedule = CaseRules.of(SHIPPED, JollydayCalendars.computedFrom(CLOCK)).schedule("expedited", new PhaseId("response"), true, dates(14, Map.of(
                new PhaseId("caseInitiation"), Instant.parse("2026-11-02T09:15:00Z"), new PhaseId("response"), Instant.parse("2026-11-03T09:15:00Z"))));

        assertThat(schedule.get(1)).isEqualTo(new ScheduledDates(new PhaseId("caseFiling"), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(schedule.get(2).start()).contains(Instant.parse("2026-11-03T09:15:00Z"));
        assertThat(schedule.get(2).end()).contains(Instant.parse("2026-11-17T22:59:59.999Z"));
        assertThat(schedule.get(3).start()).contains(Instant.parse("2026-11-17T23:00:00Z"));
    }

    @Test
    void aClosedCaseHasNoFurtherPhases() {
        List<ScheduledDates> schedule = CaseRules.of(SHIPPED, JollydayCalendars.computedFrom(CLOCK)).schedule("expedited", new PhaseId("caseInitiation"), false,
                dates(14, Map.of(new PhaseId("caseInitiation"), Instant.parse("2026-11-02T09:15:00Z"))));

        assertThat(schedule.get(0).end()).isPresent();
        assertThat(schedule.subList(1, schedule.size())).allSatisfy(phase -> assertThat(phase.start()).isEmpty());
    }

    @Test
    void aScheduleFollowsTheDocketOnlyWhereARequiredDocumentIsDueFromIt() {
        DeadlineRule fromDocket = rule(new Trigger.DocumentDocketed(new DocumentTypeId("counterclaim")), 7, DayCount.CALENDAR_DAYS);
        assertThat(rules(ZoneId.of("UTC"), "us", fromDocket).scheduleFollowsDocket("test")).isTrue();
        assertThat(CaseRules.of(SHIPPED, JollydayCalendars.computedFrom(CLOCK)).scheduleFollowsDocket("expedited")).isFalse();
    }

    private static Optional<Deadline> deadline(CaseRules rules, Instant start, TriggeringEntry... docketed) {
        return deadline(rules, start, Map.of(), docketed);
    }

    private static Optional<Deadline> deadline(CaseRules rules, Instant start, Map<CaseDates.Extended, Instant> extendedTo, TriggeringEntry... docketed) {
        MatrixEntry entry = rules.entry("test", new PhaseId("caseInitiation"), new DocumentTypeId("motion"), new PartyId("claimant")).orElseThrow();
        return rules.deadline("test", entry, new PartyId("claimant"), new CaseDates(21, start, Map.of(new PhaseId("caseInitiation"), start), List.of(docketed), extendedTo, Optional.empty()));
    }

    private static CaseDates dates(int responseDeadlineDays, Map<PhaseId, Instant> starts) {
        return new CaseDates(responseDeadlineDays, Instant.parse("2026-11-02T09:15:00Z"), starts, List.of(), Map.of(), Optional.empty());
    }

    private static DeadlineRule rule(Trigger trigger, int days, DayCount count) {
        return new DeadlineRule(trigger, new NumberOfDays.Fixed(days), count, LateFiling.MARK);
    }

    /** A rule set of one phase in which the claimant must file a motion by that rule. */
    private static CaseRules rules(ZoneId zone, String calendar, DeadlineRule rule) {
        MatrixEntry motion = new MatrixEntry(new PhaseId("caseInitiation"), new DocumentTypeId("motion"), List.of(new PartyId("claimant")), Optional.empty(), 1, true, Optional.of(rule));
        RuleSet ruleSet = new RuleSet("test", "Test", "For this test.", zone, calendar, Closures.NONE, Optional.empty(), 21, List.of(21), List.of(7, 1),
                List.of(new ScheduledPhase(new PhaseId("caseInitiation"), new NumberOfDays.Fixed(14), List.of(motion))));
        return CaseRules.of(new Definitions(SHIPPED.parties(), SHIPPED.phases(), SHIPPED.documents(), SHIPPED.evidence(),
                SHIPPED.mailTypes(), List.of(ruleSet)), JollydayCalendars.computedFrom(CLOCK));
    }
}
