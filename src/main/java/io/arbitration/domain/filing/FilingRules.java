package io.arbitration.domain.filing;

import static io.arbitration.domain.filing.Refusals.done;
import static io.arbitration.domain.filing.Refusals.first;
import static io.arbitration.domain.filing.Refusals.refused;
import static io.arbitration.domain.filing.Refusals.stale;
import static io.arbitration.domain.filing.Refusals.superseded;
import static io.arbitration.domain.filing.Refusals.when;

import io.arbitration.domain.Decision;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.filing.FilingCommand.Approve;
import io.arbitration.domain.filing.FilingCommand.Create;
import io.arbitration.domain.filing.FilingCommand.Reject;
import io.arbitration.domain.filing.FilingCommand.Submit;
import io.arbitration.domain.filing.FilingCommand.Update;
import io.arbitration.domain.filing.FilingCommand.Withdraw;
import io.arbitration.domain.filing.FilingRefusal.Reason;
import io.arbitration.domain.hash.CanonicalJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rules of filings: the result of a command, or its refusal. Refusals are checked in the order of the specification:
 * existence, participation, role, state; the first one is the answer.
 */
public final class FilingRules {

    private final CaseRules rules;
    private final FilingTerms terms;
    private final FilingFileRules files;
    private final int openDraftsMax;

    /** @param openDraftsMax the maximum number of open drafts of a party in a case */
    public FilingRules(CaseRules rules, int openDraftsMax) {
        this.rules = rules;
        this.terms = new FilingTerms(rules);
        this.files = new FilingFileRules(terms);
        this.openDraftsMax = openDraftsMax;
    }

    /** The definitions' terms for filings. */
    public FilingTerms terms() {
        return terms;
    }

    /** The rules for their files. */
    public FilingFileRules files() {
        return files;
    }

    /** @param now in milliseconds, so that the stored, the hashed and the shown time are equal */
    public Decision<FilingChange, FilingRefusal> decide(CaseSnapshot snapshot, FilingCommand command, Instant now, IdGenerator ids) {
        Optional<Participant> participant = snapshot.participant(command.by());
        return switch (command) {
            case Create create -> create(snapshot, participant, create, now, ids);
            case FilingCommand.OnFiling onFiling -> onFiling(snapshot, participant, onFiling, now, ids);
        };
    }

    private Decision<FilingChange, FilingRefusal> onFiling(
            CaseSnapshot snapshot, Optional<Participant> participant, FilingCommand.OnFiling command, Instant now, IdGenerator ids) {
        // A user who is no participant learns this, and not whether the filing exists.
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
            case FilingCommand.OnFile onFile -> files.decide(snapshot, actor, filing, onFile, now);
            case Submit submit -> submit(snapshot, actor, filing, submit, now, ids);
            case Withdraw withdraw -> withdraw(snapshot, actor, filing, withdraw, now);
            case Approve approve -> approve(snapshot, actor, filing, approve, now, ids);
            case Reject reject -> reject(snapshot, actor, filing, reject, now);
        };
    }

    /** Whether a command files something, rather than deciding about it. */
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

    private Decision<FilingChange, FilingRefusal> create(CaseSnapshot snapshot, Optional<Participant> participant, Create create, Instant now, IdGenerator ids) {
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
        Optional<DocumentType> type = terms.documentType(filing);
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

    private Decision<FilingChange, FilingRefusal> submit(CaseSnapshot snapshot, Participant actor, Filing filing, Submit submit, Instant now, IdGenerator ids) {
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
            Optional<PartyId> approver = terms.rule(snapshot, filing).flatMap(MatrixEntry::approvedBy);
            boolean late = terms.deadline(snapshot, filing).filter(deadline -> deadline.isPast(now)).isPresent();
            Filing.Submitted submitted = draft.submitted(snapshot.phaseId(), new Filing.Submission(now, approver, late));
            return approver.isEmpty() ? Docketing.docketedAtOnce(snapshot, submitted, actor.userId(), now, ids)
                    : done(submitted, late ? FilingChange.Kind.SUBMITTED_LATE : FilingChange.Kind.SUBMITTED, actor.userId(), now);
        });
    }

    private static IllegalStateException submittable(Filing filing) {
        return new IllegalStateException("nothing stands against submitting a filing that is %s".formatted(filing.state()));
    }

    /** All reasons against submitting a filing now, in the order in which a submission would report them. */
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
        Optional<MatrixEntry> rule = terms.rule(snapshot, filing);
        if (rule.isEmpty()) {
            problems.add(Reason.NOT_ALLOWED_IN_PHASE);
        } else if (filing.isOpenDraft() && snapshot.used(snapshot.quotaNow(filing)) >= rule.get().maxAllowed()) {
            problems.add(Reason.QUOTA_USED);
        }
        terms.deadline(snapshot, filing).filter(deadline -> deadline.refuses(now))
                .ifPresent(deadline -> problems.add(new FilingRefusal.Late(deadline.date())));
        if (!(filing instanceof Filing.Docketed)) {
            superseded(snapshot, filing.content()).ifPresent(problems::add);
        }
        terms.documentType(filing).ifPresentOrElse(
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

    private Decision<FilingChange, FilingRefusal> approve(CaseSnapshot snapshot, Participant actor, Filing filing, Approve approve, Instant now, IdGenerator ids) {
        return first(() -> mayNotDecide(snapshot, actor, filing)).orElseGet(() -> switch (filing) {
            case Filing.Submitted submitted -> first(
                    () -> when(!snapshot.isOpen(), Reason.CASE_CLOSED),
                    () -> superseded(snapshot, filing.content()),
                    () -> stale(filing, approve.ifMatch()))
                    .orElseGet(() -> Docketing.approved(snapshot, submitted, actor.userId(), now, ids));
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

    /** The approving party decides, but never the filer, even if the filer has joined that party since. */
    private Optional<FilingRefusal> mayNotDecide(CaseSnapshot snapshot, Participant actor, Filing filing) {
        boolean ofApprover = terms.approver(snapshot, filing).filter(actor.partyId()::equals).isPresent();
        return ofApprover ? when(filing.document().userId().equals(actor.userId()), Reason.OWN_DOCUMENT) : Optional.of(Reason.NOT_APPROVER);
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

    /** A side cannot declare statements of the other side superseded. */
    private static Optional<FilingRefusal> supersedesTheOtherSide(CaseSnapshot snapshot, Participant actor, Filing.Content content) {
        boolean others = content.supersedes().flatMap(snapshot::reference).filter(entry -> !entry.partyId().equals(actor.partyId())).isPresent();
        return when(others, Reason.NOT_YOUR_SIDE);
    }
}
