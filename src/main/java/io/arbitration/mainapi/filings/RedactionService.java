package io.arbitration.mainapi.filings;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.FileRule;
import io.arbitration.domain.docket.SealRules;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.files.StoredBytesRepository;
import io.arbitration.mainapi.files.Transfers;
import io.arbitration.mainapi.files.UnplacedFiles;
import io.arbitration.mainapi.files.UploadedFile;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.reading.PdfChecker;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Replaces files of docket entries by redacted ones, for the case manager. The original stays in the object store, and its hash in the hash
 * chain.
 */
final class RedactionService {

    private static final String FOLDER = "filings";
    private static final String PDF = "application/pdf";
    private static final FileRule ONLY_PDF = new FileRule(false, 1, List.of(PDF));

    private final RedactionRepository repository;
    private final StoredBytesRepository storedBytes = new StoredBytesRepository();
    private final Database database;
    private final AuditTrail audit;
    private final ObjectStores objects;
    private final UploadRules bytesRules;
    private final Transfers transfers;
    private final UnplacedFiles unplaced;
    private final PdfChecker pdfs;
    private final Clock clock;

    RedactionService(Database database, AuditTrail audit, ObjectStores objects, UploadRules bytesRules, Transfers transfers, PdfChecker pdfs, Clock clock) {
        this.repository = new RedactionRepository(database);
        this.database = database;
        this.audit = audit;
        this.objects = objects;
        this.bytesRules = bytesRules;
        this.transfers = transfers;
        this.unplaced = new UnplacedFiles(database, bytesRules, transfers);
        this.pdfs = pdfs;
        this.clock = clock;
    }

    /**
     * A request to replace a file.
     *
     * @param ifMatch the revision that the filing must have; empty: any
     */
    record Redaction(RedactionRepository.Target target, String reason, OptionalLong ifMatch, Requester requester) {

        UserId by() {
            return new UserId(requester.userId());
        }
    }

    /**
     * Begins to store the redacted file.
     *
     * @param redaction the request, if its fields came before the file: then a request that must fail is refused before the file is
     *     received
     */
    Future<UploadedFile> begin(Requester requester, Optional<Redaction> redaction, FormPart part) {
        return transfers.begin(requester.userId(), FOLDER, part, () -> redaction.map(this::checks)
                .orElseGet(() -> unplaced.checksOfCase(requester.userId(), FilingError.NOT_A_PARTICIPANT::refusal, reason -> FileError.of(reason, bytesRules.bounds()))));
    }

    /** Only a PDF is accepted: for no other type can the platform check that the file contains nothing but what it shows. */
    private Future<UploadedFile.Checks> checks(Redaction redaction) {
        return repository.find(redaction.target, redaction.by()).compose(found -> {
            accepted(found);
            return database.read(client -> storedBytes.bytesOfCase(client, redaction.target.caseId()).map(before ->
                    transfers.checks(Optional.empty(), file -> FileService.acceptedType(ONLY_PDF, file),
                            (ofFile, ofCaller) -> checkBytes(before + ofFile))));
        });
    }

    /**
     * Checks the bound of the case only: the redacted file, which the case manager uploads, counts neither for the user nor for the party
     * who filed the original.
     */
    private void checkBytes(long bytesOfCase) {
        bytesRules.refusesOfCase(bytesOfCase).ifPresent(refusal -> {
            throw FileError.of(refusal, bytesRules.bounds());
        });
    }

    /** The file as it is shown now; throws the refusal if it must not be redacted. */
    private static RedactionRepository.Shown accepted(Optional<RedactionRepository.Found> found) {
        RedactionRepository.Found there = found.orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
        SealRules.refusesRedacting(there.subject()).ifPresent(reason -> {
            throw refusal(reason);
        });
        return there.file().orElseThrow(FilingError.FILE_NOT_FOUND::refusal);
    }

    private static Refusal refusal(SealRules.Refusal reason) {
        return switch (reason) {
            case NOT_A_PARTICIPANT -> FilingError.NOT_A_PARTICIPANT.refusal();
            case OBSERVER -> FileError.OBSERVER_OF_CASE.refusal();
            case NOT_CASE_MANAGER -> FileError.NOT_CASE_MANAGER.refusal();
            case MAY_NOT_FILE -> FilingError.MAY_NOT_FILE.refusal();
            case ENTRY_NOT_FOUND -> FilingError.ENTRY_NOT_FOUND.refusal();
            case NOT_OF_THE_TRIBUNAL, PARTY_NOT_FOUND, NOT_SEALED -> throw new IllegalStateException("no rule of redaction: " + reason);
        };
    }

    /** Shows an uploaded file instead of the one that was filed. If that is refused, the upload is removed. */
    Future<FileService.Added> redact(Redaction redaction, UploadedFile uploaded) {
        Future<FileService.Added> redacted = repository.find(redaction.target, redaction.by())
                .compose(found -> {
                    RedactionRepository.Shown before = accepted(found);
                    if (uploaded.fingerprint().sha256().equals(before.original().fingerprint().sha256())) {
                        throw FileError.REFUSED.refusal("is the file as it was filed; nothing of it is removed");
                    }
                    FileService.acceptedType(ONLY_PDF, uploaded);
                    return pages(uploaded, before.original());
                })
                .compose(pages -> database.transaction(redaction.requester.key(), transaction -> replace(transaction, redaction, uploaded, pages)))
                .onSuccess(replaced -> objects.sweepReleased());
        return Transfers.releaseAfter(redacted, uploaded);
    }

    /** The number of pages, after two checks: a party could have filed this PDF, and it contains nothing but what its pages show. */
    private Future<Integer> pages(UploadedFile file, RedactionRepository.Original original) {
        return pdfs.check(file.object().address(), file.fingerprint()).compose(check -> {
            check.fault().ifPresent(fault -> {
                throw FileError.of(fault, pdfs.pagesMax());
            });
            return pdfs.covered(new PdfChecker.Stored(file.object().address(), file.fingerprint()), Optional.of(original).filter(filed -> filed.contentType().equals(PDF))
                    .map(filed -> new PdfChecker.Stored(filed.address(), filed.fingerprint()))).map(looked -> {
                looked.fault().ifPresent(fault -> {
                    throw FileError.of(fault, pdfs.pagesMax());
                });
                looked.covered().ifPresent(place -> {
                    throw FileError.of(place);
                });
                looked.remains().ifPresent(remains -> {
                    throw FileError.of(remains);
                });
                return check.pages();
            });
        });
    }

    private Future<FileService.Added> replace(SqlConnection transaction, Redaction redaction, UploadedFile uploaded, int pages) {
        Instant now = Timestamps.milliseconds(clock.instant());
        RedactionRepository.Target target = redaction.target;
        return repository.findLocked(transaction, target, redaction.by()).compose(found -> {
            RedactionRepository.Shown before = accepted(found);
            FiledFile file = new FiledFile(target.fileId(), before.title(), uploaded.fileName(), PDF, uploaded.fingerprint().bytes(),
                    uploaded.fingerprint().sha256(), Optional.of(pages), uploaded.object().address().toString());
            return repository.grow(transaction, before.filingId(), redaction.ifMatch)
                    .map(grown -> grown.orElseThrow(FilingError.STALE::refusal))
                    .compose(revision -> repository.replace(transaction, file, uploaded.fingerprint())
                    .compose(replaced -> storedBytes.bytesOfCase(transaction, target.caseId()))
                    .compose(bytes -> {
                        checkBytes(bytes);
                        return repository.recordRedaction(transaction, target, redaction.reason, before, file.sha256(), redaction.by(),
                                found.orElseThrow().clock().now(now));
                    })
                    .compose(recorded -> objects.pending().commit(transaction, uploaded.object().address()))
                    .compose(committed -> before.redacted() ? objects.pending().release(transaction, List.of(before.address())) : Future.succeededFuture())
                    .compose(released -> audit.append(transaction, List.of(new AuditTrail.Line(target.caseId().value(), now, redaction.requester.userId(),
                            "file.redacted", "%s %s %s".formatted(target.fileId(), before.original().fingerprint().sha256(), file.sha256()), redaction.requester.requestId(),
                            redaction.requester.address()))))
                    .map(new FileService.Added(file, revision)));
        });
    }
}
