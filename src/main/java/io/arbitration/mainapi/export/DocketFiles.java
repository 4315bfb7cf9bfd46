package io.arbitration.mainapi.export;

import static io.arbitration.mainapi.export.ArchiveFiles.await;

import io.arbitration.cases.ExportOrder;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.export.ExportFormat;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.mainapi.docket.EntryJson;
import io.arbitration.mainapi.docket.PaperEntry;
import io.arbitration.mainapi.export.CaseArchives.Sources;
import io.arbitration.mainapi.export.ExportRepository.IndexLine;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The files of the docket of a case in its archive: the index, the entries with their receipts, and the filed files. */
final class DocketFiles {

    /** How many PDFs are made in advance while an earlier one is sent. */
    static final int PAPERS_AHEAD = 4;
    private static final int ENTRIES_PAGE = 50;
    /** The most bytes of the texts of a page of entries; a single entry may have more. */
    private static final long ENTRIES_BYTES = 2 * 1024 * 1024;
    private static final int INDEX_PAGE = 500;
    private static final int INDEX_PAPER_LINES = 1000;

    private final Sources sources;
    private final ExportOrder order;
    private final Snapshot snapshot;
    private final Instant at;
    private final UserId reader;
    private final boolean papers;
    private final ArchiveFiles files;

    /** @param papers whether PDFs are made */
    DocketFiles(Sources sources, ExportOrder order, Snapshot snapshot, Instant at, boolean papers, ArchiveFiles files) {
        this.sources = sources;
        this.order = order;
        this.snapshot = snapshot;
        this.at = at;
        this.reader = new UserId(order.requester().userId());
        this.papers = papers;
        this.files = files;
    }

    void write() throws IOException, InterruptedException {
        files.compressed(ExportFormat.DOCKET_INDEX, this::index);
        if (papers) {
            indexPapers();
        }
        entries();
    }

    private List<IndexLine> indexAfter(int number, int limit) throws InterruptedException {
        List<IndexLine> lines = await(sources.repository().index(order.caseId(), reader, number, snapshot.lastNumber(), limit));
        if (lines.isEmpty()) {
            throw new IllegalStateException("the docket ends at %d, its head says %d".formatted(number, snapshot.lastNumber()));
        }
        return lines;
    }

    private void index(OutputStream out) throws IOException, InterruptedException {
        JsonLines entries = new JsonLines(out, new JsonObject().put("caseID", order.caseId().toString()).put("title", order.title())
                .put("headHash", snapshot.headHash()), "entries");
        for (int number = 0; number < snapshot.lastNumber();) {
            for (IndexLine line : indexAfter(number, INDEX_PAGE)) {
                number = line.number();
                JsonObject paths = new JsonObject().put("content", ExportFormat.content(number));
                if (papers && !line.withheld()) {
                    paths.put("rendered", ExportFormat.paper(number));
                }
                if (!line.withheld()) {
                    paths.put("receipt", ExportFormat.receipt(number)).put("filed", filed(line));
                    if (!line.redacted().isEmpty()) {
                        paths.put("redacted", redacted(line));
                    }
                }
                entries.add(ExportJson.indexLine(line).put("files", paths));
            }
        }
        entries.end();
    }

    /** The paths of the filed files, in their order. */
    private static JsonArray filed(IndexLine line) {
        JsonArray paths = new JsonArray();
        line.files().forEach(file -> paths.add(ExportFormat.file(line.number(), paths.size() + 1, ArchiveFiles.name(file.fileName()))));
        return paths;
    }

    /** The files that are redacted; the entry has the hashes of the originals. */
    private static JsonArray redacted(IndexLine line) {
        JsonArray paths = filed(line);
        return new JsonArray(IntStream.range(0, paths.size()).filter(at -> line.redacted().contains(line.files().get(at).fileId()))
                .mapToObj(paths::getString).toList());
    }

    private void indexPapers() throws IOException, InterruptedException {
        int number = 0;
        int part = 0;
        do {
            List<IndexLine> lines = snapshot.lastNumber() == 0 ? List.of() : indexAfter(number, INDEX_PAPER_LINES);
            byte[] paper = await(sources.workers().make(() -> sources.indexPaper().render(order.caseId(), order.title(), at, lines)));
            files.copied(ExportFormat.indexPaper(++part), paper);
            number = lines.isEmpty() ? number : lines.getLast().number();
        } while (number < snapshot.lastNumber());
    }

    private record Rendered(PaperEntry entry, Instant submittedAt, Future<byte[]> paper) {}

    private void entries() throws IOException, InterruptedException {
        ArrayDeque<Rendered> ahead = new ArrayDeque<>();
        for (int number = 0; number < snapshot.lastNumber();) {
            int last = await(sources.repository().lastWithin(order.caseId(), number, snapshot.lastNumber(), ENTRIES_PAGE, ENTRIES_BYTES));
            List<PaperEntry> page = await(sources.docket().papersUpTo(order.caseId().value(), reader.value(), number, last, snapshot.lastNumber()));
            Map<Long, Instant> submittedAt = await(sources.repository().submittedAt(page.stream().map(of -> of.entry().filingId().value()).toList()));
            for (PaperEntry of : page) {
                ahead.add(new Rendered(of, submittedAt.get(of.entry().filingId().value()),
                        papers && !of.withheld() ? sources.workers().make(() -> sources.entryPaper().render(of)) : null));
                if (ahead.size() > PAPERS_AHEAD) {
                    entry(ahead.poll());
                }
            }
            number = page.getLast().entry().number();
        }
        while (!ahead.isEmpty()) {
            entry(ahead.poll());
        }
    }

    private void entry(Rendered rendered) throws IOException, InterruptedException {
        DocketEntry entry = rendered.entry.entry();
        if (rendered.entry.withheld()) {
            // The entry is withheld. Its number and hashes are written nevertheless, so that the hash chain has no gap.
            files.text(ExportFormat.content(entry.number()), EntryJson.withheldProof(entry, rendered.entry.supersededBy()).encodePrettily());
            return;
        }
        files.text(ExportFormat.content(entry.number()), EntryJson.proof(entry, rendered.entry.supersededBy()).encodePrettily());
        if (papers) {
            files.copied(ExportFormat.paper(entry.number()), await(rendered.paper));
        }
        files.text(ExportFormat.receipt(entry.number()), sources.receipts().receipt(entry, rendered.submittedAt, order.inSandbox()));
        int position = 0;
        for (FiledFile file : rendered.entry.files()) {
            files.stored(ExportFormat.file(entry.number(), ++position, ArchiveFiles.name(file.fileName())), new ArchiveFiles.Stored(file.contentType(), file.bytes(),
                    () -> sources.files().open(entry.filingId(), file), "file.exported", file.fileId().toString()));
        }
    }
}
