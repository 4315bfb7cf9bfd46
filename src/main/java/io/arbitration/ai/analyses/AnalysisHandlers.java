package io.arbitration.ai.analyses;

import io.arbitration.ai.analyses.AnalysisRepository.Listed;
import io.arbitration.ai.analyses.AnalysisRepository.Standing;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Analyses as the contract of the AI area has them. */
public final class AnalysisHandlers {

    private static final int LIMIT_DEFAULT = 50;
    private static final Set<String> READERS = Set.of("caseManager", "arbitrator");

    private final AnalysisRepository repository;

    AnalysisHandlers(AnalysisRepository repository) {
        this.repository = repository;
    }

    public Future<Reply> list(Call call) {
        int limit = call.whole("limit", LIMIT_DEFAULT);
        long before = call.optionalText("cursor").map(AnalysisHandlers::cursor).orElse(Long.MAX_VALUE);
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(AnalysisError.CASE_NOT_FOUND::refusal);
        return repository.standing(caseId, call.caller().id())
                // One more than asked for tells whether there is a next page.
                .compose(found -> repository.visible(caseId, party(found), before, limit + 1, Page.BYTES_MAX))
                .map(all -> {
                    Page<Listed> page = Page.of(all, limit, Page.BYTES_MAX, Listed::bytes);
                    return Reply.json(new JsonObject()
                            .put("analyses", new JsonArray(page.items().stream().map(AnalysisHandlers::json).toList()))
                            .put("nextCursor", page.more() ? String.valueOf(page.items().getLast().analysisId()) : null));
                });
    }

    private static String party(Optional<Standing> found) {
        Standing standing = found.orElseThrow(AnalysisError.CASE_NOT_FOUND::refusal);
        String party = standing.partyId().orElseThrow(AnalysisError.NOT_A_PARTICIPANT::refusal);
        if (!READERS.contains(party)) {
            throw AnalysisError.NOT_A_READER.refusal();
        }
        return party;
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
