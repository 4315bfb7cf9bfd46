package io.arbitration.domain.filing;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.Field;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.cases.ScheduledPhase;
import io.arbitration.domain.cases.Section;
import io.arbitration.domain.docket.DocketHead;
import io.arbitration.domain.docket.EntryReference;
import io.arbitration.domain.text.FieldType;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Closures;
import io.arbitration.domain.time.DeadlineRule;
import io.arbitration.domain.time.LateFiling;
import io.arbitration.domain.time.NumberOfDays;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A small rule set, a case with people in it, and filings in every state: what tests of the rules decide on. */
final class FilingWorld {

    static final Instant CREATED = Instant.parse("2026-11-02T15:00:00Z");
    static final Instant NOW = Instant.parse("2026-11-05T12:00:00Z");
    static final int DRAFTS_MAX = 3;

    /** Approved by the case manager, once a phase and party. */
    static final DocumentTypeId BRIEF = new DocumentTypeId("brief");
    /** Docketed by its submission. */
    static final DocumentTypeId NOTICE = new DocumentTypeId("notice");
    /** Due 21 days after the start of the phase, New York time; refused when late. */
    static final DocumentTypeId OBJECTION = new DocumentTypeId("objection");
    /** The same, but only marked when late. */
    static final DocumentTypeId ANSWER = new DocumentTypeId("answer");
    /** Allowed in no phase of the case. */
    static final DocumentTypeId AWARD = new DocumentTypeId("award");
    static final PhaseId PHASE = new PhaseId("response");

    static final CaseId CASE = new CaseId(new UUID(0, 1));
    static final UserId FILER = user(1);
    static final UserId COLLEAGUE = user(2);
    static final UserId OBSERVER = user(3);
    static final UserId OTHER_SIDE = user(4);
    static final UserId MANAGER = user(5);
    static final UserId OUTSIDER = user(6);
    static final OrganizationId FIRM = new OrganizationId(new UUID(9, 9));

    static final FilingId ID = new FilingId(7);
    static final EntryId OWN_ENTRY = new EntryId(70);
    static final EntryId OWN_REPLY = new EntryId(71);
    static final EntryId OWN_SUPERSEDED = new EntryId(72);
    static final EntryId OTHERS_ENTRY = new EntryId(73);
    static final EntryId NEW_ENTRY = new EntryId(100);
    static final FilingId NEW_FILING = new FilingId(100);
    static final String HEAD_HASH = "ab".repeat(32);

    static final FilingRules RULES = new FilingRules(rules(), DRAFTS_MAX);

    private FilingWorld() {}

    private static UserId user(int number) {
        return new UserId(new UUID(1, number));
    }

    private static CaseRules rules() {
        DeadlineRule refused = new DeadlineRule(new DeadlineRule.Trigger.PhaseStart(), new NumberOfDays.Fixed(21),
                DeadlineRule.DayCount.CALENDAR_DAYS, LateFiling.REFUSE);
        DeadlineRule marked = new DeadlineRule(new DeadlineRule.Trigger.PhaseStart(), new NumberOfDays.Fixed(21),
                DeadlineRule.DayCount.CALENDAR_DAYS, LateFiling.MARK);
        List<PartyId> sides = List.of(Party.CLAIMANT, Party.RESPONDENT);
        ScheduledPhase phase = new ScheduledPhase(PHASE, new NumberOfDays.Fixed(30), List.of(
                new MatrixEntry(PHASE, BRIEF, sides, Optional.of(Party.CASE_MANAGER), 1, false, Optional.empty()),
                new MatrixEntry(PHASE, NOTICE, sides, Optional.empty(), 5, false, Optional.empty()),
                new MatrixEntry(PHASE, OBJECTION, sides, Optional.of(Party.CASE_MANAGER), 1, false, Optional.of(refused)),
                new MatrixEntry(PHASE, ANSWER, sides, Optional.of(Party.CASE_MANAGER), 1, false, Optional.of(marked))));
        RuleSet ruleSet = new RuleSet("small", "Small", "", ZoneId.of("America/New_York"), "none", Closures.NONE, Optional.empty(), 14, List.of(14), List.of(7, 1), List.of(phase));
        Section section = new Section("Content", "", 1, List.of(
                new Field("text", "Text", true, 1, 20, 1, FieldType.TEXT), new Field("amount", "Amount", false, 1, 40, 2, FieldType.DECIMAL)));
        return CaseRules.of(new Definitions(
                Stream.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR).map(id -> new Party(id, id.value(), "")).toList(),
                List.of(new Phase(PHASE, "Response", "", 0)),
                Stream.of(BRIEF, NOTICE, OBJECTION, ANSWER, AWARD).map(id -> new DocumentType(id, "A " + id, "", List.of(section))).toList(),
                List.of(), List.of(), List.of(ruleSet)), calendar -> day -> false);
    }

    static Map<String, Object> complete() {
        return Map.of("text", "All of it.");
    }

    static Filing.Content content() {
        return new Filing.Content("A title", complete(), Optional.empty(), Optional.empty());
    }

    static Filing.Content content(Optional<EntryId> supersedes, Optional<EntryId> parent) {
        return new Filing.Content("A title", complete(), supersedes, parent);
    }

    static Filing.Draft draft(DocumentTypeId type) {
        return draft(type, content());
    }

    static Filing.Draft draft(DocumentTypeId type, Filing.Content content) {
        return new Filing.Draft(new Filing.Document(ID, CASE, type, PHASE, Party.CLAIMANT, FILER, Optional.of(FIRM), content, 4, CREATED, CREATED, Optional.empty()),
                Optional.empty());
    }

    static Filing.Submitted submitted() {
        return draft(BRIEF).submitted(PHASE, new Filing.Submission(CREATED, Optional.of(Party.CASE_MANAGER), false));
    }

    static Filing.Rejected rejected() {
        return submitted().rejected(new Filing.Rejection(MANAGER, CREATED, "incomplete"));
    }

    /** A brief in that state, filed by the claimant's filer. */
    static Filing in(FilingState state) {
        return switch (state) {
            case DRAFT -> draft(BRIEF);
            case SUBMITTED -> submitted();
            case DOCKETED -> submitted().approved(new Filing.Approval(MANAGER, CREATED), OWN_ENTRY);
            case REJECTED -> rejected();
            // Withdrawn after its submission, so that the approving party still sees it.
            case WITHDRAWN -> submitted().withdrawn(CREATED);
        };
    }

    static CaseSnapshot snapshot(Filing... filings) {
        Map<UserId, Participant> people = Stream.of(
                        Participant.joining(FILER, Optional.of(FIRM), Party.CLAIMANT, true, false),
                        Participant.joining(COLLEAGUE, Optional.empty(), Party.CLAIMANT, false, false),
                        Participant.joining(OBSERVER, Optional.empty(), Party.CLAIMANT, false, true),
                        Participant.joining(OTHER_SIDE, Optional.empty(), Party.RESPONDENT, true, false),
                        Participant.joining(MANAGER, Optional.empty(), Party.CASE_MANAGER, false, false))
                .collect(Collectors.toMap(Participant::userId, participant -> participant));
        Map<EntryId, EntryReference> references = Stream.of(
                        new EntryReference(OWN_ENTRY, Party.CLAIMANT, Optional.empty(), false),
                        new EntryReference(OWN_REPLY, Party.CLAIMANT, Optional.of(OTHERS_ENTRY), false),
                        new EntryReference(OWN_SUPERSEDED, Party.CLAIMANT, Optional.empty(), true),
                        new EntryReference(OTHERS_ENTRY, Party.RESPONDENT, Optional.empty(), false))
                .collect(Collectors.toMap(EntryReference::entryId, reference -> reference));
        return new CaseSnapshot(CASE, "small", PHASE, true, CaseClock.PLATFORM, new DocketHead(4, HEAD_HASH, CREATED), people,
                Stream.of(filings).collect(Collectors.toMap(Filing::filingId, filing -> filing)), references, Map.of(), Map.of(),
                Optional.of(new CaseDates(14, CREATED, Map.of(PHASE, CREATED), List.of(), Map.of(), Optional.empty())));
    }

    static CaseSnapshot closed(CaseSnapshot open) {
        return new CaseSnapshot(open.caseId(), open.ruleSet(), open.phaseId(), false, open.clock(), open.head(), open.participants(), open.filings(),
                open.references(), open.used(), open.openDrafts(), open.dates());
    }

    static CaseSnapshot used(CaseSnapshot snapshot, DocumentTypeId type, int times) {
        return snapshot.with(snapshot.references(), Map.of(new CaseSnapshot.Quota(PHASE, Party.CLAIMANT, type), times), snapshot.openDrafts(),
                snapshot.dates());
    }

    /** What may be asked of a filing that there is. */
    enum Act {
        UPDATE, SUBMIT, WITHDRAW, APPROVE, REJECT;

        FilingCommand by(UserId user) {
            return by(user, OptionalLong.empty());
        }

        FilingCommand by(UserId user, OptionalLong ifMatch) {
            return switch (this) {
                case UPDATE -> new FilingCommand.Update(CASE, user, ID, ifMatch, Optional.of("Another title"), Optional.empty(),
                        new FilingCommand.ReferenceChange.Keep(), new FilingCommand.ReferenceChange.Keep());
                case SUBMIT -> new FilingCommand.Submit(CASE, user, ID, ifMatch);
                case WITHDRAW -> new FilingCommand.Withdraw(CASE, user, ID, ifMatch);
                case APPROVE -> new FilingCommand.Approve(CASE, user, ID, ifMatch);
                case REJECT -> new FilingCommand.Reject(CASE, user, ID, ifMatch, "incomplete");
            };
        }

        /** Who of those in the case may do it. */
        UserId actor() {
            return this == APPROVE || this == REJECT ? MANAGER : FILER;
        }
    }

    static FilingCommand.Create create(UserId by, DocumentTypeId type) {
        return new FilingCommand.Create(CASE, by, Optional.of(type), Optional.empty(), Map.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    static final String SALT = "ab".repeat(32);
    /** The ids that every command gets. */
    static final IdGenerator IDS = new IdGenerator() {
        @Override
        public FilingId filing() {
            return NEW_FILING;
        }

        @Override
        public EntryId entry() {
            return NEW_ENTRY;
        }

        @Override
        public String salt() {
            return SALT;
        }
    };

    static Decision<FilingChange, FilingRefusal> decide(CaseSnapshot snapshot, FilingCommand command) {
        return RULES.decide(snapshot, command, NOW, IDS);
    }

    /** What is changed; fails when the command is refused. */
    static FilingChange decided(CaseSnapshot snapshot, FilingCommand command) {
        return switch (decide(snapshot, command)) {
            case Decision.Decided<FilingChange, FilingRefusal>(FilingChange change) -> change;
            case Decision.Refused<FilingChange, FilingRefusal>(FilingRefusal reason) -> throw new AssertionError("refused: " + reason);
        };
    }

    /** Why the command is refused; fails when it is carried out. */
    static FilingRefusal refused(CaseSnapshot snapshot, FilingCommand command) {
        return switch (decide(snapshot, command)) {
            case Decision.Decided<FilingChange, FilingRefusal>(FilingChange change) -> throw new AssertionError("carried out: " + change);
            case Decision.Refused<FilingChange, FilingRefusal>(FilingRefusal reason) -> reason;
        };
    }
}
