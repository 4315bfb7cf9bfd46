package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.mainapi.files.FiledFiles;
import io.arbitration.mainapi.files.UploadedFile;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.files.Download;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.listing.PageByKey;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.UploadHandler;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.OptionalInt;

/** The operations under {@code /filings/files}. */
final class FileHandlers implements UploadHandler<UploadedFile> {

    private final FileService service;
    private final FilingReadService filings;
    private final long bytesMax;

    /** @param bytesMax of a file */
    FileHandlers(FileService service, FilingReadService filings, long bytesMax) {
        this.service = service;
        this.filings = filings;
        this.bytesMax = bytesMax;
    }

    void bind(Contract contract) {
        contract.bindUpload("uploadFilingFile", bytesMax, this)
                .bind("listFilingFiles", this::list)
                .bind("updateFilingFile", this::update)
                .bind("removeFilingFile", this::remove)
                .bindDownload("downloadFilingFile", this::download);
    }

    @Override
    public Future<UploadedFile> begin(Call soFar, boolean complete, FormPart part) {
        return service.begin(soFar.requester(), complete ? Optional.of(file(soFar)) : Optional.empty(), part);
    }

    @Override
    public Future<Reply> complete(Call call, UploadedFile uploaded) {
        return service.add(file(call), uploaded).map(FileHandlers::reply);
    }

    /** The record of a file, with the revision of its filing after the change. */
    static Reply reply(FileService.Added added) {
        return Reply.json(FiledFiles.json(added.file())).withRevision(added.revision());
    }

    private static NewFile file(Call call) {
        return new NewFile(caseId(call), filingId(call), call.optionalName("title"), call.ifMatch(), call.requester());
    }

    private Future<Reply> list(Call call) {
        PageByKey.Wanted wanted = PageByKey.Wanted.of(call);
        return filings.view(caseId(call), userId(call), filingId(call)).map(filing -> wanted.page(filing.content().files(), file -> file.fileId().toString())
                .reply("files", FiledFiles::json).withRevision(filing.document().revision()));
    }

    private Future<Reply> update(Call call) {
        int position = call.integer("position", 0);
        return service.update(new FilingCommand.UpdateFile(caseId(call), userId(call), filingId(call), call.ifMatch(), fileId(call),
                call.optionalName("title"), position == 0 ? OptionalInt.empty() : OptionalInt.of(position)), call.requester()).map(FileHandlers::reply);
    }

    private Future<Reply> remove(Call call) {
        return service.remove(new FilingCommand.RemoveFile(caseId(call), userId(call), filingId(call), call.ifMatch(), fileId(call)), call.requester())
                .map(revision -> Reply.sentence("File removed.").withRevision(revision));
    }

    private Future<Download> download(Call call) {
        return service.download(new FileService.Wanted(caseId(call), filingId(call), fileId(call), call.flag("original", false)), call.requester());
    }

    private static CaseId caseId(Call call) {
        return CaseId.of(call.text("caseID")).orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
    }

    private static UserId userId(Call call) {
        return new UserId(call.caller().id());
    }

    private static FilingId filingId(Call call) {
        return FilingId.of(call.text("filingID")).orElse(FilingId.OF_NOTHING);
    }

    private static FileId fileId(Call call) {
        return FileId.of(call.text("fileID")).orElse(FileId.OF_NOTHING);
    }
}
