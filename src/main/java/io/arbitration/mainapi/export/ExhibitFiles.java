package io.arbitration.mainapi.export;

import static io.arbitration.mainapi.export.ArchiveFiles.await;

import io.arbitration.cases.ExportOrder;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.evidence.ExhibitNumber;
import io.arbitration.domain.export.ExportFormat;
import io.arbitration.mainapi.evidence.Exhibits.Exhibit;
import io.arbitration.mainapi.evidence.Upload;
import io.arbitration.mainapi.evidence.UploadJson;
import io.arbitration.mainapi.export.CaseArchives.Sources;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Writes the exhibits of a case that the reader of the export may see, and their index. */
final class ExhibitFiles {

    private static final int INDEX_PAGE = 500;
    /** Small, because the fingerprint of one exhibit may take 2 MiB. */
    private static final int EXHIBITS_PAGE = 4;

    private final Sources sources;
    private final ExportOrder order;
    private final Map<PartyId, Integer> seen;
    private final ArchiveFiles files;
    private int count;

    /** @param seen the last exhibit of each party whose evidence is part of the export */
    ExhibitFiles(Sources sources, ExportOrder order, Map<PartyId, Integer> seen, ArchiveFiles files) {
        this.sources = sources;
        this.order = order;
        this.seen = seen;
        this.files = files;
    }

    /** @return their number */
    int write() throws IOException, InterruptedException {
        files.compressed(ExportFormat.EXHIBITS_INDEX, this::index);
        contents();
        return count;
    }

    /** Called with each exhibit. */
    @FunctionalInterface
    private interface ForExhibit<T> {
        void take(T exhibit) throws IOException, InterruptedException;
    }

    /** A page of exhibits after one. */
    @FunctionalInterface
    private interface PageAfter<T> {
        Future<List<T>> read(Optional<ExhibitNumber> after);
    }

    private <T> void each(int pageSize, PageAfter<T> pages, Function<T, Upload> upload, ForExhibit<T> each)
            throws IOException, InterruptedException {
        Optional<ExhibitNumber> after = Optional.empty();
        List<T> page;
        do {
            page = await(pages.read(after));
            for (T exhibit : page) {
                each.take(exhibit);
                after = Optional.of(upload.apply(exhibit).exhibit());
            }
        } while (page.size() == pageSize);
    }

    private void index(OutputStream out) throws IOException, InterruptedException {
        JsonLines lines = new JsonLines(out, new JsonObject().put("caseID", order.caseId().toString()), "exhibits");
        each(INDEX_PAGE, after -> sources.exhibits().after(order.caseId(), seen, after, INDEX_PAGE), Function.identity(),
                upload -> lines.add(UploadJson.exported(upload).put("file", ExportFormat.exhibit(upload.exhibit().toString(), ArchiveFiles.name(upload.fileName())))));
        lines.end();
    }

    private void contents() throws IOException, InterruptedException {
        each(EXHIBITS_PAGE, after -> sources.exhibits().provedAfter(order.caseId(), seen, after, EXHIBITS_PAGE), Exhibit::upload, exhibit -> {
            Upload upload = exhibit.upload();
            files.stored(ExportFormat.exhibit(upload.exhibit().toString(), ArchiveFiles.name(upload.fileName())), new ArchiveFiles.Stored(upload.contentType(), upload.bytes(),
                    () -> sources.exhibits().open(exhibit), "evidence.exported", String.valueOf(upload.uploadId())));
            count++;
        });
    }
}
