package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.FileRule;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.domain.evidence.UploadedBytes;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.files.CheckedType;
import io.arbitration.mainapi.files.FileContent;
import io.arbitration.mainapi.files.FileTypeCheck;
import io.arbitration.mainapi.files.StoredBytesRepository;
import io.arbitration.mainapi.files.Transfers;
import io.arbitration.mainapi.files.UnplacedFiles;
import io.arbitration.mainapi.files.UploadedFile;
import io.arbitration.mainapi.files.WatchedBlocks;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.batching.BatchingLoader;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.files.Download;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.reading.PdfChecker;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.Optional;

/** Adds files to filings, and sends them to users who may view the filing. */
final class FileService {

    private static final String FOLDER = "filings";
    private static final String PDF = "application/pdf";

    private final FilingService filings;
    private final FilingReadService reading;
    private final FileRepository repository;
    /** Files that are checked at the same time get their ids from one statement. */
    private final BatchingLoader<UploadedFile, FileId> ids;
    private final StoredBytesRepository storedBytes = new StoredBytesRepository();
    private final Database database;
    private final ObjectStores objects;
    private final UploadRules bytesRules;
    private final Transfers transfers;
    private final UnplacedFiles unplaced;
    private final PdfChecker pdfs;
    private final Clock clock;

    /** @param bytesRules the bounds of bytes, which count for exhibits and files together */
    FileService(
            Vertx vertx, FilingService filings, FilingReadService reading, FileRepository repository, Database database, ObjectStores objects, UploadRules bytesRules,
            Transfers transfers, PdfChecker pdfs, Clock clock) {
        this.filings = filings;
        this.reading = reading;
        this.repository = repository;
        this.ids = new BatchingLoader<>(vertx, waiting -> repository.nextIds(waiting.size()));
        this.database = database;
        this.objects = objects;
        this.bytesRules = bytesRules;
        this.transfers = transfers;
        this.unplaced = new UnplacedFiles(database, bytesRules, transfers);
        this.pdfs = pdfs;
        this.clock = clock;
    }

    /**
     * Begins an upload.
     *
     * @param file the fields of the form, if they came before the file: then a request that must fail is refused before the file is
     *     received
     */
    Future<UploadedFile> begin(Requester requester, Optional<NewFile> file, FormPart part) {
        return transfers.begin(requester.userId(), FOLDER, part, () -> file.map(this::checks)
                .orElseGet(() -> unplaced.checks(requester.userId(), FilingError.NOT_A_PARTICIPANT::refusal, reason -> FileError.of(reason, bytesRules.bounds()))));
    }

    private Future<UploadedFile.Checks> checks(NewFile file) {
        UserId userId = new UserId(file.requester().userId());
        Future<UploadedBytes> stored = database.read(client -> storedBytes.uploadedBytes(client, file.caseId(), userId));
        return reading.fileRule(file.caseId(), userId, file.filingId()).compose(rule -> stored.map(before ->
                transfers.checks(Optional.of(rule), uploaded -> acceptedType(rule, uploaded),
                        (ofFile, ofCaller) -> checkBytes(before.plus(ofFile, ofCaller)))));
    }

    private void checkBytes(UploadedBytes uploaded) {
        bytesRules.refuses(uploaded).ifPresent(refusal -> {
            throw FileError.of(refusal, bytesRules.bounds());
        });
    }

    /** The media type with which the file is stored. */
    static String acceptedType(FileRule rule, UploadedFile file) {
        FileContent content = file.content().orElseThrow(FileError.EMPTY::refusal);
        return switch (FileTypeCheck.check(rule.contentTypes(), content, file.declaredType(), file.fileName())) {
            case CheckedType.Accepted(String type) when file.hasZeroBytes() && FileTypeCheck.isText(type) ->
                    throw FileError.REFUSED.refusal("is declared as %s, but its content is not text".formatted(type));
            case CheckedType.Accepted(String type) -> type;
            case CheckedType.Program(String kind) -> throw FileError.REFUSED.refusal("is a program (%s)".formatted(kind));
            case CheckedType.NotAllowed(String type, String allowed) -> throw FileError.TYPE_NOT_ALLOWED.refusal(type, allowed);
            case CheckedType.Mismatch mismatch ->
                    throw FileError.REFUSED.refusal("is declared as %s, but its content is %s".formatted(mismatch.declared(), mismatch.content()));
        };
    }

    /** A file of a filing, and the revision of the filing after the change. */
    record Added(FiledFile file, long revision) {}

    /** Adds an uploaded file to the filing. If that is refused, the upload is removed. */
    Future<Added> add(NewFile file, UploadedFile uploaded) {
        UserId userId = new UserId(file.requester().userId());
        // The document type of a filing never changes, so the rule that was read at the beginning still applies. Everything else is decided
        // under the lock of the case.
        Future<Added> added = uploaded.rule().map(Future::succeededFuture).orElseGet(() -> reading.fileRule(file.caseId(), userId, file.filingId()))
                .compose(rule -> filed(file, acceptedType(rule, uploaded), uploaded))
                .compose(filed -> filings.add(new FilingCommand.AddFile(file.caseId(), userId, file.filingId(), file.ifMatch(), filed), uploaded.fingerprint(),
                                file.requester())
                        .map(filing -> new Added(filed, filing.document().revision())));
        return Transfers.releaseAfter(added, uploaded);
    }

    /** Gets an id while the file is checked. */
    private Future<FiledFile> filed(NewFile file, String contentType, UploadedFile uploaded) {
        Future<FileId> drawn = ids.load(uploaded);
        return pages(contentType, uploaded).compose(pages -> drawn.map(fileId -> new FiledFile(fileId, file.title().orElse(uploaded.fileName()), uploaded.fileName(),
                contentType, uploaded.fingerprint().bytes(), uploaded.fingerprint().sha256(), pages, uploaded.object().address().toString())));
    }

    /** Checks a PDF for forbidden content and answers its number of pages; empty for any other file. */
    private Future<Optional<Integer>> pages(String contentType, UploadedFile file) {
        return !contentType.equals(PDF) ? Future.succeededFuture(Optional.empty())
                : pdfs.check(file.object().address(), file.fingerprint()).map(check -> {
                    check.fault().ifPresent(fault -> {
                        throw FileError.of(fault, pdfs.pagesMax());
                    });
                    return Optional.of(check.pages());
                });
    }

    Future<Added> update(FilingCommand.UpdateFile command, Requester requester) {
        return filings.decide(command, requester, (transaction, change) -> repository.arrange(transaction, change.filing().content().files()))
                .map(filing -> new Added(filing.content().files().stream().filter(file -> file.fileId().equals(command.fileId())).findFirst().orElseThrow(),
                        filing.document().revision()));
    }

    /** @return the revision of the filing after the removal */
    Future<Long> remove(FilingCommand.RemoveFile command, Requester requester) {
        return filings.decide(command, requester, (transaction, change) -> repository.remove(transaction, command.fileId())
                .compose(addresses -> objects.pending().release(transaction, addresses))
                .compose(released -> repository.arrange(transaction, change.filing().content().files())))
                .onSuccess(removed -> objects.sweepReleased())
                .map(filing -> filing.document().revision());
    }

    /** A request for a file. @param original whether the case manager wants the file that a redaction replaced */
    record Wanted(CaseId caseId, FilingId filingId, FileId fileId, boolean original) {}

    /** Sends a file; each block is verified before it is sent. */
    Future<Download> download(Wanted wanted, Requester requester) {
        // Looked up while the rights are checked; the answer says nothing of it before they are.
        Future<Optional<FileRepository.Stored>> looked = repository.stored(wanted.filingId, wanted.fileId, wanted.original);
        return checkMayRead(wanted, requester).compose(may -> looked).map(found -> {
            FileRepository.Stored stored = found.orElseThrow(FilingError.FILE_NOT_FOUND::refusal);
            return new Download.Stored(stored.contentType(), stored.fileName(), stored.fingerprint().bytes(), stored.fingerprint().sha256(),
                    (from, length) -> open(wanted, stored, requester, from, length));
        });
    }

    private Future<Void> checkMayRead(Wanted wanted, Requester requester) {
        return reading.seen(wanted.caseId, new UserId(requester.userId()), wanted.filingId).compose(partyId ->
                wanted.original && !partyId.equals(Party.CASE_MANAGER) ? Future.failedFuture(FileError.ORIGINAL.refusal()) : Future.succeededFuture());
    }

    private Future<Blocks> open(Wanted wanted, FileRepository.Stored stored, Requester requester, long from, long length) {
        return transfers.open(requester.userId(), stored.address(), stored.fingerprint(), from, length, () ->
                new AuditTrail.Line(wanted.caseId.value(), Timestamps.milliseconds(clock.instant()), requester.userId(),
                        wanted.original ? "file.original-downloaded" : "file.downloaded", wanted.fileId.toString(), requester.requestId(), requester.address()))
                .map(blocks -> new WatchedBlocks(blocks, () -> checkMayRead(wanted, requester), clock));
    }
}
