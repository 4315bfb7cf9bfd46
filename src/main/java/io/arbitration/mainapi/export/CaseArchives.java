package io.arbitration.mainapi.export;

import io.arbitration.cases.CaseExport;
import io.arbitration.cases.ExportOrder;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.EntryPaper;
import io.arbitration.mainapi.evidence.Exhibits;
import io.arbitration.mainapi.filings.Receipts;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.archive.BlockPipe;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.files.Streamed;
import io.arbitration.platform.paper.Paper;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports cases. Each export is a long linear flow and has a virtual thread of its own, which waits for the database, for the
 * few threads that make PDFs, and for its reader; how many there are at once is bounded.
 */
public final class CaseArchives implements CaseExport {

    /** Keeps the list of files, which an archive needs at its end, below some tens of megabytes. */
    private static final int FILES_MAX = 250_000;
    private static final int FILES_PER_ENTRY = 3;
    private static final int OTHER_FILES = 16;
    private static final Logger LOG = LoggerFactory.getLogger(CaseArchives.class);

    private final Vertx vertx;
    private final AreaServices services;
    private final ExportRepository repository;
    private final DocketRepository docket;
    private final Exhibits exhibits;
    private final Receipts receipts;
    private final EntryPaper entryPaper;
    private final IndexPaper indexPaper;
    private final PaperWorkers workers;
    private final Places places;
    private final ExportSettings settings;
    private volatile Future<Boolean> rendersPapers;

    public CaseArchives(Vertx vertx, AreaServices services, ExportSettings settings, CaseRules rules) {
        this.vertx = vertx;
        this.services = services;
        this.settings = settings;
        this.repository = new ExportRepository(services.database(), services.audit());
        this.docket = new DocketRepository(services.database());
        this.exhibits = new Exhibits(services, rules);
        this.receipts = new Receipts(services.tokens().issuer(), services.signingKeys(), services.clock());
        this.entryPaper = new EntryPaper(rules.definitions());
        this.indexPaper = new IndexPaper(rules.definitions());
        // Each export has a few PDFs in the making at most, so none is ever refused here.
        this.workers = new PaperWorkers(vertx, settings.atOnce() * (ArchiveWriter.PAPERS_AHEAD + 2));
        this.places = new Places(settings.atOnce(), settings.atOncePerCaller());
    }

    /** What an archive is made with. */
    record Sources(
            ExportRepository repository, DocketRepository docket, Exhibits exhibits, Receipts receipts, EntryPaper entryPaper,
            IndexPaper indexPaper, PaperWorkers workers, AreaServices services) {}

    @Override
    public Future<Streamed> begin(ExportOrder order) {
        Runnable leave = places.take(order.requester().userId());
        Instant at = Timestamps.milliseconds(services.clock().instant());
        return repository.snapshot(order.caseId().value(), order.requester().userId())
                .map(found -> found.filter(now -> now.revision() == order.revision()).orElseThrow(CaseMoved::new))
                .compose(snapshot -> begin(order, snapshot, at, leave))
                .onFailure(failed -> leave.run());
    }

    private Future<Streamed> begin(ExportOrder order, Snapshot snapshot, Instant at, Runnable leave) {
        boolean seesAll = order.requester().isSuperAdministrator() && snapshot.partyId() == null;
        Map<String, Integer> seen = exhibits.seen(snapshot.lastExhibits(), snapshot.phaseId(), snapshot.partyId(), snapshot.isObserver(), seesAll);
        long files = OTHER_FILES + (long) snapshot.lastNumber() * FILES_PER_ENTRY + seen.values().stream().mapToLong(Integer::longValue).sum();
        if (files > FILES_MAX) {
            return Future.failedFuture(ExportError.TOO_LARGE.refusal(FILES_MAX));
        }
        return repository.leaveLine(line(order, "case.exported", null, at)).map(left -> {
            BlockPipe pipe = new BlockPipe(vertx, settings.stall());
            Sources sources = new Sources(repository, docket, exhibits, receipts, entryPaper, indexPaper, workers, services);
            ArchiveWriter writer = new ArchiveWriter(sources, order, snapshot, seen, this::rendersPapers, at, pipe);
            Thread.ofVirtual().name("export-" + order.caseId()).start(() -> write(writer, order, pipe, leave));
            return new Streamed("application/zip", "case-%s.zip".formatted(order.caseId()), pipe, settings.stall(), settings.most());
        });
    }

    private void write(ArchiveWriter writer, ExportOrder order, BlockPipe pipe, Runnable leave) {
        try {
            writer.write();
            pipe.end();
        } catch (BlockPipe.ReaderGone gone) {
            LOG.info("request {}: the export of case {} was not read to its end: {}", order.requester().requestId(), order.caseId(), gone.getMessage());
        } catch (Throwable failed) {
            // Whatever it is, the reader must not wait for more.
            LOG.error("request {}: the export of case {} failed at {}", order.requester().requestId(), order.caseId(), writer.at(), failed);
            pipe.fail(failed);
            repository.leaveLine(line(order, "case.export-failed", writer.at(), services.clock().instant()))
                    .onFailure(unwritten -> LOG.error("the audit trail does not tell so: {}", unwritten.getMessage()));
        } finally {
            leave.run();
        }
    }

    private static AuditTrail.Line line(ExportOrder order, String action, String subject, Instant at) {
        UUID caseId = order.caseId().value();
        return new AuditTrail.Line(caseId, Timestamps.milliseconds(at), order.requester().userId(), action, subject, order.requester().requestId(), order.requester().address());
    }

    /** Whether this machine lays text out; found out once, as reading the fonts takes a while. Where it does not, archives have no PDFs. */
    private Future<Boolean> rendersPapers() {
        Future<Boolean> known = rendersPapers;
        if (known == null) {
            known = workers.make(() -> new Paper().text("?", new Paper.Look(9, false, 0)).bytes("", Instant.EPOCH, (page, pages) -> "").length > 0)
                    .recover(failed -> failed instanceof Refusal ? Future.succeededFuture(false) : Future.failedFuture(failed))
                    .onFailure(failed -> rendersPapers = null);
            rendersPapers = known;
        }
        return known;
    }
}
