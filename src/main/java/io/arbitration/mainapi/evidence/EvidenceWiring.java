package io.arbitration.mainapi.evidence;

import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.mainapi.files.Transfers;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.pipeline.Contract;

/** Wires the operations on evidence, and binds them to the contract. */
public final class EvidenceWiring {

    private EvidenceWiring() {}

    public static void bind(Contract contract, AreaServices services, EvidenceSettings settings, CaseRules rules, Transfers transfers) {
        EvidenceRepository repository = new EvidenceRepository(services.database(), rules.phasesOfSharedEvidence());
        EvidenceService service = new EvidenceService(services.database(), repository, services.audit(), services.objects(),
                new UploadRules(rules, settings.bounds()), services.clock(), transfers);
        new EvidenceHandlers(service, settings.uploadBytesMax()).bind(contract);
    }
}
