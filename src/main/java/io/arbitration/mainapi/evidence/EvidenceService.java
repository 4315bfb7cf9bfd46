package io.arbitration.mainapi.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseParticipation;
import io.arbitration.domain.cases.EvidenceType;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.evidence.UploadRefusal;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.evidence.EvidenceRepository.Added;
import io.arbitration.mainapi.evidence.EvidenceRepository.Proved;
import io.arbitration.mainapi.evidence.EvidenceRepository.Stored;
import io.arbitration.mainapi.files.CheckedType;
import io.arbitration.mainapi.files.FileContent;
import io.arbitration.mainapi.files.FileTypeCheck;
import io.arbitration.mainapi.files.Transfers;
import io.arbitration.mainapi.files.UnplacedFiles;
import io.arbitration.mainapi.files.UploadedFile;
import io.arbitration.mainapi.files.WatchedBlocks;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.files.Download;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Stores evidence, and shows it to users who may see it. */
final class EvidenceService {

    private static final String FOLDER = "uploads";
    private static final long LIST_BYTES_MAX = 4 * 1024 * 1024;
    /** Rows that are read at once. */
    private static final int PAGE_ROWS = 500;
    /** The bytes of an upload in a list without its description of at most 2000 characters, each of which takes at most 6 bytes. */
    private static final int UPLOAD_BYTES = 700;
    private static final long CHARACTER_BYTES = 6;

    private final Database database;
    private final EvidenceRepository repository;
    private final AuditTrail audit;
    private final ObjectStores objects;
    private final UploadRules rules;
    private final Clock clock;
    private final Transfers transfers;
    private final UnplacedFiles unplaced;

    EvidenceService(
            Database database, EvidenceRepository repository, AuditTrail audit, ObjectStores objects, UploadRules rules, Clock clock, Transfers transfers) {
        this.database = database;
        this.repository = repository;
        this.audit = audit;
        this.objects = objects;
        this.rules = rules;
        this.clock = clock;
        this.transfers = transfers;
        this.unplaced = new UnplacedFiles(database, rules, transfers);
    }

    /**
     * Begins to store a file.
     *
     * @param upload the fields, if they came before the file: an upload that would be refused at the end is refused at once
     */
    Future<UploadedFile> begin(Requester requester, Optional<NewUpload> upload, FormPart part) {
        return transfers.begin(requester.userId(), FOLDER, part, () -> upload.map(this::checks)
                .orElseGet(() -> unplaced.checks(requester.userId(), EvidenceError.NOT_A_PARTICIPANT::refusal, reason -> EvidenceError.refusal(reason, rules.bounds()))));
    }

    private Future<UploadedFile.Checks> checks(NewUpload upload) {
        CaseId caseId = upload.caseId().orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
        UserId userId = new UserId(upload.requester().userId());
        return repository.participation(caseId, userId).compose(participation -> {
            EvidenceType category = admitted(participation, upload);
            return repository.uploadedBytes(caseId, userId).map(before -> transfers.checks(Optional.empty(), file -> acceptedType(category, file),
                    (ofFile, ofCaller) -> accept(rules.refuses(before.plus(ofFile, ofCaller)))));
        });
    }

    /** Turns a stored file into evidence. */
    Future<Upload> create(NewUpload upload, UploadedFile file) {
        return Transfers.releaseAfter(stored(upload, file)
                .compose(stored -> database.transaction(upload.requester().key(), transaction -> add(transaction, upload, stored))), file);
    }

    /** Checks before the transaction, so that a file that is refused in any case does not lock the case. */
    private Future<Stored> stored(NewUpload upload, UploadedFile file) {
        return upload.caseId().map(caseId -> repository.participation(caseId, new UserId(upload.requester().userId())))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(participation -> new Stored(
                        acceptedType(admitted(participation, upload), file), file.fileName(), file.fingerprint(), file.object().address()));
    }

    /**
     * Assigns an exhibit number to an upload and takes over its object, or does neither. The uploader's participation is read
     * after the lock is held, in a separate statement: a statement that waits for a lock sees the participants from before the
     * wait, and a user who was removed meanwhile could still upload.
     */
    private Future<Upload> add(SqlConnection transaction, NewUpload upload, Stored stored) {
        CaseId caseId = upload.caseId().orElseThrow();
        UserId userId = new UserId(upload.requester().userId());
        return repository.lockCase(transaction, caseId)
                .compose(time -> repository.participation(transaction, caseId, userId).compose(found -> {
                    EvidenceType category = admitted(found, upload);
                    CaseParticipation participation = found.orElseThrow();
                    Participant uploader = participation.part().orElseThrow();
                    return repository.nextExhibit(transaction, caseId, uploader.partyId()).compose(exhibit -> {
                        accept(rules.refuses(exhibit));
                        return repository.insert(transaction, new Added(caseId, exhibit, uploader, participation.phaseId(), category.id(),
                                upload.description(), stored, time.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal).now(clock.instant())));
                    });
                }))
                .compose(added -> repository.uploadedBytes(transaction, caseId, userId).map(uploaded -> {
                    accept(rules.refuses(uploaded));
                    return added;
                }))
                .compose(added -> objects.pending().commit(transaction, stored.address())
                        .compose(committed -> audit.append(transaction,
                                List.of(line(caseId, upload.requester(), "evidence.uploaded", added.uploadId()))))
                        .map(added));
    }

    private EvidenceType admitted(Optional<CaseParticipation> participation, NewUpload upload) {
        return switch (rules.admit(participation, upload.categoryID())) {
            case Decision.Decided<EvidenceType, UploadRefusal>(EvidenceType category) -> category;
            case Decision.Refused<EvidenceType, UploadRefusal>(UploadRefusal reason) ->
                    throw EvidenceError.refusal(reason, rules.bounds());
        };
    }

    private void accept(Optional<UploadRefusal> rejection) {
        rejection.ifPresent(reason -> {
            throw EvidenceError.refusal(reason, rules.bounds());
        });
    }

    /** The media type under which the file is stored. */
    private static String acceptedType(EvidenceType category, UploadedFile file) {
        FileContent content = file.content().orElseThrow(EvidenceError.EMPTY::refusal);
        return switch (FileTypeCheck.check(category.contentTypes(), content, file.declaredType(), file.fileName())) {
            case CheckedType.Accepted(String type) when file.hasZeroBytes() && FileTypeCheck.isText(type) ->
                    throw EvidenceError.TYPE_MISMATCH.refusal(type, "not text");
            case CheckedType.Accepted(String type) -> type;
            case CheckedType.Program(String kind) -> throw EvidenceError.EXECUTABLE.refusal(kind);
            case CheckedType.NotAllowed(String type, String allowed) -> throw EvidenceError.TYPE_NOT_ALLOWED.refusal(type, allowed);
            case CheckedType.Mismatch mismatch -> throw EvidenceError.TYPE_MISMATCH.refusal(mismatch.declared(), mismatch.content());
        };
    }

    /**
     * The evidence that the caller sees, in the order of upload; empty for a caller who is no participant.
     *
     * @param afterUploadId only later uploads; 0 for all
     * @param limit the maximum number; fewer are answered if the list would be larger than {@link #LIST_BYTES_MAX}
     */
    Future<List<Upload>> list(Optional<CaseId> caseId, Optional<Long> afterUploadId, int limit, Requester requester) {
        CaseId id = caseId.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
        return checkVisible(id, afterUploadId, requester)
                .compose(known -> list(id, afterUploadId.orElse(0L), limit, requester, new ArrayList<>(), 0))
                .compose(uploads -> uploads.isEmpty()
                        ? Future.succeededFuture(uploads)
                        : record(id, requester, "evidence.listed", null).map(uploads));
    }

    /** Refuses an upload that a participant does not see; a user who is no participant gets an empty list in any case. */
    private Future<Void> checkVisible(CaseId caseId, Optional<Long> uploadId, Requester requester) {
        return uploadId.isEmpty() ? Future.succeededFuture() : repository.find(caseId, uploadId.get(), new UserId(requester.userId())).map(found -> {
            if (found.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal).isParticipant() && found.get().upload().isEmpty()) {
                throw EvidenceError.NOT_FOUND.refusal();
            }
            return null;
        });
    }

    private Future<List<Upload>> list(CaseId caseId, long after, int limit, Requester requester, List<Upload> soFar, long bytesSoFar) {
        int rows = Math.min(PAGE_ROWS, limit - soFar.size());
        return repository.visible(caseId, new UserId(requester.userId()), after, rows).compose(found -> {
            List<Upload> page = found.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
            long bytes = bytesSoFar;
            for (Upload upload : page) {
                bytes += UPLOAD_BYTES + CHARACTER_BYTES * upload.description().length();
                if (bytes > LIST_BYTES_MAX) {
                    return Future.succeededFuture(soFar);
                }
                soFar.add(upload);
            }
            return page.size() < rows || soFar.size() == limit
                    ? Future.succeededFuture(soFar)
                    : list(caseId, page.getLast().uploadId(), limit, requester, soFar, bytes);
        });
    }

    Future<Upload> view(Optional<CaseId> caseId, long uploadId, Requester requester) {
        return found(caseId, uploadId, requester).compose(found ->
                record(found.upload().caseId(), requester, "evidence.viewed", uploadId).map(found.upload()));
    }

    /** A file whose blocks are verified before they are sent. */
    Future<Download> download(Optional<CaseId> caseId, long uploadId, Requester requester) {
        return found(caseId, uploadId, requester).map(found -> {
            Upload upload = found.upload();
            return new Download.Stored(upload.contentType(), upload.fileName(), upload.bytes(), upload.sha256(),
                    (from, length) -> open(found, requester, from, length));
        });
    }

    private Future<Blocks> open(Proved proved, Requester requester, long from, long length) {
        Upload upload = proved.upload();
        return transfers.open(requester.userId(), upload.address(), proved.fingerprint(), from, length,
                () -> line(upload.caseId(), requester, "evidence.downloaded", upload.uploadId()))
                .map(blocks -> new WatchedBlocks(blocks, () -> found(Optional.of(upload.caseId()), upload.uploadId(), requester).mapEmpty(), clock));
    }

    private Future<Proved> found(Optional<CaseId> caseId, long uploadId, Requester requester) {
        CaseId id = caseId.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
        return repository.find(id, uploadId, new UserId(requester.userId())).map(rows -> {
            EvidenceRepository.Found found = rows.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
            if (!found.isParticipant()) {
                throw EvidenceError.NOT_A_PARTICIPANT.refusal();
            }
            return found.upload().orElseThrow(EvidenceError.NOT_FOUND::refusal);
        });
    }

    /** Records in the audit trail that evidence was read, before the reader gets it; without an upload: the complete list. */
    private Future<Void> record(CaseId caseId, Requester requester, String action, Long uploadId) {
        return database.read(client -> audit.append(client, List.of(line(caseId, requester, action, uploadId))));
    }

    private AuditTrail.Line line(CaseId caseId, Requester requester, String action, Long uploadId) {
        return new AuditTrail.Line(caseId.value(), Timestamps.milliseconds(clock.instant()), requester.userId(), action,
                Objects.toString(uploadId, null), requester.requestId(), requester.address());
    }
}
