package io.arbitration.mainapi;

import io.arbitration.domain.cases.CaseRules;
import io.arbitration.mainapi.capture.CaptureHandlers;
import io.arbitration.mainapi.docket.DocketHandlers;
import io.arbitration.mainapi.evidence.EvidenceHandlers;
import io.arbitration.mainapi.filings.FilingHandlers;
import io.arbitration.mainapi.notice.ServiceOfNotice;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.util.List;

/** The main API: filings, the docket, evidence and service of notice. */
public final class MainApiVerticle extends AreaVerticle {

    private final AreaServices services;
    private final MainApiSettings settings;
    private final CaseRules rules;
    private ServiceOfNotice notices;

    public MainApiVerticle(AreaServices services, MainApiSettings settings, CaseRules rules) {
        super("api");
        this.services = services;
        this.settings = settings;
        this.rules = rules;
    }

    @Override
    protected Future<List<Contract>> open() {
        Contract contract = Contract.read("main");
        new FilingHandlers(vertx, services, settings.docket(), rules).bind(contract);
        new DocketHandlers(vertx, services.database(), settings.docket(), rules).bind(contract);
        new EvidenceHandlers(vertx, services, settings.evidence(), rules).bind(contract);
        notices = new ServiceOfNotice(vertx, services, settings.notices(), settings.areas(), settings.evidence().bucket(), rules.definitions());
        notices.bind(contract);
        notices.start();
        new CaptureHandlers(services.pages(), rules.definitions(), settings.rateLimit()).bind(contract);
        return Future.succeededFuture(List.of(contract));
    }

    @Override
    public Future<?> stop() {
        return notices == null ? Future.succeededFuture() : notices.stop();
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
