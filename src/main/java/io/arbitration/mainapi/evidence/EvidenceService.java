package io.arbitration.mainapi.evidence;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.EvidenceType;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.files.Download;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** The rules of evidence: who may upload what and when, and who sees it. */
final class EvidenceService {

    private static final String FOLDER = "uploads";

    private final Vertx vertx;
    private final EvidenceRepository repository;
    private final ObjectStores objects;
    private final CaseRules rules;
    private final EvidenceSettings settings;
    private final Clock clock;
    private final Transfers transfers;

    EvidenceService(Vertx vertx, EvidenceRepository repository, ObjectStores objects, CaseRules rules, EvidenceSettings settings, Clock clock) {
        this.vertx = vertx;
        this.repository = repository;
        this.objects = objects;
        this.rules = rules;
        this.settings = settings;
        this.clock = clock;
        this.transfers = new Transfers(settings.transfersMax(), settings.transfersPerCaller());
    }

    /**
     * Takes a file in.
     *
     * @param upload what is said of it, if that came before the file: what would be refused at the end is refused at once
     */
    Future<EvidenceFile> begin(UUID userId, Optional<NewUpload> upload, FormPart part) {
        Runnable ended = transfers.begin(userId);
        Consumer<EvidenceFile> early = upload.<Consumer<EvidenceFile>>map(known -> file -> accepted(known, file)).orElse(file -> { });
        return upload.map(this::admitted).orElse(Future.succeededFuture())
                .compose(admitted -> objects.stage(settings.bucket(), FOLDER))
                .map(object -> new EvidenceFile(vertx, object, part, early, ended))
                .recover(failure -> {
                    ended.run();
                    return Future.failedFuture(EvidenceStore.refusal(failure));
                });
    }

    /** Makes evidence of a file that is stored. */
    Future<Upload> create(NewUpload upload, EvidenceFile file) {
        Instant now = Timestamps.milliseconds(clock.instant());
        return admitted(upload)
                .map(admitted -> new EvidenceRepository.Stored(accepted(upload, file), file.fileName(), file.fingerprint(), file.object().address()))
                .compose(stored -> repository.add(upload, stored, now, standing -> admit(upload, standing), this::checkNumber))
                .transform(result -> {
                    // After another failure nobody knows whether the row is there; a sweep later tells by its line.
                    Future<Void> done = result.cause() instanceof Refusal ? file.abandon() : file.leave();
                    return done.otherwiseEmpty().compose(left -> result.succeeded()
                            ? Future.succeededFuture(result.result())
                            : Future.failedFuture(EvidenceStore.refusal(result.cause())));
                });
    }

    private Future<Void> admitted(NewUpload upload) {
        return repository.standing(upload.caseId(), upload.by().userId()).map(found -> {
            admit(upload, found);
            return null;
        });
    }

    /** In the order of the specification: existence, participation, state. */
    private void admit(NewUpload upload, Optional<Standing> found) {
        Standing standing = found.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
        category(upload);
        if (standing.partyId() == null) {
            throw EvidenceError.NOT_A_PARTICIPANT.refusal();
        }
        if (standing.isObserver()) {
            throw EvidenceError.OBSERVER.refusal();
        }
        if (!standing.open()) {
            throw EvidenceError.CASE_CLOSED.refusal();
        }
        if (!rules.takesEvidence(new PhaseId(standing.phaseId()), new PartyId(standing.partyId()))) {
            throw EvidenceError.NOT_TAKEN_IN_PHASE.refusal();
        }
    }

    private EvidenceType category(NewUpload upload) {
        return rules.definitions().evidenceType(upload.categoryId()).orElseThrow(EvidenceError.CATEGORY_NOT_FOUND::refusal);
    }

    /** The media type to keep the file under. */
    private String accepted(NewUpload upload, EvidenceFile file) {
        Content content = file.content().orElseThrow(EvidenceError.EMPTY::refusal);
        String type = ContentRules.accepted(category(upload), content, file.declaredType(), file.fileName());
        if (file.hasZeroBytes() && ContentRules.isText(type)) {
            throw EvidenceError.TYPE_MISMATCH.refusal(type, "not text");
        }
        return type;
    }

    private void checkNumber(int exhibit) {
        if (exhibit > settings.uploadsPerPartyMax()) {
            throw EvidenceError.TOO_MANY.refusal(settings.uploadsPerPartyMax());
        }
    }

    /** What the caller sees; nothing for one without a part in the case. */
    Future<List<Upload>> list(UUID caseId, By by) {
        return repository.visible(caseId, by.userId()).compose(found -> {
            List<Upload> uploads = found.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
            return uploads.isEmpty()
                    ? Future.succeededFuture(uploads)
                    : repository.record(caseId, by, clock.instant(), EvidenceRepository.Read.LISTED, null).map(uploads);
        });
    }

    Future<Upload> view(UUID caseId, long uploadId, By by) {
        return found(caseId, uploadId, by)
                .compose(found -> repository.record(caseId, by, clock.instant(), EvidenceRepository.Read.VIEWED, uploadId)
                        .map(found.upload().orElseThrow()));
    }

    /** A file, each block of which is proved before it is sent. */
    Future<Download> download(UUID caseId, long uploadId, By by) {
        return found(caseId, uploadId, by).map(found -> {
            Upload upload = found.upload().orElseThrow();
            return new Download.Stored(upload.contentType(), upload.fileName(), upload.bytes(), upload.sha256(),
                    (from, length) -> open(upload, found.fingerprint(), by, from, length));
        });
    }

    /** What is refused, missing or altered was not read: the audit trail hears of it when the first block is there. */
    private Future<Blocks> open(Upload upload, Fingerprint fingerprint, By by, long from, long length) {
        Runnable ended = transfers.begin(by.userId());
        return objects.read(upload.address(), fingerprint, from, length)
                .compose(blocks -> blocks.next()
                        .compose(first -> repository
                                .record(upload.caseId(), by, clock.instant(), EvidenceRepository.Read.DOWNLOADED, upload.uploadId())
                                .map(EvidenceStore.told(first, blocks, ended)))
                        .onFailure(failed -> blocks.close()))
                .recover(failure -> {
                    ended.run();
                    return Future.failedFuture(EvidenceStore.refusal(failure));
                });
    }

    private Future<EvidenceRepository.Found> found(UUID caseId, long uploadId, By by) {
        return repository.find(caseId, uploadId, by.userId()).map(rows -> {
            EvidenceRepository.Found found = rows.orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
            if (!found.participant()) {
                throw EvidenceError.NOT_A_PARTICIPANT.refusal();
            }
            if (found.upload().isEmpty()) {
                throw EvidenceError.NOT_FOUND.refusal();
            }
            return found;
        });
    }
}
