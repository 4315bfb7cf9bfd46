package io.arbitration.mainapi.export;

import io.arbitration.cases.CaseExport;
import io.arbitration.cases.ExportOrder;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.evidence.EvidenceVisibility;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.EntryPaper;
import io.arbitration.mainapi.evidence.Exhibits;
import io.arbitration.mainapi.filings.FileObjects;
import io.arbitration.mainapi.filings.Receipts;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.archive.BlockPipe;
import io.arbitration.platform.files.Streamed;
import io.arbitration.platform.keys.SigningKeys;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.paper.Paper;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports cases. Each export runs on a virtual thread of its own, which waits for the database, for the few threads that make PDFs, and for
 * its reader. The number of exports at once is bounded.
 */
final class CaseArchives implements CaseExport {

    /** Of one archive, whatever the heap. */
    private static final int FILES_MAX = 250_000;
    private static final int FILES_PER_ENTRY = 3;
    private static final int OTHER_FILES = 16;
    private static final int WATCH_MILLIS = 1000;
    private static final int RETRY_SECONDS = 5;
    /**
     * The maximum memory of an export without its lists of files: a page of entries, the PDFs made in advance, and unsent bytes.
     */
    private static final long HEAP_BYTES = 16L * 1024 * 1024;
    /** A line of the manifest, which is assembled from pieces at the end, and one of the zip's directory. */
    private static final long HEAP_BYTES_PER_FILE = 512;
    private static final Logger LOG = LoggerFactory.getLogger(CaseArchives.class);

    private final Vertx vertx;
    private final Sources sources;
    private final EvidenceVisibility visibility;
    private final Bulkhead exports;
    private final Bulkhead heap;
    private final long filesMax;
    private final ExportSettings settings;
    private final Clock clock;
    private volatile Future<Boolean> rendersPapers;

    CaseArchives(Vertx vertx, Sources sources, EvidenceVisibility visibility, ExportSettings settings, Clock clock) {
        this.vertx = vertx;
        this.sources = sources;
        this.visibility = visibility;
        this.settings = settings;
        this.clock = clock;
        this.exports = new Bulkhead(new Bulkhead.Bounds(settings.atOnce(), settings.atOncePerCaller(), 0),
                CaseArchives::busy, () -> ExportError.BUSY_OF_CALLER.refusal(settings.atOncePerCaller()).retryAfter(RETRY_SECONDS));
        this.heap = new Bulkhead(new Bulkhead.Bounds(settings.bytesMax(), Long.MAX_VALUE, 0),
                CaseArchives::busy, CaseArchives::busy);
        // An export with more files would need more heap than all exports together may use.
        this.filesMax = Math.min(FILES_MAX, (settings.bytesMax() - HEAP_BYTES) / HEAP_BYTES_PER_FILE);
    }

    private static Refusal busy() {
        return ExportError.BUSY.refusal().retryAfter(RETRY_SECONDS);
    }

    /**
     * The dependencies of an archive, except the case.
     *
     * @param issuer the issuer of the signed manifest
     */
    record Sources(
            ExportRepository repository, ExportAudit audit, DocketRepository docket, FileObjects files, Exhibits exhibits, Receipts receipts, EntryPaper entryPaper,
            IndexPaper indexPaper, PaperWorkers workers, String issuer, SigningKeys signingKeys) {}

    @Override
    public Future<Streamed> begin(ExportOrder order) {
        Bulkhead.Permit permit = exports.acquire(order.requester().userId());
        Instant at = Timestamps.milliseconds(clock.instant());
        return sources.repository().snapshot(order.caseId(), new UserId(order.requester().userId()))
                .map(found -> found.filter(now -> now.revision() == order.revision()).orElseThrow(CaseMoved::new))
                .compose(snapshot -> begin(order, snapshot, at, permit))
                .onFailure(failed -> permit.close());
    }

    private Future<Streamed> begin(ExportOrder order, Snapshot snapshot, Instant at, Bulkhead.Permit permit) {
        Map<PartyId, Integer> seen = seen(order, snapshot);
        long files = OTHER_FILES + (long) snapshot.lastNumber() * FILES_PER_ENTRY + snapshot.files() + seen.values().stream().mapToLong(Integer::longValue).sum();
        if (files > filesMax) {
            return Future.failedFuture(ExportError.TOO_LARGE.refusal(filesMax));
        }
        Bulkhead.Permit memory = heap.acquire(order.caseId(), HEAP_BYTES + files * HEAP_BYTES_PER_FILE);
        return sources.audit().write(order, "case.exported", null).map(left -> {
            BlockPipe pipe = new BlockPipe(vertx, settings.stall());
            ArchiveWriter writer = new ArchiveWriter(sources, order, snapshot, seen, this::rendersPapers, at, pipe);
            Runnable unwatch = endWhenRemoved(order, snapshot, writer, pipe);
            Thread.ofVirtual().name("export-" + order.caseId()).start(() -> write(writer, order, pipe, () -> {
                unwatch.run();
                memory.close();
                permit.close();
            }));
            return new Streamed("application/zip", "case-%s.zip".formatted(order.caseId()), pipe, settings.stall(), settings.most());
        }).onFailure(failed -> memory.close());
    }

    /** The last exhibit of each party whose evidence is part of the export. */
    private Map<PartyId, Integer> seen(ExportOrder order, Snapshot snapshot) {
        if (snapshot.participation().part().isEmpty() && order.requester().isSuperAdministrator()) {
            return snapshot.lastExhibits();
        }
        Set<PartyId> parties = visibility.seen(snapshot.participation(), snapshot.lastExhibits().keySet());
        return parties.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), snapshot.lastExhibits()::get));
    }

    /**
     * Checks periodically whether the reader is still a participant of the case, and aborts the export within {@value
     * #WATCH_MILLIS} ms if not.
     *
     * @return a function that ends these checks
     */
    private Runnable endWhenRemoved(ExportOrder order, Snapshot snapshot, ArchiveWriter writer, BlockPipe pipe) {
        if (snapshot.participation().part().isEmpty()) {
            return () -> { };
        }
        PartyId partyId = snapshot.participation().part().get().partyId();
        AtomicBoolean asking = new AtomicBoolean();
        AtomicBoolean removed = new AtomicBoolean();
        long timer = vertx.setPeriodic(WATCH_MILLIS, due -> {
            if (asking.compareAndSet(false, true)) {
                sources.repository().takesPart(order.caseId(), new UserId(order.requester().userId()), partyId)
                        .onSuccess(takesPart -> {
                            if (!takesPart && removed.compareAndSet(false, true)) {
                                pipe.fail(new ReaderRemoved());
                                // Bytes that the reader has not fetched yet are discarded, and the writer stops at its next
                                // block.
                                pipe.close();
                                tellFailed(order, writer);
                            }
                        })
                        .onFailure(failed -> LOG.warn("request {}: checking whether the reader of the export of case {} still takes part failed: {}",
                                order.requester().requestId(), order.caseId(), failed.getMessage()))
                        .onComplete(asked -> asking.set(false));
            }
        });
        return () -> vertx.cancelTimer(timer);
    }

    /** The reader of an export has been removed from the case. */
    private static final class ReaderRemoved extends RuntimeException {
        ReaderRemoved() {
            super("the reader takes part in the case no more", null, false, false);
        }
    }

    private void write(ArchiveWriter writer, ExportOrder order, BlockPipe pipe, Runnable leave) {
        try {
            writer.write();
            pipe.end();
        } catch (BlockPipe.ReaderGone gone) {
            LOG.info("request {}: the export of case {} was not read to its end: {}",
                    order.requester().requestId(), order.caseId(), gone.getMessage());
        } catch (Throwable failed) {
            // Whatever has failed, the reader must not wait for further bytes.
            LOG.error("request {}: the export of case {} failed at {}", order.requester().requestId(), order.caseId(), writer.at(), failed);
            pipe.fail(failed);
            tellFailed(order, writer);
        } finally {
            leave.run();
        }
    }

    private void tellFailed(ExportOrder order, ArchiveWriter writer) {
        sources.audit().write(order, "case.export-failed", writer.at())
                .onFailure(unwritten -> LOG.error("recording the failed export in the audit trail failed: {}", unwritten.getMessage()));
    }

    /**
     * Whether this machine can lay out text; checked once, because reading the fonts takes long. If it cannot, archives have no
     * PDFs.
     */
    private Future<Boolean> rendersPapers() {
        Future<Boolean> known = rendersPapers;
        if (known == null) {
            known = sources.workers().make(() -> new Paper().text("?", new Paper.Look(9, false, 0)).bytes("", Instant.EPOCH, (page, pages) -> "").length > 0)
                    .recover(failed -> failed instanceof Refusal ? Future.succeededFuture(false) : Future.failedFuture(failed));
            rendersPapers = known;
            // After it is kept, because this runs at once if the check has failed already. A failed check is repeated by the next export.
            known.onFailure(failed -> rendersPapers = null);
        }
        return known;
    }
}
