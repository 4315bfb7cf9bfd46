package io.arbitration.mainapi.export;

import io.arbitration.cases.ExportOrder;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.evidence.ExhibitNumber;
import io.arbitration.domain.export.ExportFormat;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.EntryJson;
import io.arbitration.mainapi.docket.PaperEntry;
import io.arbitration.mainapi.evidence.Exhibits.Exhibit;
import io.arbitration.mainapi.evidence.Upload;
import io.arbitration.mainapi.evidence.UploadJson;
import io.arbitration.mainapi.export.CaseArchives.Sources;
import io.arbitration.mainapi.export.ExportRepository.IndexLine;
import io.arbitration.platform.archive.BlockPipe;
import io.arbitration.platform.archive.ZipWriter;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Writes one archive, file after file, and holds one page of rows of the case at a time. It is for one thread, which it blocks. */
final class ArchiveWriter {

    /** PDFs made while an earlier one is sent. */
    static final int PAPERS_AHEAD = 4;
    private static final int ENTRIES_PAGE = 50;
    /** What the entries of a page say, all together; one entry alone may be more. */
    private static final long ENTRIES_BYTES = 2 * 1024 * 1024;
    private static final int INDEX_PAGE = 500;
    private static final int INDEX_PAPER_LINES = 1000;
    /** What proves the file of an exhibit may be 2 MiB long. */
    private static final int EXHIBITS_PAGE = 4;
    private static final int AUDIT_PAGE = 1000;
    /** No transaction is open for longer. */
    private static final Duration RECENT = Duration.ofDays(1);
    private static final Duration WAIT = Duration.ofMinutes(2);

    private final Sources sources;
    private final ExportOrder order;
    private final Snapshot snapshot;
    private final Map<PartyId, Integer> seen;
    private final Supplier<Future<Boolean>> rendersPapers;
    private final Instant at;
    private final UserId reader;
    private final ZipWriter zip;
    private final Manifest manifest = new Manifest();
    private String path = "";
    private boolean papers;
    private int exhibits;
    private long auditLines;

    ArchiveWriter(Sources sources, ExportOrder order, Snapshot snapshot, Map<PartyId, Integer> seen, Supplier<Future<Boolean>> rendersPapers,
            Instant at, BlockPipe pipe) {
        this.sources = sources;
        this.order = order;
        this.snapshot = snapshot;
        this.seen = seen;
        this.rendersPapers = rendersPapers;
        this.at = at;
        this.reader = new UserId(order.requester().userId());
        this.zip = new ZipWriter(pipe, at);
    }

    /** The file that is being written, or was when something failed. */
    String at() {
        return path;
    }

    void write() throws IOException, InterruptedException {
        try (zip) {
            text(ExportFormat.README, readme());
            add(ExportFormat.CASE, out -> out.write(order.shown().getBytes()));
            // The reader sees at once that there is something; the rest takes its time.
            zip.flush();
            papers = await(rendersPapers.get());
            text(ExportFormat.PEOPLE, people().encodePrettily());
            add(ExportFormat.DOCKET_INDEX, this::index);
            if (papers) {
                indexPapers();
            }
            entries();
            add(ExportFormat.EXHIBITS_INDEX, this::exhibitsIndex);
            exhibits();
            if (order.withAudit()) {
                path = ExportFormat.AUDIT;
                manifest.add(zip.compressedLarge(path, this::audit));
            }
            seal();
            zip.finish();
        }
    }

    private void add(String name, ZipWriter.Content content) throws IOException, InterruptedException {
        path = name;
        manifest.add(zip.compressed(name, content));
    }

    private void text(String name, String text) throws IOException, InterruptedException {
        add(name, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    private JsonObject people() throws InterruptedException {
        return ExportJson.people(
                await(sources.repository().people(order.caseId(), snapshot.lastNumber())),
                await(sources.repository().organizations(order.caseId(), snapshot.lastNumber())));
    }

    private List<IndexLine> indexAfter(int number, int limit) throws InterruptedException {
        List<IndexLine> lines = await(sources.repository().index(order.caseId(), reader, number, snapshot.lastNumber(), limit));
        if (lines.isEmpty()) {
            throw new IllegalStateException("the docket ends at %d, its head says %d".formatted(number, snapshot.lastNumber()));
        }
        return lines;
    }

    private void index(OutputStream out) throws IOException, InterruptedException {
        Lines entries = new Lines(out, new JsonObject().put("caseID", order.caseId().toString()).put("title", order.title())
                .put("headHash", snapshot.headHash()), "entries");
        for (int number = 0; number < snapshot.lastNumber();) {
            for (IndexLine line : indexAfter(number, INDEX_PAGE)) {
                number = line.number();
                JsonObject files = new JsonObject().put("content", ExportFormat.content(number));
                if (papers && !line.withheld()) {
                    files.put("rendered", ExportFormat.paper(number));
                }
                if (!line.withheld()) {
                    files.put("receipt", ExportFormat.receipt(number)).put("filed", filed(line));
                    if (!line.redacted().isEmpty()) {
                        files.put("redacted", redacted(line));
                    }
                }
                entries.add(ExportJson.indexLine(line).put("files", files));
            }
        }
        entries.end();
    }

    /** The paths of the files that were filed, in their order. */
    private static JsonArray filed(IndexLine line) {
        JsonArray paths = new JsonArray();
        line.files().forEach(file -> paths.add(ExportFormat.file(line.number(), paths.size() + 1, file.fileName())));
        return paths;
    }

    /** Those of them that stand in the place of what was filed; the entry has the hashes of the originals. */
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
            copied(ExportFormat.indexPaper(++part), paper);
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
            // The chain goes on: what is left of the entry shows where it stands in it.
            text(ExportFormat.content(entry.number()), EntryJson.withheldProof(entry, rendered.entry.supersededBy()).encodePrettily());
            return;
        }
        text(ExportFormat.content(entry.number()), EntryJson.proof(entry, rendered.entry.supersededBy()).encodePrettily());
        if (papers) {
            copied(ExportFormat.paper(entry.number()), await(rendered.paper));
        }
        text(ExportFormat.receipt(entry.number()), sources.receipts().receipt(entry, rendered.submittedAt, order.inSandbox()));
        int position = 0;
        for (FiledFile file : rendered.entry.files()) {
            path = ExportFormat.file(entry.number(), ++position, file.fileName());
            ZipWriter.Content content = out -> copy(sources.files().open(entry.filingId(), file), "file.exported", file.fileId().toString(), out);
            manifest.add(compresses(file.contentType()) ? zip.compressedLarge(path, content) : zip.copied(path, file.bytes(), content));
        }
    }

    private void copied(String name, byte[] content) throws IOException, InterruptedException {
        path = name;
        manifest.add(zip.copied(name, content.length, out -> out.write(content)));
    }

    /** What is done with each exhibit. */
    @FunctionalInterface
    private interface ForExhibit<T> {
        void take(T exhibit) throws IOException, InterruptedException;
    }

    /** A page of exhibits after one. */
    @FunctionalInterface
    private interface PageAfter<T> {
        Future<List<T>> read(Optional<ExhibitNumber> after);
    }

    private <T> void exhibits(int pageSize, PageAfter<T> pages, Function<T, Upload> upload, ForExhibit<T> each)
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

    private void exhibitsIndex(OutputStream out) throws IOException, InterruptedException {
        Lines lines = new Lines(out, new JsonObject().put("caseID", order.caseId().toString()), "exhibits");
        exhibits(INDEX_PAGE, after -> sources.exhibits().after(order.caseId(), seen, after, INDEX_PAGE), Function.identity(),
                upload -> lines.add(UploadJson.exported(upload).put("file", ExportFormat.exhibit(upload.exhibit().toString(), upload.fileName()))));
        lines.end();
    }

    private void exhibits() throws IOException, InterruptedException {
        exhibits(EXHIBITS_PAGE, after -> sources.exhibits().provedAfter(order.caseId(), seen, after, EXHIBITS_PAGE), Exhibit::upload, exhibit -> {
            Upload upload = exhibit.upload();
            path = ExportFormat.exhibit(upload.exhibit().toString(), upload.fileName());
            ZipWriter.Content content = out -> copy(sources.exhibits().open(exhibit), "evidence.exported", String.valueOf(upload.uploadId()), out);
            manifest.add(compresses(upload.contentType()) ? zip.compressedLarge(path, content) : zip.copied(path, upload.bytes(), content));
            exhibits++;
        });
    }

    private static boolean compresses(String contentType) {
        return contentType.startsWith("text/") || contentType.endsWith("/json") || contentType.endsWith("/xml") || contentType.endsWith("+xml");
    }

    private void copy(Future<Blocks> opening, String action, String subject, OutputStream out) throws IOException, InterruptedException {
        Blocks blocks = await(opening);
        try {
            Buffer first = await(blocks.next());
            // What is missing or altered was not read: the audit trail hears of it when the first block is there.
            await(sources.audit().write(order, action, subject));
            for (Buffer block = first; block.length() > 0; block = await(blocks.next())) {
                out.write(block.getBytes());
            }
        } finally {
            blocks.close();
        }
    }

    private void audit(OutputStream out) throws IOException, InterruptedException {
        long after = 0;
        List<AuditTrail.Entry> page;
        do {
            page = await(sources.audit().read(order, after, snapshot, at.minus(RECENT), AUDIT_PAGE));
            for (AuditTrail.Entry entry : page) {
                out.write((entry.line().json().encode() + "\n").getBytes(StandardCharsets.UTF_8));
                after = entry.auditId();
                auditLines++;
            }
        } while (page.size() == AUDIT_PAGE);
    }

    /** Manifest and signature: they cover every byte before them. */
    private void seal() throws IOException {
        path = ExportFormat.MANIFEST;
        JsonObject by = new JsonObject()
                .put("userID", order.requester().userId().toString())
                .put("partyID", snapshot.standing().part().map(part -> part.partyId().value()).orElse(null))
                .put("isObserver", snapshot.standing().part().map(Participant::isObserver).orElse(false))
                .put("isSuperAdministrator", order.requester().isSuperAdministrator());
        byte[] list = manifest.bytes(new JsonObject()
                .put("format", ExportFormat.NAME)
                .put("iss", sources.issuer())
                .put("caseID", order.caseId().toString())
                .put("title", order.title())
                .put("phaseID", snapshot.standing().phaseId().value())
                .put("revision", snapshot.revision())
                .put("exportedAt", Timestamps.text(at))
                .put("exportedBy", by)
                .put("requestID", order.requester().requestId())
                .put("docket", new JsonObject().put("entries", snapshot.lastNumber()).put("headHash", snapshot.headHash()).put("rendered", papers))
                .put("exhibits", new JsonObject().put("count", exhibits).put("ofParties", new JsonArray(seen.keySet().stream().map(PartyId::value).sorted().toList())))
                .put("auditLines", order.withAudit() ? auditLines : null)
                .put("archive", new JsonObject().put("bytes", zip.position()).put("sha256", zip.sha256())));
        ZipWriter.Written written = zip.stored(ExportFormat.MANIFEST, list);
        JsonObject statement = new JsonObject()
                .put("iss", sources.issuer())
                .put("caseID", order.caseId().toString())
                .put("exportedAt", Timestamps.text(at))
                .put("userID", order.requester().userId().toString())
                .put("entries", snapshot.lastNumber())
                .put("headHash", snapshot.headHash())
                .put("manifestBytes", written.bytes())
                .put("manifestHash", written.sha256());
        path = ExportFormat.SIGNATURE;
        zip.stored(path, sources.signingKeys().signed(ExportFormat.SIGNATURE_TYPE, statement.encode()).getBytes(StandardCharsets.US_ASCII));
    }

    private String readme() {
        return """
                Export of the case "%s"
                Case %s, as it was on %s

                %-32s the case with its participants and timetable
                %-32s names of the people and organizations
                %-32s the docket, and the same as a PDF
                %-32s what each entry says, to print (.pdf), with its receipt (.receipt.jws)
                %-32s the files that were filed
                %-32s the exhibits that %s
                %s%-32s SHA-256 and length of every file
                %-32s the platform's signature of the manifest

                The archive proves itself. With the platform's program, which needs no connection for it:

                    ./acp verify-export FILE.zip --keys keys.json

                keys.json is a copy of %s/.well-known/jwks.json. How to check it without that program stands in the guide
                "Verify an export".
                """.formatted(order.title(), order.caseId(), Timestamps.text(at), ExportFormat.CASE, ExportFormat.PEOPLE, ExportFormat.DOCKET_INDEX,
                "docket/entries/", ExportFormat.FILES, "exhibits/", "whoever exported it may see", order.withAudit() ? "%-32s who did what%n".formatted(ExportFormat.AUDIT) : "",
                ExportFormat.MANIFEST, ExportFormat.SIGNATURE, sources.issuer());
    }

    /** A JSON object whose last member is a long array, a line an element. */
    private static final class Lines {

        private final OutputStream out;
        private boolean any;

        Lines(OutputStream out, JsonObject head, String name) throws IOException {
            this.out = out;
            String text = head.encode();
            write("%s,\"%s\":[".formatted(text.substring(0, text.length() - 1), name));
        }

        void add(JsonObject line) throws IOException {
            write((any ? ",\n" : "\n") + line.encode());
            any = true;
        }

        void end() throws IOException {
            write("\n]}\n");
        }

        private void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Waits for what an event loop or a worker does. */
    private static <T> T await(Future<T> future) throws InterruptedException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (TimeoutException late) {
            throw new IllegalStateException("nothing came for " + WAIT, late);
        }
    }
}
