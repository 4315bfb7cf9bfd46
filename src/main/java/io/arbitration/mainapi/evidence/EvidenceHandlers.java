package io.arbitration.mainapi.evidence;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.files.Download;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.UploadHandler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;

/** The operations under {@code /evidence}. */
public final class EvidenceHandlers implements UploadHandler<EvidenceFile> {

    private final EvidenceService service;
    private final long uploadBytesMax;

    public EvidenceHandlers(Vertx vertx, AreaServices services, EvidenceSettings settings, CaseRules rules) {
        EvidenceRepository repository = new EvidenceRepository(services.database(), services.audit(), services.objects().pending(),
                rules.phasesOfSharedEvidence().stream().map(PhaseId::value).toList());
        this.uploadBytesMax = settings.uploadBytesMax();
        this.service = new EvidenceService(vertx, repository, services.objects(), rules, settings, services.clock());
    }

    public void bind(Contract contract) {
        contract.bindUpload("createUpload", uploadBytesMax, this)
                .bind("listUploads", this::list)
                .bind("viewUpload", this::view)
                .bindDownload("downloadUpload", this::download);
    }

    @Override
    public Future<EvidenceFile> begin(Call soFar, boolean complete, FormPart part) {
        return service.begin(soFar.caller().id(), complete ? Optional.of(upload(soFar)) : Optional.empty(), part);
    }

    @Override
    public Future<Reply> complete(Call call, EvidenceFile file) {
        return service.create(upload(call), file).map(upload -> Reply.json(upload.json()));
    }

    private Future<Reply> list(Call call) {
        return service.list(caseId(call), by(call)).map(uploads -> Reply.json(
                new JsonObject().put("uploads", new JsonArray(uploads.stream().map(Upload::json).toList()))));
    }

    private Future<Reply> view(Call call) {
        return service.view(caseId(call), uploadId(call), by(call)).map(upload -> Reply.json(upload.view()));
    }

    private Future<Download> download(Call call) {
        return service.download(caseId(call), uploadId(call), by(call));
    }

    private static NewUpload upload(Call call) {
        // A text that is no UUID names no case; the all-zero one is never given.
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElse(new UUID(0, 0));
        return new NewUpload(caseId, call.text("categoryID"), call.text("description"), by(call));
    }

    private static UUID caseId(Call call) {
        return Identifiers.uuid(call.text("caseID")).orElseThrow(EvidenceError.CASE_NOT_FOUND::refusal);
    }

    /** A text that is no uploadID gives 0, which no upload has: existence is checked after the case and the caller's part. */
    private static long uploadId(Call call) {
        return Identifiers.number(call.text("uploadID")).orElse(0);
    }

    private static By by(Call call) {
        return new By(call.caller().id(), call.requestId(), call.remoteAddress());
    }
}
