package io.arbitration.domain.filing;

import io.arbitration.domain.Decision;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.FileRule;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.docket.DocketHead;
import io.arbitration.domain.docket.EntryForm;
import io.arbitration.domain.docket.EntryReference;
import io.arbitration.domain.filing.FilingCommand.Approve;
import io.arbitration.domain.filing.FilingCommand.Create;
import io.arbitration.domain.filing.FilingCommand.Reject;
import io.arbitration.domain.filing.FilingCommand.Submit;
import io.arbitration.domain.filing.FilingCommand.Update;
import io.arbitration.domain.filing.FilingCommand.Withdraw;
import io.arbitration.domain.filing.FilingRefusal.Reason;
import io.arbitration.domain.hash.CanonicalJson;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.DeadlineRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rules of filings: what a command leads to, or why it is refused. Refusals are looked for in the order of the
 * specification: existence, participation, role, state; the first one found is the answer.
 */
public final class FilingRules {

    private final CaseRules rules;
    private final int openDraftsMax;

    /** @param openDraftsMax how many drafts a party can have open in a case */
    public FilingRules(CaseRules rules, int openDraftsMax) {
        this.rules = rules;
        this.openDraftsMax = openDraftsMax;
    }

    /** @param now in milliseconds, so that what is stored and hashed is what is shown */
    public Decision<FilingChange, FilingRefusal> decide(CaseSnapshot snapshot, FilingCommand command, Instant now, FreshIds ids) {
        Optional<Participant> participant = snapshot.participant(command.by());
        return switch (command) {
            case Create create -> create(snapshot, participant, create, now, ids);
            case FilingCommand.OnFiling onFiling -> onFiling(snapshot, participant, onFiling, now, ids);
        };
    }

    private Decision<FilingChange, FilingRefusal> onFiling(
            CaseSnapshot snapshot, Optional<Participant> participant, FilingCommand.OnFiling command, Instant now, FreshIds ids) {
        // A user without a part in the case learns that, and not whether the filing exists.
        if (participant.isEmpty()) {
            return refused(Reason.NOT_A_PARTICIPANT);
        }
        Participant actor = participant.get();
        Optional<Filing> found = snapshot.filing(command.filingId()).filter(filing -> filing.isVisibleTo(actor));
        if (found.isEmpty()) {
            return refused(Reason.FILING_NOT_FOUND);
        }
        if (actor.isObserver()) {
            return refused(Reason.OBSERVER);
        }
        if (!actor.mayFile() && isFiling(command)) {
            return refused(Reason.MAY_NOT_FILE);
        }
        Filing filing = found.get();
        return switch (command) {
            case Update update -> update(snapshot, actor, filing, update, now);
            case FilingCommand.OnFile onFile -> onFile(snapshot, actor, filing, onFile, now);
            case Submit submit -> submit(snapshot, actor, filing, submit, now, ids);
            case Withdraw withdraw -> withdraw(snapshot, actor, filing, withdraw, now);
            case Approve approve -> approve(snapshot, actor, filing, approve, now, ids);
            case Reject reject -> reject(snapshot, actor, filing, reject, now);
        };
    }

    /** Whether a command files something, and does not decide on what was filed. */
    private static boolean isFiling(FilingCommand.OnFiling command) {
        return switch (command) {
            case Update update -> true;
            case FilingCommand.OnFile onFile -> true;
            case Submit submit -> true;
            case Withdraw withdraw -> true;
            case Approve approve -> false;
            case Reject reject -> false;
        };
    }

    private Decision<FilingChange, FilingRefusal> create(CaseSnapshot snapshot, Optional<Participant> participant, Create create, Instant now, FreshIds ids) {
        if (participant.isEmpty()) {
            return refused(Reason.NOT_A_PARTICIPANT);
        }
        Participant actor = participant.get();
        if (actor.isObserver()) {
            return refused(Reason.OBSERVER);
        }
        if (!actor.mayFile()) {
            return refused(Reason.MAY_NOT_FILE);
        }
        Optional<DocumentType> type = create.documentTypeId().flatMap(rules.definitions()::document);
        if (type.isEmpty()) {
            return refused(Reason.DOCUMENT_TYPE_NOT_FOUND);
        }
        Filing.Content content = new Filing.Content(create.title().orElse(type.get().displayName()), create.fields(), create.supersedes(),
                create.parentEntryId());
        return first(
                () -> invalidField(type.get(), content.fields()),
                () -> unknownReference(snapshot, content),
                () -> when(!create.sealed().stream().flatMap(seal -> seal.visibleTo().stream())
                        .allMatch(party -> rules.definitions().party(party).isPresent()), Reason.PARTY_NOT_FOUND),
                () -> supersedesTheOtherSide(snapshot, actor, content),
                () -> when(!snapshot.isOpen(), Reason.CASE_CLOSED),
                () -> superseded(snapshot, content),
                () -> when(snapshot.openDrafts(actor.partyId()) >= openDraftsMax, new FilingRefusal.TooManyDrafts(openDraftsMax)))
                .orElseGet(() -> done(new Filing.Draft(new Filing.Document(ids.filing(), snapshot.caseId(), create.documentTypeId().orElseThrow(),
                        snapshot.phaseId(), actor.partyId(), actor.userId(), actor.organizationId(), content, 1, now, now, create.sealed()), Optional.empty()),
                        FilingChange.Kind.CREATED, actor.userId(), now));
    }

    private Decision<FilingChange, FilingRefusal> update(CaseSnapshot snapshot, Participant actor, Filing filing, Update update, Instant now) {
        if (!filing.partyId().equals(actor.partyId())) {
            return refused(Reason.NOT_YOUR_SIDE);
        }
        Optional<DocumentType> type = documentType(filing);
        if (type.isEmpty()) {
            return refused(Reason.DOCUMENT_TYPE_NOT_FOUND);
        }
        Filing.Content old = filing.content();
        Filing.Content content = new Filing.Content(update.title().orElse(old.title()), update.fields().orElse(old.fields()),
                update.supersedes().appliedTo(old.supersedes()), update.parentEntryId().appliedTo(old.parentEntryId()), old.files());
        boolean setsSupersedes = !(update.supersedes() instanceof FilingCommand.ReferenceChange.Keep);
        Supplier<Optional<Decision<FilingChange, FilingRefusal>>> editable = () -> first(
                () -> when(!snapshot.isOpen(), Reason.CASE_CLOSED),
                () -> setsSupersedes ? superseded(snapshot, content) : Optional.empty(),
                () -> stale(filing, update.ifMatch()));
        return first(
                () -> invalidField(type.get(), content.fields()),
                () -> unknownReference(snapshot, content),
                () -> supersedesTheOtherSide(snapshot, actor, content))
                .orElseGet(() -> switch (filing) {
                    case Filing.Draft draft -> editable.get()
                            .orElseGet(() -> done(draft.edited(content, now), FilingChange.Kind.UPDATED, actor.userId(), now));
                    case Filing.Rejected rejected -> editable.get()
                            .orElseGet(() -> done(rejected.edited(content, now), FilingChange.Kind.UPDATED, actor.userId(), now));
                    case Filing.Docketed docketed -> refused(new FilingRefusal.AlreadyDocketed(FilingRefusal.Verb.CHANGED));
                    case Filing.Submitted submitted -> refused(Reason.ALREADY_SUBMITTED);
                    case Filing.Withdrawn withdrawn -> refused(Reason.ALREADY_WITHDRAWN);
                });
    }

    private Decision<FilingChange, FilingRefusal> onFile(CaseSnapshot snapshot, Participant actor, Filing filing, FilingCommand.OnFile command, Instant now) {
        Optional<FilingRefusal> refusal = switch (command) {
            case FilingCommand.AddFile add -> refusesFile(snapshot, actor, filing);
            case FilingCommand.UpdateFile update -> refusesChangeOfFile(snapshot, actor, filing, update);
            case FilingCommand.RemoveFile remove -> refusesChangeOfFile(snapshot, actor, filing, remove);
        };
        return first(() -> refusal, () -> stale(filing, command.ifMatch())).orElseGet(() -> {
            Filing.Content content = filing.content().withFiles(filesAfter(filing.content(), command));
            FilingChange.Kind kind = switch (command) {
                case FilingCommand.AddFile add -> FilingChange.Kind.FILE_ADDED;
                case FilingCommand.UpdateFile update -> FilingChange.Kind.FILE_UPDATED;
                case FilingCommand.RemoveFile remove -> FilingChange.Kind.FILE_REMOVED;
            };
            return done(switch (filing) {
                case Filing.Draft draft -> draft.edited(content, now);
                case Filing.Rejected rejected -> rejected.edited(content, now);
                case Filing.Submitted closed -> throw new IllegalStateException("a submitted filing is not changed");
                case Filing.Docketed closed -> throw new IllegalStateException("a docketed filing is not changed");
                case Filing.Withdrawn closed -> throw new IllegalStateException("a withdrawn filing is not changed");
            }, kind, actor.userId(), now);
        });
    }

    private static List<FiledFile> filesAfter(Filing.Content content, FilingCommand.OnFile command) {
        List<FiledFile> files = new ArrayList<>(content.files());
        switch (command) {
            case FilingCommand.AddFile add -> files.add(add.file());
            case FilingCommand.RemoveFile remove -> files.removeIf(file -> file.fileId().equals(remove.fileId()));
            case FilingCommand.UpdateFile update -> {
                FiledFile before = content.file(update.fileId()).orElseThrow();
                int place = files.indexOf(before);
                files.remove(place);
                files.add(update.position().orElse(place + 1) - 1, before.titled(update.title().orElse(before.title())));
            }
        }
        return files;
    }

    /**
     * Why a participant may not add a file to a filing that it sees; what its content may be is no matter here.
     *
     * @param snapshot may be read without locks, to tell early what would be refused later
     */
    public Optional<FilingRefusal> refusesFile(CaseSnapshot snapshot, Participant actor, Filing filing) {
        if (actor.isObserver()) {
            return Optional.of(Reason.OBSERVER);
        }
        if (!actor.mayFile()) {
            return Optional.of(Reason.MAY_NOT_FILE);
        }
        if (!filing.partyId().equals(actor.partyId())) {
            return Optional.of(Reason.NOT_YOUR_SIDE);
        }
        Optional<DocumentType> type = documentType(filing);
        if (type.isEmpty()) {
            return Optional.of(Reason.DOCUMENT_TYPE_NOT_FOUND);
        }
        int most = type.get().files().maxCount();
        return refusesEdit(snapshot, filing)
                .or(() -> when(filing.content().files().size() >= most, new FilingRefusal.TooManyFiles(most)));
    }

    private static Optional<FilingRefusal> refusesChangeOfFile(CaseSnapshot snapshot, Participant actor, Filing filing, FilingCommand.OnFile command) {
        if (!filing.partyId().equals(actor.partyId())) {
            return Optional.of(Reason.NOT_YOUR_SIDE);
        }
        int count = filing.content().files().size();
        if (filing.content().file(command.fileId()).isEmpty()) {
            return Optional.of(Reason.FILE_NOT_FOUND);
        }
        boolean behind = command instanceof FilingCommand.UpdateFile update && update.position().orElse(1) > count;
        return behind ? Optional.of(new FilingRefusal.InvalidField("position: from 1 to %d".formatted(count))) : refusesEdit(snapshot, filing);
    }

    /** Why nobody may change what is filed, by the state of the filing and the case. */
    private static Optional<FilingRefusal> refusesEdit(CaseSnapshot snapshot, Filing filing) {
        return switch (filing) {
            case Filing.Draft draft -> when(!snapshot.isOpen(), Reason.CASE_CLOSED);
            case Filing.Rejected rejected -> when(!snapshot.isOpen(), Reason.CASE_CLOSED);
            case Filing.Docketed docketed -> Optional.of(new FilingRefusal.AlreadyDocketed(FilingRefusal.Verb.CHANGED));
            case Filing.Submitted submitted -> Optional.of(Reason.ALREADY_SUBMITTED);
            case Filing.Withdrawn withdrawn -> Optional.of(Reason.ALREADY_WITHDRAWN);
        };
    }

    private Decision<FilingChange, FilingRefusal> submit(CaseSnapshot snapshot, Participant actor, Filing filing, Submit submit, Instant now, FreshIds ids) {
        List<FilingRefusal> problems = problems(snapshot, actor, filing, now);
        if (!problems.isEmpty()) {
            return refused(problems.getFirst());
        }
        Filing.Draft draft = switch (filing) {
            case Filing.Draft open -> open;
            case Filing.Rejected rejected -> rejected.reopened();
            case Filing.Docketed docketed -> throw submittable(docketed);
            case Filing.Submitted submitted -> throw submittable(submitted);
            case Filing.Withdrawn withdrawn -> throw submittable(withdrawn);
        };
        return first(() -> stale(filing, submit.ifMatch())).orElseGet(() -> {
            Optional<PartyId> approver = rule(snapshot, filing).flatMap(MatrixEntry::approvedBy);
            boolean late = deadline(snapshot, filing).filter(deadline -> deadline.isPast(now)).isPresent();
            Filing.Submitted submitted = draft.submitted(snapshot.phaseId(), new Filing.Submission(now, approver, late));
            return approver.isEmpty() ? docketedAtOnce(snapshot, submitted, actor.userId(), now, ids)
                    : done(submitted, late ? FilingChange.Kind.SUBMITTED_LATE : FilingChange.Kind.SUBMITTED, actor.userId(), now);
        });
    }

    private static IllegalStateException submittable(Filing filing) {
        return new IllegalStateException("nothing stands against submitting a filing that is %s".formatted(filing.state()));
    }

    /** Everything that stands against submitting a filing now, in the order in which a submission would answer it. */
    public List<FilingRefusal> problems(CaseSnapshot snapshot, Participant participant, Filing filing, Instant now) {
        List<FilingRefusal> problems = new ArrayList<>();
        when(participant.isObserver(), Reason.OBSERVER).ifPresent(problems::add);
        when(!participant.mayFile(), Reason.MAY_NOT_FILE).ifPresent(problems::add);
        when(!filing.partyId().equals(participant.partyId()), Reason.NOT_YOUR_SIDE).ifPresent(problems::add);
        switch (filing) {
            case Filing.Draft draft -> { }
            case Filing.Docketed docketed -> problems.add(new FilingRefusal.AlreadyDocketed(FilingRefusal.Verb.SUBMITTED));
            case Filing.Submitted submitted -> problems.add(Reason.ALREADY_SUBMITTED);
            case Filing.Withdrawn withdrawn -> problems.add(Reason.ALREADY_WITHDRAWN);
            case Filing.Rejected rejected -> { }
        }
        when(!snapshot.isOpen(), Reason.CASE_CLOSED).ifPresent(problems::add);
        Optional<MatrixEntry> rule = rule(snapshot, filing);
        if (rule.isEmpty()) {
            problems.add(Reason.NOT_ALLOWED_IN_PHASE);
        } else if (filing.isOpenDraft() && snapshot.used(snapshot.quotaNow(filing)) >= rule.get().maxAllowed()) {
            problems.add(Reason.QUOTA_USED);
        }
        deadline(snapshot, filing).filter(deadline -> deadline.refuses(now))
                .ifPresent(deadline -> problems.add(new FilingRefusal.Late(deadline.date())));
        if (!(filing instanceof Filing.Docketed)) {
            superseded(snapshot, filing.content()).ifPresent(problems::add);
        }
        documentType(filing).ifPresentOrElse(
                type -> {
                    type.problems(filing.content().fields(), true).forEach(problem -> problems.add(new FilingRefusal.InvalidField(problem)));
                    when(type.files().required() && filing.content().files().isEmpty(), new FilingRefusal.InvalidField("files: at least one is required"))
                            .ifPresent(problems::add);
                },
                () -> problems.add(Reason.DOCUMENT_TYPE_NOT_FOUND));
        return problems;
    }

    private static Decision<FilingChange, FilingRefusal> withdraw(CaseSnapshot snapshot, Participant actor, Filing filing, Withdraw withdraw, Instant now) {
        if (!filing.partyId().equals(actor.partyId())) {
            return refused(Reason.NOT_YOUR_SIDE);
        }
        return switch (filing) {
            case Filing.Draft draft -> withdrawn(snapshot, actor, filing, withdraw, () -> draft.withdrawn(now), now);
            case Filing.Submitted submitted -> withdrawn(snapshot, actor, filing, withdraw, () -> submitted.withdrawn(now), now);
            case Filing.Rejected rejected -> withdrawn(snapshot, actor, filing, withdraw, () -> rejected.withdrawn(now), now);
            case Filing.Docketed docketed -> refused(new FilingRefusal.AlreadyDocketed(FilingRefusal.Verb.WITHDRAWN));
            case Filing.Withdrawn withdrawn -> refused(Reason.ALREADY_WITHDRAWN);
        };
    }

    private static Decision<FilingChange, FilingRefusal> withdrawn(
            CaseSnapshot snapshot, Participant actor, Filing filing, Withdraw withdraw, Supplier<Filing.Withdrawn> after, Instant now) {
        return first(() -> when(!snapshot.isOpen(), Reason.CASE_CLOSED), () -> stale(filing, withdraw.ifMatch()))
                .orElseGet(() -> done(after.get(), FilingChange.Kind.WITHDRAWN, actor.userId(), now));
    }

    private Decision<FilingChange, FilingRefusal> approve(CaseSnapshot snapshot, Participant actor, Filing filing, Approve approve, Instant now, FreshIds ids) {
        return first(() -> mayNotDecide(snapshot, actor, filing)).orElseGet(() -> switch (filing) {
            case Filing.Submitted submitted -> first(
                    () -> when(!snapshot.isOpen(), Reason.CASE_CLOSED),
                    () -> superseded(snapshot, filing.content()),
                    () -> stale(filing, approve.ifMatch()))
                    .orElseGet(() -> approved(snapshot, submitted, actor.userId(), now, ids));
            case Filing.Docketed docketed -> refused(new FilingRefusal.AlreadyDocketed(FilingRefusal.Verb.APPROVED));
            case Filing.Draft draft -> refused(Reason.NOT_SUBMITTED);
            case Filing.Rejected rejected -> refused(Reason.NOT_SUBMITTED);
            case Filing.Withdrawn withdrawn -> refused(Reason.NOT_SUBMITTED);
        });
    }

    private Decision<FilingChange, FilingRefusal> reject(CaseSnapshot snapshot, Participant actor, Filing filing, Reject reject, Instant now) {
        return first(() -> mayNotDecide(snapshot, actor, filing)).orElseGet(() -> switch (filing) {
            case Filing.Submitted submitted -> first(
                    () -> when(!snapshot.isOpen(), Reason.CASE_CLOSED),
                    () -> stale(filing, reject.ifMatch()))
                    .orElseGet(() -> done(submitted.rejected(new Filing.Rejection(actor.userId(), now, reject.reason())),
                            FilingChange.Kind.REJECTED, actor.userId(), now));
            case Filing.Docketed docketed -> refused(new FilingRefusal.AlreadyDocketed(FilingRefusal.Verb.REJECTED));
            case Filing.Draft draft -> refused(Reason.NOT_SUBMITTED);
            case Filing.Rejected rejected -> refused(Reason.NOT_SUBMITTED);
            case Filing.Withdrawn withdrawn -> refused(Reason.NOT_SUBMITTED);
        });
    }

    /** The approving party decides, and never the filer, even if the filer has joined that party since. */
    private Optional<FilingRefusal> mayNotDecide(CaseSnapshot snapshot, Participant actor, Filing filing) {
        boolean ofApprover = approver(snapshot, filing).filter(actor.partyId()::equals).isPresent();
        return ofApprover ? when(filing.document().userId().equals(actor.userId()), Reason.OWN_DOCUMENT) : Optional.of(Reason.NOT_APPROVER);
    }

    private Optional<PartyId> approver(CaseSnapshot snapshot, Filing filing) {
        return filing.submission().flatMap(Filing.Submission::approver)
                .or(() -> rule(snapshot, filing).flatMap(MatrixEntry::approvedBy));
    }

    private static Decision<FilingChange, FilingRefusal> docketedAtOnce(CaseSnapshot snapshot, Filing.Submitted submitted, UserId by, Instant now, FreshIds ids) {
        Instant enteredAt = enteredAt(snapshot, now);
        EntryId entryId = ids.entry();
        return decided(new FilingChange(submitted.docketedAtOnce(entryId, enteredAt), Optional.of(entry(snapshot, submitted, entryId, enteredAt, ids.salt())),
                FilingChange.Kind.SUBMITTED_AND_DOCKETED, by, enteredAt));
    }

    private static Decision<FilingChange, FilingRefusal> approved(CaseSnapshot snapshot, Filing.Submitted submitted, UserId by, Instant now, FreshIds ids) {
        Instant enteredAt = enteredAt(snapshot, now);
        EntryId entryId = ids.entry();
        return decided(new FilingChange(submitted.approved(new Filing.Approval(by, enteredAt), entryId),
                Optional.of(entry(snapshot, submitted, entryId, enteredAt, ids.salt())), FilingChange.Kind.APPROVED, by, enteredAt));
    }

    /** The entry before may have been made by a node whose clock is ahead of this one. */
    private static Instant enteredAt(CaseSnapshot snapshot, Instant now) {
        Instant before = snapshot.head().enteredAt();
        return now.isBefore(before) ? before : now;
    }

    private static DocketEntry entry(CaseSnapshot snapshot, Filing.Submitted submitted, EntryId entryId, Instant enteredAt, String salt) {
        DocketHead head = snapshot.head();
        Filing.Document document = submitted.document();
        Filing.Content content = document.content();
        Optional<EntryId> root = content.parentEntryId().flatMap(snapshot::reference).map(EntryReference::rootOfReply);
        return new DocketEntry(entryId, document.caseId(), head.lastNumber() + 1, document.filingId(), enteredAt, document.userId(),
                document.organizationId(), document.phaseId(), document.documentTypeId(), document.partyId(), content.title(), content.fields(),
                content.supersedes(), content.parentEntryId(), root, new EntryForm.Version2(salt, content.files().stream().map(FiledFile::sha256).toList()), head.hash(), "").hashed();
    }

    /** Under which terms a filing would be submitted now. */
    public record Terms(Optional<PartyId> approvedBy, Optional<Deadline> deadline) {}

    public Terms terms(CaseSnapshot snapshot, Filing filing) {
        Optional<PartyId> approver = filing.isOpenDraft() ? rule(snapshot, filing).flatMap(MatrixEntry::approvedBy) : approver(snapshot, filing);
        return new Terms(approver, deadline(snapshot, filing));
    }

    /** Whether the filing would be submitted under a deadline, so that the snapshot has to have the dates of the case. */
    public boolean needsDates(CaseSnapshot snapshot, Filing filing) {
        return filing.isOpenDraft() && rule(snapshot, filing).flatMap(MatrixEntry::deadline).isPresent();
    }

    /** Document types whose docketing starts a deadline in some rule set. */
    public List<DocumentTypeId> documentTypesThatStartDeadlines() {
        return rules.documentTypesThatStartDeadlines();
    }

    private Optional<Deadline> deadline(CaseSnapshot snapshot, Filing filing) {
        return filing.isOpenDraft()
                ? snapshot.dates().flatMap(dates -> rule(snapshot, filing).flatMap(entry -> rules.deadline(snapshot.ruleSet(), entry, filing.partyId(), dates)))
                : Optional.empty();
    }

    private Optional<MatrixEntry> rule(CaseSnapshot snapshot, Filing filing) {
        return rules.entry(snapshot.ruleSet(), snapshot.phaseId(), filing.document().documentTypeId(), filing.partyId());
    }

    /** Which files the document of a filing may have; for a filing whose type is defined no more, as usual. */
    public FileRule fileRule(Filing filing) {
        return documentType(filing).map(DocumentType::files).orElse(FileRule.USUAL);
    }

    private Optional<DocumentType> documentType(Filing filing) {
        return rules.definitions().document(filing.document().documentTypeId());
    }

    private static Optional<FilingRefusal> invalidField(DocumentType type, Map<String, Object> fields) {
        return type.problems(fields, false).stream().findFirst().or(() -> fields.entrySet().stream()
                        .filter(field -> field.getValue() instanceof Number number && !CanonicalJson.isExact(number))
                        .map(field -> "fields/%s: more digits than a JSON number keeps, send it as a string".formatted(field.getKey()))
                        .findFirst())
                .map(FilingRefusal.InvalidField::new);
    }

    private static Optional<FilingRefusal> unknownReference(CaseSnapshot snapshot, Filing.Content content) {
        boolean known = Stream.of(content.supersedes(), content.parentEntryId()).flatMap(Optional::stream)
                .allMatch(entryId -> snapshot.reference(entryId).isPresent());
        return when(!known, Reason.ENTRY_NOT_FOUND);
    }

    /** What one side said, the other cannot declare superseded. */
    private static Optional<FilingRefusal> supersedesTheOtherSide(CaseSnapshot snapshot, Participant actor, Filing.Content content) {
        boolean others = content.supersedes().flatMap(snapshot::reference).filter(entry -> !entry.partyId().equals(actor.partyId())).isPresent();
        return when(others, Reason.NOT_YOUR_SIDE);
    }

    private static Optional<FilingRefusal> superseded(CaseSnapshot snapshot, Filing.Content content) {
        return when(content.supersedes().flatMap(snapshot::reference).filter(EntryReference::superseded).isPresent(), Reason.ENTRY_SUPERSEDED);
    }

    private static Optional<FilingRefusal> stale(Filing filing, OptionalLong ifMatch) {
        return when(ifMatch.isPresent() && ifMatch.getAsLong() != filing.document().revision(), Reason.STALE);
    }

    private static Optional<FilingRefusal> when(boolean holds, FilingRefusal refusal) {
        return holds ? Optional.of(refusal) : Optional.empty();
    }

    /** The first of the refusals that holds, looked for in this order. */
    @SafeVarargs
    private static Optional<Decision<FilingChange, FilingRefusal>> first(Supplier<Optional<FilingRefusal>>... refusals) {
        return Stream.of(refusals).map(Supplier::get).flatMap(Optional::stream).findFirst().map(FilingRules::refused);
    }

    private static Decision<FilingChange, FilingRefusal> refused(FilingRefusal reason) {
        return new Decision.Refused<>(reason);
    }

    private static Decision<FilingChange, FilingRefusal> done(Filing filing, FilingChange.Kind kind, UserId by, Instant at) {
        return decided(new FilingChange(filing, Optional.empty(), kind, by, at));
    }

    private static Decision<FilingChange, FilingRefusal> decided(FilingChange change) {
        return new Decision.Decided<>(change);
    }
}
