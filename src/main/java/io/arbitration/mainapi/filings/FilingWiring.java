package io.arbitration.mainapi.filings;

import io.arbitration.domain.Decision;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.domain.filing.FilingRules;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.DocketSettings;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.batching.CommandBatcher;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.telemetry.Traces;
import io.vertx.core.Vertx;
import java.util.Map;

/** Makes what the operations on filings need, and binds them to the contract. */
public final class FilingWiring {

    private FilingWiring() {}

    public static void bind(
            Contract contract, Vertx vertx, AreaServices services, DocketSettings settings, CaseRules caseRules, DocketRepository docket, Receipts receipts) {
        FilingRepository repository = new FilingRepository(services.database());
        FilingRules rules = new FilingRules(caseRules, settings.openDraftsMax());
        CaseSnapshots snapshots = new CaseSnapshots(services.database(), repository, docket, services.events(), rules, settings.openDraftsMax());
        FilingBatches batches = new FilingBatches(services.database(), snapshots, rules, repository, docket, services.audit(), services.events(),
                new FilingTrail(services.random()), services.clock(), services.random());
        CommandBatcher<FilingBatches.Asked, Decision<FilingChange, FilingRefusal>> batcher = new CommandBatcher<>(vertx, settings.writeLanes(),
                settings.writeQueueMax(), batch -> services.traces().within(vertx, batch.getFirst().requester().trace(),
                        new Traces.Work("filings decide", Traces.Kind.WORKS, Map.of("acp.batch", String.valueOf(batch.size()))),
                        () -> batches.decide(batch)));
        new FilingHandlers(new FilingService(repository, rules, snapshots, batcher, docket, receipts, services.clock())).bind(contract);
    }
}
