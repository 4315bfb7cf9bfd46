package io.arbitration.ai.analyses;

import io.arbitration.ai.analyses.AnalysisRepository.Listed;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
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
        return service.list(CaseId.of(call.text("caseID")), call.caller().id(), before, call.integer("limit", LIMIT_DEFAULT))
                .map(page -> Reply.json(json(page)));
    }

    /** The stored hashes of the inputs are copied: parsing and writing some thousand of each analysis again would hold up the event loop. */
    private static Buffer json(Page<Listed> page) {
        Buffer json = Buffer.buffer().appendString("{\"analyses\":[");
        for (int i = 0; i < page.items().size(); i++) {
            Listed analysis = page.items().get(i);
            if (i > 0) {
                json.appendByte((byte) ',');
            }
            Buffer head = json(analysis).toBuffer();
            json.appendBuffer(head, 0, head.length() - 1).appendString(",\"inputHashes\":").appendBuffer(analysis.inputHashes()).appendByte((byte) '}');
        }
        String next = page.more() ? String.valueOf(page.items().getLast().analysisId()) : null;
        return json.appendString("],\"nextCursor\":").appendBuffer(Json.encodeToBuffer(next)).appendByte((byte) '}');
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
                .put("text", analysis.text().orElse(null));
    }
}
