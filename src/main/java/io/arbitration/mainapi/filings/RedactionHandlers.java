package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FileId;
import io.arbitration.mainapi.files.UploadedFile;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.pipeline.UploadHandler;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import java.util.Optional;

/** The operation {@code /docket/entries/redact}. */
final class RedactionHandlers implements UploadHandler<UploadedFile> {

    private final RedactionService service;
    private final long bytesMax;

    /** @param bytesMax of a file */
    RedactionHandlers(RedactionService service, long bytesMax) {
        this.service = service;
        this.bytesMax = bytesMax;
    }

    void bind(Contract contract) {
        contract.bindUpload("redactDocketEntry", bytesMax, this);
    }

    @Override
    public Future<UploadedFile> begin(Call soFar, boolean complete, FormPart part) {
        return service.begin(soFar.requester(), complete ? Optional.of(redaction(soFar)) : Optional.empty(), part);
    }

    @Override
    public Future<Reply> complete(Call call, UploadedFile uploaded) {
        return service.redact(redaction(call), uploaded).map(FileHandlers::reply);
    }

    private static RedactionService.Redaction redaction(Call call) {
        CaseId caseId = CaseId.of(call.text("caseID")).orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
        return new RedactionService.Redaction(new RedactionRepository.Target(caseId, EntryId.of(call.text("entryID")).orElse(EntryId.OF_NOTHING),
                FileId.of(call.text("fileID")).orElse(FileId.OF_NOTHING)), call.text("reason"), call.ifMatch(), call.requester());
    }
}
