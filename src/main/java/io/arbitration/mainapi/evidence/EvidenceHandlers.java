package io.arbitration.mainapi.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Identifiers;
import io.arbitration.mainapi.files.UploadedFile;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.files.Download;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.UploadHandler;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** The operations under {@code /evidence}. */
public final class EvidenceHandlers implements UploadHandler<UploadedFile> {

    private final EvidenceService service;
    private final long uploadBytesMax;

    public EvidenceHandlers(EvidenceService service, long uploadBytesMax) {
        this.service = service;
        this.uploadBytesMax = uploadBytesMax;
    }

    public void bind(Contract contract) {
        contract.bindUpload("createEvidenceUpload", uploadBytesMax, this)
                .bind("listEvidenceUploads", this::list)
                .bind("viewEvidenceUpload", this::view)
                .bindDownload("downloadEvidenceUpload", this::download);
    }

    @Override
    public Future<UploadedFile> begin(Call soFar, boolean complete, FormPart part) {
        return service.begin(soFar.requester(), complete ? Optional.of(upload(soFar)) : Optional.empty(), part);
    }

    @Override
    public Future<Reply> complete(Call call, UploadedFile file) {
        return service.create(upload(call), file).map(upload -> Reply.json(UploadJson.listed(upload)));
    }

    private Future<Reply> list(Call call) {
        Optional<Long> after = call.optionalText("afterUploadID").map(text -> Identifiers.number(text).orElse(0));
        return service.list(CaseId.of(call.text("caseID")), after, call.integer("limit", Integer.MAX_VALUE), call.requester())
                .map(uploads -> Reply.json(
                        new JsonObject().put("uploads", new JsonArray(uploads.stream().map(UploadJson::listed).toList()))));
    }

    private Future<Reply> view(Call call) {
        return service.view(CaseId.of(call.text("caseID")), uploadId(call), call.requester())
                .map(upload -> Reply.json(UploadJson.viewed(upload)));
    }

    private Future<Download> download(Call call) {
        return service.download(CaseId.of(call.text("caseID")), uploadId(call), call.requester());
    }

    private static NewUpload upload(Call call) {
        return new NewUpload(CaseId.of(call.text("caseID")), call.text("categoryID"), call.text("description"), call.requester());
    }

    /**
     * A text that is no uploadID gives 0, which no upload has: existence is checked after the case and the caller's
     * participation.
     */
    private static long uploadId(Call call) {
        return Identifiers.number(call.text("uploadID")).orElse(0);
    }
}
