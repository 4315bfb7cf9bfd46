package io.arbitration.mainapi.evidence;

import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Vertx;

/** Makes what the operations on evidence need, and binds them to the contract. */
public final class EvidenceWiring {

    private EvidenceWiring() {}

    public static void bind(Contract contract, Vertx vertx, AreaServices services, EvidenceSettings settings, CaseRules rules) {
        EvidenceRepository repository = new EvidenceRepository(services.database(), rules.phasesOfSharedEvidence());
        EvidenceService service = new EvidenceService(vertx, services.database(), repository, services.audit(), services.objects(), services.disk(),
                new UploadRules(rules, settings.bounds()), settings, services.clock());
        new EvidenceHandlers(service, settings.uploadBytesMax()).bind(contract);
    }
}
