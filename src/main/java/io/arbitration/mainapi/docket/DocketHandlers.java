package io.arbitration.mainapi.docket;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.platform.paper.PaperWorkers;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.UUID;

/** The operations under {@code /docket}. */
public final class DocketHandlers {

    private final DocketService service;

    /** PDFs waiting to be made; more are refused. */
    private static final int PAPER_QUEUE_MAX = 64;

    public DocketHandlers(Vertx vertx, Database database, DocketSettings settings, CaseRules rules) {
        DocketRepository repository = new DocketRepository(database);
        this.service = new DocketService(vertx, repository, new DocketListCache(repository, settings.cacheBytesMax()),
                new EntryPaper(rules.definitions()), new PaperWorkers(vertx, PAPER_QUEUE_MAX));
    }

    public void bind(Contract contract) {
        contract.bind("listDocketEntries", this::list)
                .bind("viewDocketEntry", this::view)
                .bind("renderDocketEntry", this::render)
                .bind("verifyDocket", this::verify);
    }

    private Future<Reply> list(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(DocketError.LIST_CASE_NOT_FOUND::refusal);
        UUID userId = call.caller().id();
        boolean whole = !call.hasAny("documentID", "partyID", "phaseID", "afterEntryID", "limit");
        if (whole) {
            return service.list(caseId, userId).map(Reply::json);
        }
        long afterEntryId = call.optionalText("afterEntryID").map(id -> Identifiers.number(id).orElse(0)).orElse(-1L);
        return service.filtered(caseId, userId, afterEntryId, new DocketRepository.Filter(
                call.text("documentID"), call.text("partyID"), call.text("phaseID"), 0, call.body().getInteger("limit"))).map(Reply::json);
    }

    private Future<Reply> view(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(DocketError.CASE_NOT_FOUND::refusal);
        return service.view(caseId, call.caller().id(), Identifiers.number(call.text("entryID")).orElse(0)).map(Reply::json);
    }

    private Future<Reply> render(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(DocketError.CASE_NOT_FOUND::refusal);
        long entryId = Identifiers.number(call.text("entryID")).orElse(0);
        return service.render(caseId, call.caller().id(), entryId).map(pdf ->
                new Reply(200, "application/pdf", pdf, Map.of("Content-Disposition", "inline; filename=\"docket-entry-%d.pdf\"".formatted(entryId))));
    }

    private Future<Reply> verify(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(DocketError.CASE_NOT_FOUND::refusal);
        return service.verify(caseId, call.caller().id()).map(Reply::json);
    }
}
