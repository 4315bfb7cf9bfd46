package io.arbitration.mainapi.export;

import io.arbitration.cases.CaseExport;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.evidence.EvidenceVisibility;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.EntryPaper;
import io.arbitration.mainapi.evidence.EvidenceRepository;
import io.arbitration.mainapi.evidence.Exhibits;
import io.arbitration.mainapi.filings.FileObjects;
import io.arbitration.mainapi.filings.Receipts;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Vertx;

/** Wires the exports of cases. */
public final class ExportWiring {

    private ExportWiring() {}

    public static CaseExport export(Vertx vertx, AreaServices services, ExportSettings settings, CaseRules rules) {
        Database database = services.database();
        String issuer = services.tokens().issuer();
        // Each export has at most a few PDFs in progress, so none is ever refused here.
        PaperWorkers workers = new PaperWorkers(vertx, settings.atOnce() * (DocketFiles.PAPERS_AHEAD + 2));
        CaseArchives.Sources sources = new CaseArchives.Sources(new ExportRepository(database), new ExportAudit(database, services.audit(), services.clock()),
                new DocketRepository(database), new FileObjects(database, services.objects()), new Exhibits(new EvidenceRepository(database, rules.phasesOfSharedEvidence()), services.objects()),
                new Receipts(issuer, services.signingKeys(), services.clock()), new EntryPaper(rules.definitions()), new IndexPaper(rules.definitions()),
                workers, issuer, services.signingKeys());
        return new CaseArchives(vertx, sources, new EvidenceVisibility(rules), settings, services.clock());
    }
}
