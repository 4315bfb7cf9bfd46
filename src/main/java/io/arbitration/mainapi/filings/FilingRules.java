package io.arbitration.mainapi.filings;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.hash.CanonicalJson;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.DeadlineRule;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.DocketEntry;
import io.arbitration.mainapi.docket.EntryReference;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The state machine of filings: what a command leads to on a board, or why it is refused. No I/O. */
final class FilingRules {

    private static final String DOCKET_FILING = "docket_filing";

    private final CaseRules rules;
    private final Clock clock;

    FilingRules(CaseRules rules, Clock clock) {
        this.rules = rules;
        this.clock = clock;
    }

    /**
     * Decides one command and puts the decision on the board.
     *
     * @param freshId id for what the command makes: the filing of a creation, else the docket entry
     * @throws Refusal when the command is not allowed; the board is as before
     */
    FilingDecision decide(CaseBoard board, FilingCommand command, long freshId) {
        Instant now = Timestamps.milliseconds(clock.instant());
        CaseBoard.CaseFacts facts = Optional.ofNullable(board.cases.get(command.caseId()))
                .orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
        Optional<Part> part = board.part(command.caseId(), command.by().userId());
        Filing before = command instanceof FilingCommand.Create ? null : visible(board, command, part);
        Part actor = part.orElseThrow(FilingError.NOT_A_PARTICIPANT::refusal);
        if (actor.isObserver()) {
            throw FilingError.OBSERVER.refusal();
        }
        FilingDecision decision = switch (command) {
            case FilingCommand.Create create -> create(board, facts, actor, create, freshId, now);
            case FilingCommand.Update update -> update(board, facts, actor, before, update, now);
            case FilingCommand.Submit submit -> submit(board, facts, actor, before, submit, freshId, now);
            case FilingCommand.Withdraw withdraw -> withdraw(facts, actor, before, withdraw, now);
            case FilingCommand.Approve approve -> approve(board, facts, actor, before, approve, freshId, now);
            case FilingCommand.Reject reject -> reject(facts, actor, before, reject, now);
        };
        board.apply(before, decision);
        return decision;
    }

    /** The filing of a command, if the caller may know of it; a caller without any part learns that it has none. */
    private static Filing visible(CaseBoard board, FilingCommand command, Optional<Part> part) {
        Filing filing = board.filings.get(command.filingId());
        if (filing == null || !filing.caseId().equals(command.caseId())) {
            throw part.isPresent() ? FilingError.NOT_FOUND.refusal() : FilingError.NOT_A_PARTICIPANT.refusal();
        }
        if (part.isPresent() && !isVisible(filing, part.get())) {
            throw FilingError.NOT_FOUND.refusal();
        }
        return filing;
    }

    /** The filer's side sees its own filings, the approving party those submitted to it, everyone the docketed ones. */
    static boolean isVisible(Filing filing, Part part) {
        return filing.state() == FilingState.DOCKETED
                || filing.partyId().equals(part.partyId())
                || filing.submittedAt() != null && part.partyId().equals(filing.approverParty()) && !part.isObserver();
    }

    private FilingDecision create(
            CaseBoard board, CaseBoard.CaseFacts facts, Part actor, FilingCommand.Create create, long filingId, Instant now) {
        DocumentType document = DocumentTypeId.of(create.documentId()).flatMap(rules.definitions()::document)
                .orElseThrow(FilingError.DOCUMENT_TYPE_NOT_FOUND::refusal);
        checkFields(document, create.content().fields(), false);
        Filing.Content content = create.content().title() != null ? create.content()
                : new Filing.Content(document.displayName(), create.content().fields(), create.content().supersedes(),
                        create.content().parentEntryId());
        checkReferencesExist(board, create.caseId(), content);
        checkSupersedesOwn(board, actor, content);
        checkOpen(facts);
        checkNotSuperseded(board, content);
        Filing filing = Filing.draft(filingId, create.caseId(), document.id().value(), facts.phaseId(), actor, content, now);
        return new FilingDecision(filing, null, List.of(draftedEvent(filing, now)), line(filing, create.by(), "filing.created", now));
    }

    private FilingDecision update(
            CaseBoard board, CaseBoard.CaseFacts facts, Part actor, Filing before, FilingCommand.Update update, Instant now) {
        checkSide(before, actor);
        Filing.Content old = before.content();
        Filing.Content content = new Filing.Content(update.title().orElse(old.title()), update.fields().orElse(old.fields()),
                changed(update.supersedes(), old.supersedes()), changed(update.parentEntryId(), old.parentEntryId()));
        checkFields(document(before), content.fields(), false);
        checkReferencesExist(board, update.caseId(), content);
        checkSupersedesOwn(board, actor, content);
        switch (before.state()) {
            case DRAFT, REJECTED -> { }
            case DOCKETED -> throw FilingError.ALREADY_DOCKETED.refusal("changed");
            case SUBMITTED -> throw FilingError.ALREADY_SUBMITTED.refusal();
            case WITHDRAWN -> throw FilingError.ALREADY_WITHDRAWN.refusal();
        }
        checkOpen(facts);
        if (update.supersedes().isPresent()) {
            checkNotSuperseded(board, content);
        }
        checkRevision(before, update.ifMatch());
        Filing filing = before.edited(content, now);
        return new FilingDecision(filing, null, List.of(draftedEvent(filing, now)), line(filing, update.by(), "filing.updated", now));
    }

    private FilingDecision submit(
            CaseBoard board, CaseBoard.CaseFacts facts, Part actor, Filing before, FilingCommand.Submit submit, long entryId,
            Instant now) {
        List<Refusal> problems = problems(board, facts, actor, before);
        if (!problems.isEmpty()) {
            throw problems.getFirst();
        }
        checkRevision(before, submit.ifMatch());
        Optional<String> approver = rule(facts, before).orElseThrow().approvedBy().map(PartyId::value);
        boolean late = isLate(board, facts, before, now);
        Filing submitted = before.submitted(facts.phaseId(), approver.orElse(null), late, now);
        AuditTrail.Line line = line(submitted, submit.by(), late ? "filing.submitted-late" : "filing.submitted", now);
        return approver.isPresent()
                ? new FilingDecision(submitted, null, List.of(submittedEvent(submitted, now)), line)
                : docket(board, submitted, null, submit.by(), entryId, now);
    }

    /** Everything that stands against submitting a filing now, in the order in which submit tells it. */
    List<Refusal> problems(CaseBoard board, CaseBoard.CaseFacts facts, Part part, Filing filing) {
        List<Refusal> problems = new ArrayList<>();
        if (part.isObserver()) {
            problems.add(FilingError.OBSERVER.refusal());
        }
        if (!filing.partyId().equals(part.partyId())) {
            problems.add(FilingError.NOT_YOUR_SIDE.refusal());
        }
        switch (filing.state()) {
            case DRAFT -> { }
            case DOCKETED -> problems.add(FilingError.ALREADY_DOCKETED.refusal("submitted"));
            case SUBMITTED -> problems.add(FilingError.ALREADY_SUBMITTED.refusal());
            case WITHDRAWN -> problems.add(FilingError.ALREADY_WITHDRAWN.refusal());
            case REJECTED -> problems.add(FilingError.REJECTED.refusal());
        }
        if (!facts.open()) {
            problems.add(FilingError.CASE_CLOSED.refusal());
        }
        Optional<MatrixEntry> rule = rule(facts, filing);
        if (rule.isEmpty()) {
            problems.add(FilingError.NOT_ALLOWED_IN_PHASE.refusal());
        } else if (filing.state() == FilingState.DRAFT && board.used(quotaKey(facts, filing)) >= rule.get().maxAllowed()) {
            problems.add(FilingError.QUOTA_USED.refusal());
        }
        deadline(board, facts, filing)
                .filter(deadline -> deadline.refuses(clock.instant()))
                .ifPresent(deadline -> problems.add(FilingError.LATE.refusal(Timestamps.text(deadline.date()))));
        if (filing.supersedes() != null && filing.state() != FilingState.DOCKETED && board.references.get(filing.supersedes()).superseded()) {
            problems.add(FilingError.ENTRY_SUPERSEDED.refusal());
        }
        document(filing).problems(filing.fields().getMap(), true)
                .forEach(problem -> problems.add(FilingError.INVALID_FIELD.refusal(problem)));
        return problems;
    }

    private FilingDecision withdraw(
            CaseBoard.CaseFacts facts, Part actor, Filing before, FilingCommand.Withdraw withdraw, Instant now) {
        checkSide(before, actor);
        switch (before.state()) {
            case DRAFT, SUBMITTED, REJECTED -> { }
            case DOCKETED -> throw FilingError.ALREADY_DOCKETED.refusal("withdrawn");
            case WITHDRAWN -> throw FilingError.ALREADY_WITHDRAWN.refusal();
        }
        checkOpen(facts);
        checkRevision(before, withdraw.ifMatch());
        Filing filing = before.withdrawn(now);
        return new FilingDecision(filing, null, List.of(), line(filing, withdraw.by(), "filing.withdrawn", now));
    }

    private FilingDecision approve(
            CaseBoard board, CaseBoard.CaseFacts facts, Part actor, Filing before, FilingCommand.Approve approve, long entryId,
            Instant now) {
        checkApprover(facts, before, actor, "approved");
        checkNotSuperseded(board, before.content());
        checkRevision(before, approve.ifMatch());
        return docket(board, before, approve.by().userId(), approve.by(), entryId, now);
    }

    private FilingDecision reject(
            CaseBoard.CaseFacts facts, Part actor, Filing before, FilingCommand.Reject reject, Instant now) {
        checkApprover(facts, before, actor, "rejected");
        checkRevision(before, reject.ifMatch());
        Filing filing = before.rejected(actor.userId(), reject.reason(), now);
        return new FilingDecision(filing, null, List.of(rejectedEvent(filing, now)), line(filing, reject.by(), "filing.rejected", now));
    }

    /** The approving party decides, never the filer, whatever part the filer has got since. */
    private void checkApprover(CaseBoard.CaseFacts facts, Filing filing, Part actor, String deed) {
        String approver = filing.approverParty() != null ? filing.approverParty()
                : rule(facts, filing).flatMap(MatrixEntry::approvedBy).map(PartyId::value).orElse(null);
        if (filing.userId().equals(actor.userId()) && actor.partyId().equals(approver)) {
            throw FilingError.OWN_DOCUMENT.refusal();
        }
        if (!actor.partyId().equals(approver)) {
            throw FilingError.NOT_APPROVER.refusal();
        }
        switch (filing.state()) {
            case SUBMITTED -> { }
            case DOCKETED -> throw FilingError.ALREADY_DOCKETED.refusal(deed);
            case DRAFT, REJECTED, WITHDRAWN -> throw FilingError.NOT_SUBMITTED.refusal();
        }
        checkOpen(facts);
    }

    private FilingDecision docket(
            CaseBoard board, Filing submitted, UUID approvedBy, FilingCommand.By by, long entryId, Instant clockTime) {
        CaseBoard.Head head = board.heads.get(submitted.caseId());
        // The entry before may have been made by a node whose clock is ahead of this one.
        Instant now = clockTime.isBefore(head.enteredAt()) ? head.enteredAt() : clockTime;
        Filing filing = submitted.docketed(approvedBy, entryId, now);
        Long parent = filing.parentEntryId();
        Long root = parent == null ? null : Optional.ofNullable(board.references.get(parent).rootEntryId()).orElse(parent);
        DocketEntry entry = new DocketEntry(entryId, filing.caseId(), head.lastNumber() + 1, filing.filingId(), now,
                filing.userId(), filing.organizationId(), filing.phaseId(), filing.documentId(), filing.partyId(), filing.title(),
                filing.fields(), filing.supersedes(), parent, root, head.hash(), "").hashed();
        Event event = new Event(UUID.randomUUID(), DOCKET_FILING, filing.caseId(), Optional.of(filing.userId()), now, entry.eventData());
        String action = approvedBy == null ? "filing.submitted-and-docketed" : "filing.approved";
        return new FilingDecision(filing, entry, List.of(event), line(filing, by, action, now));
    }

    /** Under which terms a filing would be submitted now; null where there are none. */
    record Terms(String approvedBy, JsonObject deadline) {}

    Terms terms(CaseBoard board, CaseBoard.CaseFacts facts, Filing filing) {
        String approver = filing.approverParty() != null ? filing.approverParty()
                : rule(facts, filing).flatMap(MatrixEntry::approvedBy).map(PartyId::value).orElse(null);
        return new Terms(approver, deadline(board, facts, filing).map(FilingRules::json).orElse(null));
    }

    private static JsonObject json(Deadline deadline) {
        return new JsonObject()
                .put("date", Timestamps.text(deadline.date()))
                .put("rule", deadline.rule())
                .put("trigger", Timestamps.text(deadline.trigger()))
                .put("rawDate", deadline.rawDate().toString())
                .put("rolledDate", deadline.rolledDate().toString());
    }

    /** Whether the terms of a filing, if it were submitted now, include a deadline, so that the board needs its dates. */
    boolean hasDeadline(CaseBoard.CaseFacts facts, Filing filing) {
        return filing.state() == FilingState.DRAFT && rule(facts, filing).flatMap(MatrixEntry::deadline).isPresent();
    }

    /** Document types whose docketing starts a deadline in some rule set. */
    String[] triggerDocuments() {
        return rules.definitions().ruleSets().stream()
                .flatMap(ruleSet -> ruleSet.phases().stream())
                .flatMap(phase -> phase.documents().stream())
                .flatMap(entry -> entry.deadline().stream())
                .map(DeadlineRule::trigger)
                .filter(DeadlineRule.Trigger.DocumentDocketed.class::isInstance)
                .map(trigger -> ((DeadlineRule.Trigger.DocumentDocketed) trigger).documentId().value())
                .distinct()
                .toArray(String[]::new);
    }

    private Optional<Deadline> deadline(CaseBoard board, CaseBoard.CaseFacts facts, Filing filing) {
        CaseDates dates = board.dates.get(facts.caseId());
        return dates == null || filing.state() != FilingState.DRAFT ? Optional.empty()
                : rule(facts, filing).flatMap(entry -> rules.deadline(facts.ruleSet(), entry, dates));
    }

    private boolean isLate(CaseBoard board, CaseBoard.CaseFacts facts, Filing filing, Instant now) {
        return deadline(board, facts, filing).filter(deadline -> deadline.isPast(now)).isPresent();
    }

    private Optional<MatrixEntry> rule(CaseBoard.CaseFacts facts, Filing filing) {
        return rules.entry(facts.ruleSet(), new PhaseId(facts.phaseId()), new DocumentTypeId(filing.documentId()), new PartyId(filing.partyId()));
    }

    private DocumentType document(Filing filing) {
        return rules.definitions().document(new DocumentTypeId(filing.documentId())).orElseThrow(FilingError.DOCUMENT_TYPE_NOT_FOUND::refusal);
    }

    static CaseBoard.QuotaKey quotaKey(CaseBoard.CaseFacts facts, Filing filing) {
        return new CaseBoard.QuotaKey(filing.caseId(), facts.phaseId(), filing.partyId(), filing.documentId());
    }

    private static Long changed(OptionalLong change, Long old) {
        if (change.isEmpty()) {
            return old;
        }
        return change.getAsLong() == 0 ? null : change.getAsLong();
    }

    private static void checkFields(DocumentType document, JsonObject fields, boolean complete) {
        List<String> problems = document.problems(fields.getMap(), complete);
        if (!problems.isEmpty()) {
            throw FilingError.INVALID_FIELD.refusal(problems.getFirst());
        }
        fields.forEach(field -> {
            if (field.getValue() instanceof Number number && !CanonicalJson.isExact(number)) {
                throw FilingError.INVALID_FIELD.refusal(
                        "fields/%s: more digits than a JSON number keeps, send it as a string".formatted(field.getKey()));
            }
        });
    }

    /** What one side said, the other can't declare superseded. */
    private static void checkSupersedesOwn(CaseBoard board, Part actor, Filing.Content content) {
        if (content.supersedes() != null && !board.references.get(content.supersedes()).partyId().equals(actor.partyId())) {
            throw FilingError.NOT_YOUR_SIDE.refusal();
        }
    }

    private static void checkReferencesExist(CaseBoard board, UUID caseId, Filing.Content content) {
        for (Long entryId : new Long[] {content.supersedes(), content.parentEntryId()}) {
            EntryReference reference = entryId == null ? null : board.references.get(entryId);
            if (entryId != null && (reference == null || !reference.caseId().equals(caseId))) {
                throw FilingError.ENTRY_NOT_FOUND.refusal();
            }
        }
    }

    private static void checkNotSuperseded(CaseBoard board, Filing.Content content) {
        if (content.supersedes() != null && board.references.get(content.supersedes()).superseded()) {
            throw FilingError.ENTRY_SUPERSEDED.refusal();
        }
    }

    private static void checkSide(Filing filing, Part actor) {
        if (!filing.partyId().equals(actor.partyId())) {
            throw FilingError.NOT_YOUR_SIDE.refusal();
        }
    }

    private static void checkOpen(CaseBoard.CaseFacts facts) {
        if (!facts.open()) {
            throw FilingError.CASE_CLOSED.refusal();
        }
    }

    private static void checkRevision(Filing filing, OptionalLong ifMatch) {
        if (ifMatch.isPresent() && ifMatch.getAsLong() != filing.revision()) {
            throw FilingError.STALE.refusal();
        }
    }

    private static AuditTrail.Line line(Filing filing, FilingCommand.By by, String action, Instant now) {
        return new AuditTrail.Line(filing.caseId(), now, by.userId(), action, String.valueOf(filing.filingId()), by.requestId(), by.address());
    }

    /** For the platform alone: the published view of the log leaves this kind out, and so nobody is told. */
    private static Event draftedEvent(Filing filing, Instant now) {
        return new Event(UUID.randomUUID(), "filing_drafted", filing.caseId(), Optional.of(filing.userId()), now,
                reference(filing).put("revision", filing.revision()));
    }

    private static Event submittedEvent(Filing filing, Instant now) {
        return new Event(UUID.randomUUID(), "filing_submitted", filing.caseId(), Optional.of(filing.userId()), now, reference(filing));
    }

    private static Event rejectedEvent(Filing filing, Instant now) {
        return new Event(UUID.randomUUID(), "filing_rejected", filing.caseId(), Optional.of(filing.decidedBy()), now, reference(filing));
    }

    /** All that an event says of a filing that is not docketed: every side is told of it, and not every side may view it. */
    private static JsonObject reference(Filing filing) {
        return new JsonObject()
                .put("caseID", filing.caseId().toString())
                .put("filingID", String.valueOf(filing.filingId()));
    }
}
