package io.arbitration.domain.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Action.Kind;
import io.arbitration.domain.cases.OpenFiling.State;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Closures;
import io.arbitration.domain.time.DeadlineRule;
import io.arbitration.domain.time.LateFiling;
import io.arbitration.domain.time.NumberOfDays;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CaseActionsTest {

    private static final PhaseId FIRST = new PhaseId("caseInitiation");
    private static final DocumentTypeId CLAIM = new DocumentTypeId("claim");
    private static final DocumentTypeId LETTER = new DocumentTypeId("letter");
    private static final Instant BEGUN = Instant.parse("2026-11-02T09:00:00Z");
    /** The first weekday after ten days, at the end of the day. */
    private static final Instant DEADLINE = Instant.parse("2026-11-12T23:59:59.999Z");

    private static CaseRules rules(LateFiling late) {
        DeadlineRule tenDays = new DeadlineRule(new DeadlineRule.Trigger.PhaseStart(), new NumberOfDays.Fixed(10),
                DeadlineRule.DayCount.CALENDAR_DAYS, late);
        List<MatrixEntry> documents = List.of(
                new MatrixEntry(FIRST, CLAIM, List.of(Party.CLAIMANT), Optional.of(Party.CASE_MANAGER), 1, true, Optional.of(tenDays)),
                new MatrixEntry(FIRST, LETTER, List.of(Party.CLAIMANT, Party.RESPONDENT), Optional.empty(), 2, false, Optional.empty()));
        PhaseId last = Phase.EVIDENCE_EXCHANGE;
        RuleSet ruleSet = new RuleSet("test", "", "", ZoneOffset.UTC, "none", Closures.NONE, Optional.empty(), 21, List.of(21), List.of(7, 1), List.of(
                new ScheduledPhase(FIRST, new NumberOfDays.Fixed(14), documents), new ScheduledPhase(last, new NumberOfDays.Fixed(14), List.of())));
        return CaseRules.of(new Definitions(List.of(), List.of(new Phase(FIRST, "", "", 0), new Phase(last, "", "", 1)),
                List.of(), List.of(), List.of(), List.of(ruleSet)), calendar -> day -> false);
    }

    private final Participant claimant = part(Party.CLAIMANT, true, false);
    private final Participant colleague = part(Party.CLAIMANT, false, false);
    private final Participant respondent = part(Party.RESPONDENT, true, false);
    private final Participant manager = part(Party.CASE_MANAGER, true, false);
    private final List<Participant> participants = new ArrayList<>(List.of(claimant, colleague, respondent, manager));
    private final List<OpenFiling> filings = new ArrayList<>();
    private LateFiling late = LateFiling.REFUSE;
    private Map<DocumentTypeId, Integer> used = Map.of();
    private boolean open = true;
    private PhaseId phase = FIRST;
    private Instant now = BEGUN;

    private static Participant part(PartyId party, boolean primary, boolean observer) {
        return Participant.joining(new UserId(UUID.randomUUID()), Optional.empty(), party, primary, observer);
    }

    private List<Action> actions(Participant part, boolean isSuperAdministrator) {
        Case seen = new Case(new CaseId(UUID.randomUUID()), "A v. B", "test", phase, open, 1, 21, BEGUN, participants, Map.of(FIRST, BEGUN), Map.of(),
                CaseClock.PLATFORM, Optional.empty());
        return new CaseActions(rules(late), seen, part, isSuperAdministrator, used, List.of(), now).all(filings);
    }

    private List<Kind> kinds(Participant part) {
        return actions(part, false).stream().map(Action::kind).toList();
    }

    private OpenFiling filing(Participant filer, State state, PartyId approver) {
        OpenFiling filing = new OpenFiling(new FilingId(filings.size() + 1), CLAIM, filer.partyId(), filer.userId(), state, Optional.ofNullable(approver));
        filings.add(filing);
        return filing;
    }

    @Test
    void eachSideIsOfferedWhatItMayFileWithWhatIsLeftOfItAndUntilWhen() {
        used = Map.of(LETTER, 1);
        assertThat(actions(claimant, false)).startsWith(
                new Action(Kind.FILE, Optional.of(CLAIM), Optional.empty(), OptionalInt.of(1), actions(claimant, false).getFirst().deadline()),
                new Action(Kind.FILE, Optional.of(LETTER), Optional.empty(), OptionalInt.of(1), Optional.empty()));
        assertThat(actions(claimant, false).getFirst().deadline()).hasValueSatisfying(deadline -> assertThat(deadline.date()).isEqualTo(DEADLINE));
        assertThat(kinds(respondent)).containsExactly(Kind.FILE, Kind.UPLOAD, Kind.ADD_PARTICIPANT, Kind.REMOVE_PARTICIPANT);
        assertThat(kinds(colleague)).containsExactly(Kind.FILE, Kind.FILE, Kind.UPLOAD);
    }

    @Test
    void whatIsUsedUpOrTooLateIsNotOffered() {
        used = Map.of(CLAIM, 1, LETTER, 2);
        assertThat(kinds(colleague)).containsExactly(Kind.UPLOAD);
        used = Map.of(LETTER, 2);
        now = DEADLINE;
        assertThat(kinds(colleague)).containsExactly(Kind.FILE, Kind.UPLOAD);
        now = DEADLINE.plusMillis(1);
        assertThat(kinds(colleague)).containsExactly(Kind.UPLOAD);
        late = LateFiling.MARK;
        assertThat(kinds(colleague)).as("what is only marked as late can still be filed").containsExactly(Kind.FILE, Kind.UPLOAD);
    }

    @Test
    void whoMayNotFileStillApprovesAndRunsTheCase() {
        filing(claimant, State.DRAFT, null);
        filing(claimant, State.SUBMITTED, Party.CASE_MANAGER);
        assertThat(kinds(restricted(colleague))).isEmpty();
        assertThat(kinds(restricted(claimant))).containsExactly(Kind.ADD_PARTICIPANT, Kind.REMOVE_PARTICIPANT);
        assertThat(kinds(restricted(manager))).contains(Kind.APPROVE, Kind.REJECT, Kind.ADVANCE, Kind.CLOSE).doesNotContain(Kind.UPLOAD, Kind.FILE);
    }

    private static Participant restricted(Participant part) {
        return new Participant(part.userId(), part.organizationId(), part.partyId(), part.isPrimary(), part.isObserver(), false);
    }

    @Test
    void theFilersSideWorksOnItsOwnFilings() {
        used = Map.of(LETTER, 2);
        OpenFiling draft = filing(claimant, State.DRAFT, null);
        OpenFiling rejected = filing(claimant, State.REJECTED, null);
        OpenFiling submitted = filing(claimant, State.SUBMITTED, Party.CASE_MANAGER);
        assertThat(actions(colleague, false).stream().filter(action -> action.filingId().isPresent())
                .map(action -> action.kind() + " " + action.filingId().get()))
                .containsExactly("EDIT " + draft.filingId(), "SUBMIT " + draft.filingId(), "WITHDRAW " + draft.filingId(),
                        "EDIT " + rejected.filingId(), "SUBMIT " + rejected.filingId(), "WITHDRAW " + rejected.filingId(), "WITHDRAW " + submitted.filingId());
        assertThat(kinds(respondent)).doesNotContain(Kind.EDIT, Kind.SUBMIT, Kind.WITHDRAW, Kind.APPROVE);
    }

    @Test
    void theApprovingSideDecidesOnWhatWasSubmittedToItAndNeverItsFiler() {
        filing(claimant, State.SUBMITTED, Party.CASE_MANAGER);
        assertThat(kinds(manager)).contains(Kind.APPROVE, Kind.REJECT);
        filings.clear();
        // The filer has taken another part in the case since.
        filings.add(new OpenFiling(new FilingId(9), CLAIM, Party.CLAIMANT, manager.userId(), State.SUBMITTED, Optional.of(Party.CASE_MANAGER)));
        assertThat(kinds(manager)).doesNotContain(Kind.APPROVE, Kind.REJECT);
    }

    @Test
    void theCaseManagerRunsTheCase() {
        assertThat(kinds(manager)).containsExactly(Kind.UPLOAD, Kind.ADVANCE, Kind.CLOSE, Kind.ADD_PARTICIPANT, Kind.REMOVE_PARTICIPANT);
        phase = Phase.EVIDENCE_EXCHANGE;
        assertThat(kinds(manager)).as("after the last phase there is none").doesNotContain(Kind.ADVANCE).contains(Kind.CLOSE);
    }

    @Test
    void nothingIsOfferedThatWouldBeRejected() {
        participants.removeLast();
        participants.removeLast();
        participants.removeLast();
        assertThat(kinds(claimant)).as("the last primary of the claimant stays").doesNotContain(Kind.REMOVE_PARTICIPANT);
        IntStream.range(1, CasePermissions.PARTICIPANTS_MAX).forEach(n -> participants.add(part(Party.CLAIMANT, false, false)));
        assertThat(kinds(claimant)).as("the case is full").doesNotContain(Kind.ADD_PARTICIPANT).contains(Kind.REMOVE_PARTICIPANT);
        assertThat(actions(colleague, true)).as("a super administrator changes every side").extracting(Action::kind)
                .contains(Kind.REMOVE_PARTICIPANT);
    }

    @Test
    void anObserverAndAClosedCaseHaveNothingToDo() {
        filing(claimant, State.DRAFT, null);
        assertThat(kinds(part(Party.CLAIMANT, false, true))).isEmpty();
        open = false;
        now = BEGUN.plus(Duration.ofHours(1));
        for (Participant participant : participants) {
            assertThat(kinds(participant)).isEmpty();
        }
    }
}
