package io.arbitration.ai.analyses;

import io.arbitration.ai.analyses.AnalysisRepository.Listed;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Analyses as the contract of the AI area has them. */
public final class AnalysisHandlers {

    private static final int LIMIT_DEFAULT = 50;

    private final AnalysisService service;

    AnalysisHandlers(AnalysisService service) {
        this.service = service;
    }

    public Future<Reply> list(Call call) {
        long before = call.optionalText("cursor").map(AnalysisHandlers::cursor).orElse(Long.MAX_VALUE);
        return service.list(CaseId.of(call.text("caseID")), call.caller().id(), before, call.whole("limit", LIMIT_DEFAULT))
                .map(page -> Reply.json(new JsonObject()
                        .put("analyses", new JsonArray(page.items().stream().map(AnalysisHandlers::json).toList()))
                        .put("nextCursor", page.more() ? String.valueOf(page.items().getLast().analysisId()) : null)));
    }

    private static long cursor(String text) {
        return Identifiers.number(text).orElseThrow(() -> Refusal.badRequest("cursor: must be the nextCursor of a page before"));
    }

    private static JsonObject json(Listed analysis) {
        JsonObject json = new JsonObject()
                .put("analysisID", String.valueOf(analysis.analysisId()))
                .put("promptID", String.valueOf(analysis.promptId()))
                .put("promptVersion", analysis.promptVersion())
                .put("filingID", String.valueOf(analysis.filingId()));
        analysis.entryId().ifPresent(entry -> json.put("entryID", String.valueOf(entry)));
        return json
                .put("created", Timestamps.text(analysis.created()))
                .put("model", analysis.model().orElse(null))
                .put("status", analysis.status())
                .put("text", analysis.text().orElse(null))
                .put("inputHashes", analysis.inputHashes());
    }
}
