package io.arbitration.mainapi.filings;

import io.arbitration.domain.Decision;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.evidence.EvidenceBounds;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.domain.filing.FilingRules;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.DocketSettings;
import io.arbitration.mainapi.files.Transfers;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.batching.CommandBatcher;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.reading.PdfChecker;
import io.arbitration.platform.telemetry.Traces;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes what the operations on filings need, and binds them to the contract. */
public final class FilingWiring {

    private FilingWiring() {}

    /** @param evidence the bounds of bytes, which count for exhibits and files together */
    public record Bounds(DocketSettings docket, FilesSettings files, EvidenceBounds evidence) {}

    /** @param docketed takes the entries of each batch that was committed, in the order of their numbers */
    public static void bind(
            Contract contract, Vertx vertx, AreaServices services, Bounds bounds, CaseRules caseRules, DocketRepository docket,
            Consumer<List<DocketEntry>> docketed, Receipts receipts, Transfers transfers) {
        DocketSettings settings = bounds.docket;
        FilingRepository repository = new FilingRepository(services.database());
        FilingRules rules = new FilingRules(caseRules, settings.openDraftsMax());
        CaseSnapshots snapshots = new CaseSnapshots(services.database(), repository, docket, services.events(), caseRules, settings.openDraftsMax());
        UploadRules bytesRules = new UploadRules(caseRules, bounds.evidence);
        FileRepository fileRepository = new FileRepository(services.database());
        AddedFiles added = new AddedFiles(fileRepository, services.objects().pending(), bytesRules);
        FilingBatches batches = new FilingBatches(services.database(), snapshots, rules, bytesRules, repository, added, docket, docketed, services.audit(),
                services.events(), new FilingTrail(services.random()), services.clock(), services.random());
        CommandBatcher<FilingBatches.PendingCommand, Decision<FilingChange, FilingRefusal>> batcher = new CommandBatcher<>(vertx, settings.writeLanes(),
                settings.writeQueueMax(), batch -> services.traces().within(vertx, batch.getFirst().requester().trace(),
                        new Traces.Work("filings decide", Traces.Kind.WORKS, Map.of("acp.batch", String.valueOf(batch.size()))),
                        () -> batches.decide(batch)));
        FilingService service = new FilingService(batcher);
        FilingReadService reading = new FilingReadService(new FilingReadRepository(services.database()), rules, snapshots, docket, receipts, services.clock());
        new FilingHandlers(service, reading).bind(contract);
        FilesSettings files = bounds.files;
        PdfChecker pdfs = new PdfChecker(vertx, services.objects(), services.reading(), files.pagesMax(), files.check());
        new RedactionHandlers(new RedactionService(services.database(), services.audit(), services.objects(),
                bytesRules, transfers, pdfs, services.clock()), files.bytesMax()).bind(contract);
        new FileHandlers(new FileService(vertx, service, reading, fileRepository, services.database(), services.objects(),
                bytesRules, transfers, pdfs, services.clock()), reading, files.bytesMax()).bind(contract);
    }
}
