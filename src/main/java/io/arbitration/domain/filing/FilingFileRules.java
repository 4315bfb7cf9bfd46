package io.arbitration.domain.filing;

import static io.arbitration.domain.filing.Refusals.done;
import static io.arbitration.domain.filing.Refusals.first;
import static io.arbitration.domain.filing.Refusals.stale;
import static io.arbitration.domain.filing.Refusals.when;

import io.arbitration.domain.Decision;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.FileRule;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.filing.FilingRefusal.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rules for the files of a filing: who may add, arrange and remove them while the filing can still be changed, and how many
 * there may be.
 */
public final class FilingFileRules {

    private final FilingTerms terms;

    FilingFileRules(FilingTerms terms) {
        this.terms = terms;
    }

    /** The rule for the files of a filing's document; the default rule if its type is no longer defined. */
    public FileRule of(Filing filing) {
        return terms.documentType(filing).map(DocumentType::files).orElse(FileRule.USUAL);
    }

    Decision<FilingChange, FilingRefusal> decide(CaseSnapshot snapshot, Participant actor, Filing filing, FilingCommand.OnFile command, Instant now) {
        Optional<FilingRefusal> refusal = switch (command) {
            case FilingCommand.AddFile add -> refusesAdding(snapshot, actor, filing);
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
     * The reason why a participant may not add a file to a filing that it sees; the content of the file is not considered here.
     *
     * @param snapshot may be read without locks, to report early what would be refused later
     */
    public Optional<FilingRefusal> refusesAdding(CaseSnapshot snapshot, Participant actor, Filing filing) {
        if (actor.isObserver()) {
            return Optional.of(Reason.OBSERVER);
        }
        if (!actor.mayFile()) {
            return Optional.of(Reason.MAY_NOT_FILE);
        }
        if (!filing.partyId().equals(actor.partyId())) {
            return Optional.of(Reason.NOT_YOUR_SIDE);
        }
        Optional<DocumentType> type = terms.documentType(filing);
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

    /** The reason why nobody may change the content, by the state of the filing and the case. */
    private static Optional<FilingRefusal> refusesEdit(CaseSnapshot snapshot, Filing filing) {
        return switch (filing) {
            case Filing.Draft draft -> when(!snapshot.isOpen(), Reason.CASE_CLOSED);
            case Filing.Rejected rejected -> when(!snapshot.isOpen(), Reason.CASE_CLOSED);
            case Filing.Docketed docketed -> Optional.of(new FilingRefusal.AlreadyDocketed(FilingRefusal.Verb.CHANGED));
            case Filing.Submitted submitted -> Optional.of(Reason.ALREADY_SUBMITTED);
            case Filing.Withdrawn withdrawn -> Optional.of(Reason.ALREADY_WITHDRAWN);
        };
    }
}
