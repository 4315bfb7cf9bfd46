package io.arbitration.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.cases.Case;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.files.Streamed;
import io.vertx.core.Future;
import java.util.Optional;

/** Orders the exports of cases, each for what its requester may see at one revision of the case. */
final class ExportService {

    /** After this many attempts the export fails: the case is changed too often at this moment. */
    private static final int ATTEMPTS = 5;
    private static final int RETRY_SECONDS = 1;

    private final CasesService cases;
    private final CaseJson json;
    private final CaseExport export;

    ExportService(CasesService cases, CaseJson json, CaseExport export) {
        this.cases = cases;
        this.json = json;
        this.export = export;
    }

    Future<Streamed> export(Optional<CaseId> caseId, Requester requester) {
        return attempt(caseId, requester, ATTEMPTS);
    }

    private Future<Streamed> attempt(Optional<CaseId> caseId, Requester requester, int attempts) {
        return cases.exportable(caseId, requester)
                .compose(exportable -> {
                    Case of = exportable.shown().of();
                    return export.begin(new ExportOrder(
                            of.caseId(), of.title(), of.revision(), json.one(exportable.shown()), of.clock().isSandbox(), exportable.withAudit(), requester));
                })
                .recover(failure -> {
                    if (!(failure instanceof CaseExport.CaseMoved)) {
                        return Future.failedFuture(failure);
                    }
                    return attempts > 1
                            ? attempt(caseId, requester, attempts - 1)
                            : Future.failedFuture(CasesError.EXPORT_MOVED.refusal().retryAfter(RETRY_SECONDS));
                });
    }
}
