package io.arbitration.domain.filing;

import static io.arbitration.domain.filing.FilingWorld.ANSWER;
import static io.arbitration.domain.filing.FilingWorld.AWARD;
import static io.arbitration.domain.filing.FilingWorld.BRIEF;
import static io.arbitration.domain.filing.FilingWorld.CASE;
import static io.arbitration.domain.filing.FilingWorld.COLLEAGUE;
import static io.arbitration.domain.filing.FilingWorld.CREATED;
import static io.arbitration.domain.filing.FilingWorld.DRAFTS_MAX;
import static io.arbitration.domain.filing.FilingWorld.FILER;
import static io.arbitration.domain.filing.FilingWorld.FIRM;
import static io.arbitration.domain.filing.FilingWorld.HEAD_HASH;
import static io.arbitration.domain.filing.FilingWorld.ID;
import static io.arbitration.domain.filing.FilingWorld.IDS;
import static io.arbitration.domain.filing.FilingWorld.MANAGER;
import static io.arbitration.domain.filing.FilingWorld.NEW_ENTRY;
import static io.arbitration.domain.filing.FilingWorld.NEW_FILING;
import static io.arbitration.domain.filing.FilingWorld.NOTICE;
import static io.arbitration.domain.filing.FilingWorld.NOW;
import static io.arbitration.domain.filing.FilingWorld.OBJECTION;
import static io.arbitration.domain.filing.FilingWorld.OBSERVER;
import static io.arbitration.domain.filing.FilingWorld.OTHERS_ENTRY;
import static io.arbitration.domain.filing.FilingWorld.OTHER_SIDE;
import static io.arbitration.domain.filing.FilingWorld.OUTSIDER;
import static io.arbitration.domain.filing.FilingWorld.OWN_ENTRY;
import static io.arbitration.domain.filing.FilingWorld.OWN_REPLY;
import static io.arbitration.domain.filing.FilingWorld.OWN_SUPERSEDED;
import static io.arbitration.domain.filing.FilingWorld.PHASE;
import static io.arbitration.domain.filing.FilingWorld.RULES;
import static io.arbitration.domain.filing.FilingWorld.closed;
import static io.arbitration.domain.filing.FilingWorld.complete;
import static io.arbitration.domain.filing.FilingWorld.content;
import static io.arbitration.domain.filing.FilingWorld.create;
import static io.arbitration.domain.filing.FilingWorld.decided;
import static io.arbitration.domain.filing.FilingWorld.draft;
import static io.arbitration.domain.filing.FilingWorld.in;
import static io.arbitration.domain.filing.FilingWorld.refused;
import static io.arbitration.domain.filing.FilingWorld.rejected;
import static io.arbitration.domain.filing.FilingWorld.snapshot;
import static io.arbitration.domain.filing.FilingWorld.submitted;
import static io.arbitration.domain.filing.FilingWorld.used;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.Decision;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.docket.DocketHead;
import io.arbitration.domain.docket.EntryForm;
import io.arbitration.domain.filing.FilingCommand.ReferenceChange;
import io.arbitration.domain.filing.FilingRefusal.AlreadyDocketed;
import io.arbitration.domain.filing.FilingRefusal.Reason;
import io.arbitration.domain.filing.FilingRefusal.Verb;
import io.arbitration.domain.filing.FilingWorld.Act;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command on every state of a filing, by everybody who could send it. */
class FilingRulesTest {

    /** What an update, a submission, a withdrawal, an approval and a rejection lead to, by whoever may send them. */
    static Stream<Arguments> commandsOnStates() {
        return Stream.of(
                Arguments.of(Act.UPDATE, FilingState.DRAFT, FilingState.DRAFT),
                Arguments.of(Act.UPDATE, FilingState.SUBMITTED, Reason.ALREADY_SUBMITTED),
                Arguments.of(Act.UPDATE, FilingState.DOCKETED, new AlreadyDocketed(Verb.CHANGED)),
                Arguments.of(Act.UPDATE, FilingState.REJECTED, FilingState.DRAFT),
                Arguments.of(Act.UPDATE, FilingState.WITHDRAWN, Reason.ALREADY_WITHDRAWN),
                Arguments.of(Act.SUBMIT, FilingState.DRAFT, FilingState.SUBMITTED),
                Arguments.of(Act.SUBMIT, FilingState.SUBMITTED, Reason.ALREADY_SUBMITTED),
                Arguments.of(Act.SUBMIT, FilingState.DOCKETED, new AlreadyDocketed(Verb.SUBMITTED)),
                Arguments.of(Act.SUBMIT, FilingState.WITHDRAWN, Reason.ALREADY_WITHDRAWN),
                Arguments.of(Act.WITHDRAW, FilingState.DRAFT, FilingState.WITHDRAWN),
                Arguments.of(Act.WITHDRAW, FilingState.SUBMITTED, FilingState.WITHDRAWN),
                Arguments.of(Act.WITHDRAW, FilingState.DOCKETED, new AlreadyDocketed(Verb.WITHDRAWN)),
                Arguments.of(Act.WITHDRAW, FilingState.REJECTED, FilingState.WITHDRAWN),
                Arguments.of(Act.WITHDRAW, FilingState.WITHDRAWN, Reason.ALREADY_WITHDRAWN),
                // The approving party does not see a draft that was never submitted to it.
                Arguments.of(Act.APPROVE, FilingState.DRAFT, Reason.FILING_NOT_FOUND),
                Arguments.of(Act.APPROVE, FilingState.SUBMITTED, FilingState.DOCKETED),
                Arguments.of(Act.APPROVE, FilingState.DOCKETED, new AlreadyDocketed(Verb.APPROVED)),
                Arguments.of(Act.APPROVE, FilingState.REJECTED, Reason.NOT_SUBMITTED),
                Arguments.of(Act.APPROVE, FilingState.WITHDRAWN, Reason.NOT_SUBMITTED),
                Arguments.of(Act.REJECT, FilingState.DRAFT, Reason.FILING_NOT_FOUND),
                Arguments.of(Act.REJECT, FilingState.SUBMITTED, FilingState.REJECTED),
                Arguments.of(Act.REJECT, FilingState.DOCKETED, new AlreadyDocketed(Verb.REJECTED)),
                Arguments.of(Act.REJECT, FilingState.REJECTED, Reason.NOT_SUBMITTED),
                Arguments.of(Act.REJECT, FilingState.WITHDRAWN, Reason.NOT_SUBMITTED));
    }

    @ParameterizedTest(name = "{0} of a {1} filing: {2}")
    @MethodSource("commandsOnStates")
    void aCommandLeadsToItsStateOrIsRefused(Act verb, FilingState before, Object outcome) {
        Decision<FilingChange, FilingRefusal> decision = FilingWorld.decide(snapshot(in(before)), verb.by(verb.actor()));
        switch (decision) {
            case Decision.Decided<FilingChange, FilingRefusal>(FilingChange change) -> {
                assertThat(change.filing().state()).isEqualTo(outcome);
                assertThat(change.filing().document().revision()).isEqualTo(in(before).document().revision() + 1);
                assertThat(change.filing().document().updated()).isEqualTo(NOW);
                assertThat(change.by()).isEqualTo(verb.actor());
            }
            case Decision.Refused<FilingChange, FilingRefusal>(FilingRefusal reason) -> assertThat(reason).isEqualTo(outcome);
        }
    }

    @ParameterizedTest
    @EnumSource(Act.class)
    void whoMayNotFileDecidesOnFilingsAndChangesNone(Act verb) {
        CaseSnapshot open = snapshot(in(verb == Act.APPROVE || verb == Act.REJECT ? FilingState.SUBMITTED : FilingState.DRAFT));
        Map<UserId, Participant> people = new HashMap<>(open.participants());
        people.replaceAll((user, part) -> new Participant(user, part.organizationId(), part.partyId(), part.isPrimary(), part.isObserver(), false));
        CaseSnapshot restricted = new CaseSnapshot(open.caseId(), open.ruleSet(), open.phaseId(), open.isOpen(), open.clock(), open.head(), people, open.filings(),
                open.references(), open.used(), open.openDrafts(), open.dates());
        Decision<FilingChange, FilingRefusal> decision = FilingWorld.decide(restricted, verb.by(verb.actor()));
        if (verb.actor().equals(FilingWorld.MANAGER)) {
            assertThat(decision).isInstanceOf(Decision.Decided.class);
        } else {
            assertThat(decision).isEqualTo(new Decision.Refused<>(Reason.MAY_NOT_FILE));
        }
        assertThat(refused(restricted, FilingWorld.create(FilingWorld.FILER, FilingWorld.BRIEF))).isEqualTo(Reason.MAY_NOT_FILE);
        assertThat(FilingWorld.RULES.problems(restricted, people.get(FilingWorld.FILER), in(FilingState.DRAFT), NOW)).startsWith(Reason.MAY_NOT_FILE);
    }

    static Stream<Arguments> commandsAndStates() {
        return Stream.of(Act.values()).flatMap(verb -> Stream.of(FilingState.values()).map(state -> Arguments.of(verb, state)));
    }

    @ParameterizedTest(name = "{0} of a {1} filing")
    @MethodSource("commandsAndStates")
    void whoHasNoPartInTheCaseLearnsJustThat(Act verb, FilingState state) {
        assertThat(refused(snapshot(in(state)), verb.by(OUTSIDER))).isEqualTo(Reason.NOT_A_PARTICIPANT);
        assertThat(refused(snapshot(), verb.by(OUTSIDER))).isEqualTo(Reason.NOT_A_PARTICIPANT);
    }

    @ParameterizedTest(name = "{0} of a {1} filing")
    @MethodSource("commandsAndStates")
    void anObserverChangesNothing(Act verb, FilingState state) {
        assertThat(refused(snapshot(in(state)), verb.by(OBSERVER))).isEqualTo(Reason.OBSERVER);
    }

    @ParameterizedTest(name = "{0} of a {1} filing")
    @MethodSource("commandsAndStates")
    void theOtherSideSeesWhatIsDocketedAndChangesNothing(Act verb, FilingState state) {
        FilingRefusal refusal = refused(snapshot(in(state)), verb.by(OTHER_SIDE));
        if (state != FilingState.DOCKETED) {
            assertThat(refusal).isEqualTo(Reason.FILING_NOT_FOUND);
        } else {
            assertThat(refusal).isEqualTo(verb == Act.APPROVE || verb == Act.REJECT ? Reason.NOT_APPROVER : Reason.NOT_YOUR_SIDE);
        }
    }

    @ParameterizedTest(name = "{0} of a {1} filing")
    @MethodSource("commandsAndStates")
    void aFilingThatIsNotThereIsNotFound(Act verb, FilingState state) {
        assertThat(refused(snapshot(), verb.by(FILER))).isEqualTo(Reason.FILING_NOT_FOUND);
    }

    @ParameterizedTest(name = "{0} of a {1} filing")
    @MethodSource("commandsAndStates")
    void whatTheStateAllowsAClosedCaseRefuses(Act verb, FilingState state) {
        boolean allowed = FilingWorld.decide(snapshot(in(state)), verb.by(verb.actor())) instanceof Decision.Decided;
        FilingRefusal refusal = refused(closed(snapshot(in(state))), verb.by(verb.actor()));
        if (allowed) {
            assertThat(refusal).isEqualTo(Reason.CASE_CLOSED);
        } else {
            assertThat(refusal).isEqualTo(refused(snapshot(in(state)), verb.by(verb.actor())));
        }
    }

    @ParameterizedTest(name = "{0} of a {1} filing")
    @MethodSource("commandsAndStates")
    void whatTheStateAllowsAStaleRevisionRefuses(Act verb, FilingState state) {
        long revision = in(state).document().revision();
        if (FilingWorld.decide(snapshot(in(state)), verb.by(verb.actor())) instanceof Decision.Decided) {
            assertThat(refused(snapshot(in(state)), verb.by(verb.actor(), OptionalLong.of(revision - 1)))).isEqualTo(Reason.STALE);
            assertThat(decided(snapshot(in(state)), verb.by(verb.actor(), OptionalLong.of(revision)))).isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Act.class, names = {"UPDATE", "SUBMIT", "WITHDRAW"})
    void aColleagueOfTheFilersSideMayDoWhatTheFilerMay(Act verb) {
        assertThat(decided(snapshot(in(FilingState.DRAFT)), verb.by(COLLEAGUE)).by()).isEqualTo(COLLEAGUE);
    }

    @ParameterizedTest
    @EnumSource(value = Act.class, names = {"APPROVE", "REJECT"})
    void theFilersSideDoesNotDecideOnItsOwnFiling(Act verb) {
        assertThat(refused(snapshot(submitted()), verb.by(FILER))).isEqualTo(Reason.NOT_APPROVER);
        assertThat(refused(snapshot(in(FilingState.DRAFT)), verb.by(FILER))).isEqualTo(Reason.NOT_APPROVER);
    }

    @ParameterizedTest
    @EnumSource(value = Act.class, names = {"APPROVE", "REJECT"})
    void aFilerWhoJoinedTheApprovingPartySinceDoesNotDecideEither(Act verb) {
        CaseSnapshot before = snapshot(submitted());
        Map<UserId, Participant> people = new HashMap<>(before.participants());
        people.put(FILER, Participant.joining(FILER, Optional.empty(), Party.CASE_MANAGER, false, false));
        CaseSnapshot joined = new CaseSnapshot(before.caseId(), before.ruleSet(), before.phaseId(), true, before.clock(), before.head(), people, before.filings(),
                before.references(), before.used(), before.openDrafts(), before.dates());
        assertThat(refused(joined, verb.by(FILER))).isEqualTo(Reason.OWN_DOCUMENT);
    }

    @ParameterizedTest
    @EnumSource(value = Act.class, names = {"UPDATE", "WITHDRAW"})
    void theApprovingPartyChangesNothingInWhatItDecidesOn(Act verb) {
        assertThat(refused(snapshot(submitted()), verb.by(MANAGER))).isEqualTo(Reason.NOT_YOUR_SIDE);
    }

    @Test
    void aCreationMakesADraftOfTheFilersSide() {
        FilingChange change = decided(snapshot(), create(FILER, BRIEF));
        assertThat(change.filing()).isEqualTo(new Filing.Draft(new Filing.Document(NEW_FILING, CASE, BRIEF, PHASE, Party.CLAIMANT, FILER,
                Optional.of(FIRM), new Filing.Content("A brief", Map.of(), Optional.empty(), Optional.empty()), 1, NOW, NOW, Optional.empty()), Optional.empty()));
        assertThat(change.kind()).isEqualTo(FilingChange.Kind.CREATED);
        assertThat(change.entry()).isEmpty();
    }

    static Stream<Arguments> refusedCreations() {
        return Stream.of(
                Arguments.of("an outsider", create(OUTSIDER, BRIEF), Reason.NOT_A_PARTICIPANT),
                Arguments.of("an observer", create(OBSERVER, BRIEF), Reason.OBSERVER),
                Arguments.of("an unknown type", create(FILER, new DocumentTypeId("poem")), Reason.DOCUMENT_TYPE_NOT_FOUND),
                Arguments.of("a text that is no type", new FilingCommand.Create(CASE, FILER, Optional.empty(), Optional.empty(), Map.of(),
                        Optional.empty(), Optional.empty(), Optional.empty()), Reason.DOCUMENT_TYPE_NOT_FOUND),
                Arguments.of("an unknown field", withFields(Map.of("poem", "x")), new FilingRefusal.InvalidField("fields/poem: no such field in brief")),
                Arguments.of("a text that is too long", withFields(Map.of("text", "x".repeat(21))), new FilingRefusal.InvalidField("fields/text: at most 20 characters")),
                Arguments.of("a number that no double keeps", withFields(Map.of("amount", new BigDecimal("0.12345678901234567890"))),
                        new FilingRefusal.InvalidField("fields/amount: more digits than a JSON number keeps, send it as a string")),
                Arguments.of("an unknown entry superseded", withReferences(Optional.of(new EntryId(999)), Optional.empty()), Reason.ENTRY_NOT_FOUND),
                Arguments.of("an unknown entry replied to", withReferences(Optional.empty(), Optional.of(EntryId.OF_NOTHING)), Reason.ENTRY_NOT_FOUND),
                Arguments.of("the other side's entry superseded", withReferences(Optional.of(OTHERS_ENTRY), Optional.empty()), Reason.NOT_YOUR_SIDE),
                Arguments.of("a superseded entry superseded again", withReferences(Optional.of(OWN_SUPERSEDED), Optional.empty()), Reason.ENTRY_SUPERSEDED));
    }

    private static FilingCommand.Create withFields(Map<String, Object> fields) {
        return new FilingCommand.Create(CASE, FILER, Optional.of(BRIEF), Optional.empty(), fields, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static FilingCommand.Create withReferences(Optional<EntryId> supersedes, Optional<EntryId> parent) {
        return new FilingCommand.Create(CASE, FILER, Optional.of(BRIEF), Optional.empty(), Map.of(), supersedes, parent, Optional.empty());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedCreations")
    void aCreationIsRefused(String why, FilingCommand.Create create, FilingRefusal refusal) {
        assertThat(refused(snapshot(), create)).isEqualTo(refusal);
    }

    @Test
    void aClosedCaseTakesNoDraft() {
        assertThat(refused(closed(snapshot()), create(FILER, BRIEF))).isEqualTo(Reason.CASE_CLOSED);
    }

    @Test
    void aPartyHasNoMoreOpenDraftsThanItsBound() {
        CaseSnapshot full = snapshot(in(FilingState.DRAFT)).with(Map.of(), Map.of(), Map.of(Party.CLAIMANT, DRAFTS_MAX), Optional.empty());
        assertThat(refused(full, create(COLLEAGUE, BRIEF))).isEqualTo(new FilingRefusal.TooManyDrafts(DRAFTS_MAX));
        assertThat(decided(full, create(OTHER_SIDE, BRIEF)).filing().partyId()).isEqualTo(Party.RESPONDENT);
        CaseSnapshot afterOneLess = full.after(decided(full, Act.WITHDRAW.by(FILER)));
        assertThat(decided(afterOneLess, create(COLLEAGUE, BRIEF)).kind()).isEqualTo(FilingChange.Kind.CREATED);
    }

    @Test
    void theDraftsThatABatchMakesCountForTheRestOfIt() {
        CaseSnapshot snapshot = snapshot().with(Map.of(), Map.of(), Map.of(Party.CLAIMANT, DRAFTS_MAX - 1), Optional.empty());
        CaseSnapshot after = snapshot.after(decided(snapshot, create(FILER, BRIEF)));
        assertThat(refused(after, create(FILER, BRIEF))).isEqualTo(new FilingRefusal.TooManyDrafts(DRAFTS_MAX));
    }

    private static FilingCommand.Update update(Optional<String> title, Optional<Map<String, Object>> fields, ReferenceChange supersedes, ReferenceChange parent) {
        return new FilingCommand.Update(CASE, FILER, ID, OptionalLong.empty(), title, fields, supersedes, parent);
    }

    @Test
    void anUpdateChangesWhatItNamesAndKeepsTheRest() {
        Filing.Draft before = draft(BRIEF, content(Optional.of(OWN_ENTRY), Optional.of(OTHERS_ENTRY)));
        FilingCommand.Update title = update(Optional.of("New"), Optional.empty(), new ReferenceChange.Keep(), new ReferenceChange.Remove());
        assertThat(decided(snapshot(before), title).filing().content())
                .isEqualTo(new Filing.Content("New", complete(), Optional.of(OWN_ENTRY), Optional.empty()));
        FilingCommand.Update fields = update(Optional.empty(), Optional.of(Map.of()), new ReferenceChange.Remove(), new ReferenceChange.Set(OWN_REPLY));
        assertThat(decided(snapshot(before), fields).filing().content())
                .isEqualTo(new Filing.Content("A title", Map.of(), Optional.empty(), Optional.of(OWN_REPLY)));
    }

    @Test
    void anUpdateIsRefusedForItsContentBeforeItsState() {
        ReferenceChange keep = new ReferenceChange.Keep();
        for (FilingState state : FilingState.values()) {
            CaseSnapshot snapshot = snapshot(in(state));
            assertThat(refused(snapshot, update(Optional.empty(), Optional.of(Map.of("poem", "x")), keep, keep)))
                    .isEqualTo(new FilingRefusal.InvalidField("fields/poem: no such field in brief"));
            assertThat(refused(snapshot, update(Optional.empty(), Optional.empty(), new ReferenceChange.Set(new EntryId(999)), keep))).isEqualTo(Reason.ENTRY_NOT_FOUND);
            assertThat(refused(snapshot, update(Optional.empty(), Optional.empty(), new ReferenceChange.Set(OTHERS_ENTRY), keep))).isEqualTo(Reason.NOT_YOUR_SIDE);
        }
        assertThat(refused(snapshot(draft(BRIEF)), update(Optional.empty(), Optional.empty(), new ReferenceChange.Set(OWN_SUPERSEDED), keep)))
                .isEqualTo(Reason.ENTRY_SUPERSEDED);
    }

    @Test
    void aDraftThatSupersedesWhatHasBeenSupersededSinceCanStillBeEdited() {
        Filing.Draft before = draft(BRIEF, content(Optional.of(OWN_SUPERSEDED), Optional.empty()));
        assertThat(decided(snapshot(before), Act.UPDATE.by(FILER)).filing().content().title()).isEqualTo("Another title");
        assertThat(refused(snapshot(before), Act.SUBMIT.by(FILER))).isEqualTo(Reason.ENTRY_SUPERSEDED);
    }

    @Test
    void aRejectionStaysReadableOnTheEditedDraftUntilItIsSubmitted() {
        CaseSnapshot snapshot = snapshot(rejected());
        FilingChange edited = decided(snapshot, Act.UPDATE.by(FILER));
        assertThat(edited.filing().rejection()).isEqualTo(rejected().rejection());
        assertThat(edited.filing().submission()).isEmpty();
        CaseSnapshot after = snapshot.after(edited);
        FilingChange again = decided(after, Act.SUBMIT.by(FILER));
        assertThat(again.filing().rejection()).isEmpty();
        assertThat(again.filing().state()).isEqualTo(FilingState.SUBMITTED);
    }

    @Test
    void aSubmissionFixesPhaseTimeAndApprover() {
        FilingChange change = decided(snapshot(draft(BRIEF)), Act.SUBMIT.by(FILER));
        assertThat(change.filing().submission()).contains(new Filing.Submission(NOW, Optional.of(Party.CASE_MANAGER), false));
        assertThat(change.kind()).isEqualTo(FilingChange.Kind.SUBMITTED);
        assertThat(change.entry()).isEmpty();
    }

    @Test
    void aDocumentThatNobodyApprovesIsDocketedByItsSubmissionAsOneChange() {
        FilingChange change = decided(snapshot(draft(NOTICE, content(Optional.of(OWN_ENTRY), Optional.of(OWN_REPLY)))), Act.SUBMIT.by(COLLEAGUE));
        Filing.Docketed docketed = (Filing.Docketed) change.filing();
        assertThat(docketed.entryId()).isEqualTo(NEW_ENTRY);
        assertThat(docketed.approval()).isEmpty();
        assertThat(docketed.submitted()).isEqualTo(new Filing.Submission(NOW, Optional.empty(), false));
        assertThat(docketed.document().revision()).isEqualTo(5);
        assertThat(change.kind()).isEqualTo(FilingChange.Kind.SUBMITTED_AND_DOCKETED);
        DocketEntry entry = change.entry().orElseThrow();
        assertThat(entry).isEqualTo(new DocketEntry(NEW_ENTRY, CASE, 5, ID, NOW, FILER, Optional.of(FIRM), PHASE, NOTICE, Party.CLAIMANT, "A title",
                complete(), Optional.of(OWN_ENTRY), Optional.of(OWN_REPLY), Optional.of(OTHERS_ENTRY), new EntryForm.Version2(FilingWorld.SALT, List.of()), HEAD_HASH, entry.computedHash()));
    }

    @Test
    void anApprovalDocketsAndSaysWhoApproved() {
        FilingChange change = decided(snapshot(submitted()), Act.APPROVE.by(MANAGER));
        Filing.Docketed docketed = (Filing.Docketed) change.filing();
        assertThat(docketed.approval()).contains(new Filing.Approval(MANAGER, NOW));
        assertThat(docketed.submission()).isEqualTo(submitted().submission());
        assertThat(change.entry().orElseThrow().rootEntryId()).isEmpty();
        assertThat(change.entry().orElseThrow().userId()).isEqualTo(FILER);
    }

    @Test
    void anEntryRepliedToIsTheRootWhereItIsNoReplyItself() {
        FilingChange change = decided(snapshot(draft(NOTICE, content(Optional.empty(), Optional.of(OWN_ENTRY)))), Act.SUBMIT.by(FILER));
        assertThat(change.entry().orElseThrow().rootEntryId()).contains(OWN_ENTRY);
    }

    @Test
    void noEntryBearsATimeBeforeThatOfTheEntryBefore() {
        Instant ahead = NOW.plusSeconds(30);
        CaseSnapshot snapshot = snapshot(draft(NOTICE));
        CaseSnapshot behind = new CaseSnapshot(CASE, snapshot.ruleSet(), PHASE, true, snapshot.clock(), new DocketHead(4, HEAD_HASH, ahead), snapshot.participants(),
                snapshot.filings(), snapshot.references(), snapshot.used(), snapshot.openDrafts(), snapshot.dates());
        FilingChange change = decided(behind, Act.SUBMIT.by(FILER));
        assertThat(change.entry().orElseThrow().enteredAt()).isEqualTo(ahead);
        assertThat(change.at()).isEqualTo(ahead);
        assertThat(change.filing().submission().orElseThrow().at()).isEqualTo(NOW);
    }

    @Test
    void theNextDecisionOfABatchIsMadeOnWhatTheOneBeforeLeft() {
        FilingId second = new FilingId(8);
        Filing.Draft first = draft(NOTICE, content(Optional.of(OWN_ENTRY), Optional.empty()));
        Filing.Document other = new Filing.Document(second, CASE, NOTICE, PHASE, Party.CLAIMANT, FILER, Optional.empty(),
                content(Optional.of(OWN_ENTRY), Optional.empty()), 1, CREATED, CREATED, Optional.empty());
        CaseSnapshot snapshot = snapshot(first, new Filing.Draft(other, Optional.empty()));
        FilingChange change = decided(snapshot, Act.SUBMIT.by(FILER));
        CaseSnapshot after = snapshot.after(change);
        assertThat(after.head()).isEqualTo(DocketHead.at(change.entry().orElseThrow()));
        assertThat(refused(after, new FilingCommand.Submit(CASE, FILER, second, OptionalLong.empty()))).isEqualTo(Reason.ENTRY_SUPERSEDED);
        assertThat(refused(after, Act.SUBMIT.by(FILER))).isEqualTo(new AlreadyDocketed(Verb.SUBMITTED));
    }

    @Test
    void aQuotaIsUsedBySubmissionsAndGivenBackByTheirEnd() {
        assertThat(refused(used(snapshot(draft(BRIEF)), BRIEF, 1), Act.SUBMIT.by(FILER))).isEqualTo(Reason.QUOTA_USED);
        CaseSnapshot snapshot = used(snapshot(submitted()), BRIEF, 1);
        CaseSnapshot rejected = snapshot.after(decided(snapshot, Act.REJECT.by(MANAGER)));
        CaseSnapshot edited = rejected.after(decided(rejected, Act.UPDATE.by(FILER)));
        assertThat(decided(edited, Act.SUBMIT.by(FILER)).filing().state()).isEqualTo(FilingState.SUBMITTED);
    }

    @Test
    void aDocumentThatThePhaseDoesNotKnowIsRefused() {
        assertThat(refused(snapshot(draft(AWARD)), Act.SUBMIT.by(FILER))).isEqualTo(Reason.NOT_ALLOWED_IN_PHASE);
    }

    @Test
    void aSubmissionNeedsItsRequiredFields() {
        Filing.Draft empty = draft(BRIEF, new Filing.Content("A title", Map.of(), Optional.empty(), Optional.empty()));
        assertThat(refused(snapshot(empty), Act.SUBMIT.by(FILER))).isEqualTo(new FilingRefusal.InvalidField("fields/text: is required"));
    }

    /** Day 21 after 2 November is 23 November, a Monday; the day ends at midnight in New York. */
    private static final Instant LAST_MOMENT = Instant.parse("2026-11-24T04:59:59.999Z");

    private static Decision<FilingChange, FilingRefusal> submit(DocumentTypeId type, Instant at) {
        return RULES.decide(snapshot(draft(type)), Act.SUBMIT.by(FILER), at, IDS);
    }

    @Test
    void theLastMomentOfTheLastDayIsInTime() {
        for (DocumentTypeId type : List.of(ANSWER, OBJECTION)) {
            assertThat(submit(type, LAST_MOMENT)).isInstanceOfSatisfying(Decision.Decided.class, decided ->
                    assertThat(((FilingChange) decided.value()).kind()).isEqualTo(FilingChange.Kind.SUBMITTED));
        }
    }

    @Test
    void aLateFilingIsMarkedWhereTheRuleSaysSo() {
        assertThat(submit(ANSWER, LAST_MOMENT.plusMillis(1))).isInstanceOfSatisfying(Decision.Decided.class, decided -> {
            FilingChange change = (FilingChange) decided.value();
            assertThat(change.kind()).isEqualTo(FilingChange.Kind.SUBMITTED_LATE);
            assertThat(change.filing().submission().orElseThrow().late()).isTrue();
        });
    }

    @Test
    void aLateFilingIsRefusedWhereTheRuleSaysSo() {
        assertThat(submit(OBJECTION, LAST_MOMENT.plusMillis(1))).isEqualTo(new Decision.Refused<>(new FilingRefusal.Late(LAST_MOMENT)));
    }

    @Test
    void aCheckNamesEverythingThatStandsAgainstASubmission() {
        Filing.Draft poor = draft(OBJECTION, new Filing.Content("A title", Map.of("amount", "x"), Optional.of(OWN_SUPERSEDED), Optional.empty()));
        CaseSnapshot snapshot = used(closed(snapshot(poor)), OBJECTION, 1);
        Participant observer = snapshot.participant(OBSERVER).orElseThrow();
        assertThat(RULES.problems(snapshot, observer, poor, LAST_MOMENT.plusMillis(1))).containsExactly(
                Reason.OBSERVER, Reason.CASE_CLOSED, Reason.QUOTA_USED, new FilingRefusal.Late(LAST_MOMENT), Reason.ENTRY_SUPERSEDED,
                new FilingRefusal.InvalidField("fields/text: is required"), new FilingRefusal.InvalidField("fields/amount: must be a number"));
        assertThat(RULES.terms().now(snapshot, poor).deadline().orElseThrow().date()).isEqualTo(LAST_MOMENT);
        assertThat(RULES.terms().now(snapshot, poor).approvedBy()).contains(Party.CASE_MANAGER);
    }

    @Test
    void whoMaySeeAFiling() {
        for (FilingState state : FilingState.values()) {
            Filing filing = in(state);
            CaseSnapshot snapshot = snapshot(filing);
            assertThat(Stream.of(FILER, COLLEAGUE, OBSERVER).map(snapshot::participant)).as(state.name())
                    .allMatch(own -> filing.isVisibleTo(own.orElseThrow()));
            assertThat(filing.isVisibleTo(snapshot.participant(MANAGER).orElseThrow())).as(state.name()).isEqualTo(state != FilingState.DRAFT);
            assertThat(filing.isVisibleTo(snapshot.participant(OTHER_SIDE).orElseThrow())).as(state.name()).isEqualTo(state == FilingState.DOCKETED);
        }
        Participant observingManager = Participant.joining(OUTSIDER, Optional.empty(), Party.CASE_MANAGER, false, true);
        assertThat(submitted().isVisibleTo(observingManager)).as("as the manager does").isTrue();
    }
}
