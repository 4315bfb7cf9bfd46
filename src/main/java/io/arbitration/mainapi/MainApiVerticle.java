package io.arbitration.mainapi;

import io.arbitration.cases.CaseRules;
import io.arbitration.mainapi.capture.CaptureHandlers;
import io.arbitration.mainapi.docket.DocketHandlers;
import io.arbitration.mainapi.evidence.EvidenceHandlers;
import io.arbitration.mainapi.filings.FilingHandlers;
import io.arbitration.mainapi.notice.NoticeHandlers;
import io.arbitration.platform.Foundation;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.vertx.core.Future;
import java.util.List;

/** The main API: filings, the docket, evidence and service of notice. */
public final class MainApiVerticle extends Area {

    private final Foundation foundation;
    private final CaseRules rules;
    private NoticeHandlers notices;

    public MainApiVerticle(Foundation foundation, CaseRules rules) {
        super("api");
        this.foundation = foundation;
        this.rules = rules;
    }

    @Override
    protected Future<List<Contract>> open() {
        Contract contract = Contract.read("main");
        new FilingHandlers(vertx, foundation, rules).bind(contract);
        new DocketHandlers(vertx, foundation.database(), foundation.settings().docket(), rules).bind(contract);
        new EvidenceHandlers(vertx, foundation, rules).bind(contract);
        notices = new NoticeHandlers(vertx, foundation, rules);
        notices.bind(contract);
        notices.start();
        new CaptureHandlers(foundation, rules.definitions()).bind(contract);
        return Future.succeededFuture(List.of(contract));
    }

    @Override
    public Future<?> stop() {
        return notices == null ? Future.succeededFuture() : notices.stop();
    }

    @Override
    protected Door door() {
        return foundation.door();
    }
}
