package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.DeadlineRule;
import io.arbitration.domain.time.DeadlineRule.Trigger;
import io.arbitration.domain.time.HolidayCalendar;
import io.arbitration.domain.time.HolidayCalendars;
import io.arbitration.domain.time.Seat;
import io.arbitration.domain.time.WorkingDays;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules of cases, according to their rule sets: who files which document by when, and the timetable of the phases. */
public final class CaseRules {
    private final Definitions definitions;
    private final HolidayCalendars calendars;
    private final Map<String, HolidayCalendar> calendarByName;

    private CaseRules(Definitions definitions, HolidayCalendars calendars, Map<String, HolidayCalendar> calendarByName) {
        this.definitions = definitions;
        this.calendars = calendars;
        this.calendarByName = calendarByName;
    }

    /** @param calendars has the holiday calendars of rule sets and of seats */
    public static CaseRules of(Definitions definitions, HolidayCalendars calendars) {
        return new CaseRules(definitions, calendars, definitions.ruleSets().stream()
                .map(RuleSet::holidayCalendar)
                .distinct()
                .collect(Collectors.toUnmodifiableMap(Function.identity(), calendars::named)));
    }

    public Definitions definitions() {
        return definitions;
    }

    /** The rule set of a case. Fails with NoSuchElementException for an ID that no case can have. */
    public RuleSet ruleSet(String ruleSetId) {
        return definitions.ruleSet(ruleSetId).orElseThrow(() -> new NoSuchElementException("rule set " + ruleSetId));
    }

    /** The rule under which that party files that document in that phase; empty if it may not. */
    public Optional<MatrixEntry> entry(String ruleSetId, PhaseId phaseId, DocumentTypeId documentId, PartyId partyId) {
        return ruleSet(ruleSetId).entry(phaseId, documentId, partyId);
    }

    /** Whether that party may upload evidence in that phase: all parties until the exchange, then only the case manager. */
    public boolean takesEvidence(PhaseId phaseId, PartyId partyId) {
        return partyId.equals(Party.CASE_MANAGER) || !definitions.phase(phaseId).orElseThrow().isAfter(evidenceExchange());
    }

    /** The phases in which every participant sees all evidence: the exchange of evidence and those after it. */
    public List<PhaseId> phasesOfSharedEvidence() {
        Phase exchange = evidenceExchange();
        return definitions.phases().stream().filter(phase -> !exchange.isAfter(phase)).map(Phase::id).toList();
    }

    private Phase evidenceExchange() {
        return definitions.phase(Phase.EVIDENCE_EXCHANGE).orElseThrow();
    }

    /**
     * The deadline of that party for a document; empty if its trigger has not happened, or without a deadline. Each docket entry
     * that triggers the rule has started a deadline ({@link CaseDeadline}). A document is in time as long as one of them is in
     * the future, so the latest counts.
     */
    public Optional<Deadline> deadline(String ruleSetId, MatrixEntry entry, PartyId partyId, CaseDates dates) {
        return entry.deadline().flatMap(rule -> triggers(rule.trigger(), entry.phaseId(), dates)
                .map(trigger -> dates.extended(deadline(ruleSetId, rule, trigger.at, dates.responseDeadlineDays(), dates.seat()), entry, partyId, trigger.entryId))
                .max(Comparator.comparing(Deadline::date).thenComparing(Deadline::trigger)));
    }

    /** The deadline by a rule for a trigger at that time, before any extension. */
    Deadline deadline(String ruleSetId, DeadlineRule rule, Instant trigger, int responseDeadlineDays, Optional<Seat> seat) {
        RuleSet ruleSet = ruleSet(ruleSetId);
        return Deadline.of(rule, trigger, responseDeadlineDays, ruleSet.timeZone(), workingDays(ruleSet, seat));
    }

    /** Whether a new case can have this seat: the place exists, and its working days are known. */
    public boolean knows(Seat seat) {
        return calendars.knows(seat);
    }

    /** Whether the working days of a case with this seat are known. */
    public boolean counts(Seat seat) {
        return calendars.at(seat).isPresent();
    }

    /**
     * The phases in order. A phase that has not begun starts at the planned end of the phase before. A skipped phase has no
     * dates, nor has one that a closed case never reaches.
     */
    public List<ScheduledDates> schedule(String ruleSetId, PhaseId currentPhaseId, boolean open, CaseDates dates) {
        RuleSet ruleSet = ruleSet(ruleSetId);
        int current = definitions.phase(currentPhaseId).orElseThrow().position();
        List<ScheduledDates> schedule = new ArrayList<>();
        Optional<Instant> endBefore = Optional.empty();
        for (int at = 0; at < ruleSet.phases().size(); at++) {
            ScheduledPhase phase = ruleSet.phases().get(at);
            Optional<Instant> begun = Optional.ofNullable(dates.phaseStartByPhaseId().get(phase.phaseId()));
            Optional<Instant> predicted = open && at > current ? endBefore.map(CaseRules::startOfNextDay) : Optional.empty();
            ScheduledDates scheduled = begun.or(() -> predicted)
                    .map(start -> scheduled(ruleSet, phase, start, dates))
                    .orElseGet(() -> new ScheduledDates(phase.phaseId(), Optional.empty(), Optional.empty(), Optional.empty()));
            schedule.add(scheduled);
            endBefore = scheduled.end();
        }
        return schedule;
    }

    /** Whether the schedule depends on docket entries, and not only on the phases. */
    public boolean scheduleFollowsDocket(String ruleSetId) {
        return ruleSet(ruleSetId).phases().stream()
                .flatMap(phase -> phase.documents().stream())
                .filter(MatrixEntry::required)
                .flatMap(entry -> entry.deadline().stream())
                .anyMatch(rule -> rule.trigger() instanceof Trigger.DocumentDocketed);
    }

    /** The time zone in which the days of the rule set's deadlines begin and end. */
    public ZoneId timeZone(String ruleSetId) {
        return ruleSet(ruleSetId).timeZone();
    }

    /** Document types whose docketing starts a deadline in some rule set. */
    public List<DocumentTypeId> documentTypesThatStartDeadlines() {
        return definitions.ruleSets().stream()
                .flatMap(ruleSet -> ruleSet.phases().stream())
                .flatMap(phase -> phase.documents().stream())
                .flatMap(entry -> entry.deadline().stream())
                .flatMap(deadline -> deadline.trigger() instanceof Trigger.DocumentDocketed docketed
                        ? Stream.of(docketed.documentId()) : Stream.empty())
                .distinct()
                .toList();
    }

    private ScheduledDates scheduled(RuleSet ruleSet, ScheduledPhase phase, Instant start, CaseDates dates) {
        ZoneId zone = ruleSet.timeZone();
        LocalDate lastDay = LocalDate.ofInstant(start, zone).plusDays(phase.duration().in(dates.responseDeadlineDays()));
        Instant end = Deadline.endOfDay(workingDays(ruleSet, dates.seat()).orNext(lastDay), zone);
        CaseDates withStart = dates.withPhaseStart(phase.phaseId(), start);
        Instant filingDeadline = phase.documents().stream()
                .filter(MatrixEntry::required)
                .flatMap(entry -> entry.filedBy().stream().flatMap(party -> deadline(ruleSet.id(), entry, party, withStart).stream()))
                .map(Deadline::date)
                .max(Instant::compareTo)
                .orElse(end);
        return new ScheduledDates(phase.phaseId(), Optional.of(start), Optional.of(end), Optional.of(filingDeadline));
    }

    /** The start of a deadline, and its time. */
    private record Triggered(Optional<EntryId> entryId, Instant at) {}

    private static Stream<Triggered> triggers(Trigger trigger, PhaseId phaseId, CaseDates dates) {
        return switch (trigger) {
            case Trigger.PhaseStart() -> Stream.ofNullable(dates.phaseStartByPhaseId().get(phaseId)).map(start -> new Triggered(Optional.empty(), start));
            case Trigger.CaseCreated() -> Stream.of(new Triggered(Optional.empty(), dates.created()));
            case Trigger.DocumentDocketed(DocumentTypeId documentId) -> dates.triggering().stream().filter(entry -> entry.documentId().equals(documentId))
                    .map(entry -> new Triggered(Optional.of(entry.entryId()), entry.enteredAt()));
        };
    }

    private WorkingDays workingDays(RuleSet ruleSet, Optional<Seat> seat) {
        HolidayCalendar holidays = seat.map(at -> calendars.at(at).orElseThrow(() -> new NoSuchElementException("holidays of " + at)))
                .orElseGet(() -> calendarByName.get(ruleSet.holidayCalendar()));
        return new WorkingDays(holidays, ruleSet.closures(), ruleSet.holidayCalendar(), seat);
    }

    private static Instant startOfNextDay(Instant endOfDay) {
        return endOfDay.plus(Duration.ofMillis(1));
    }
}
