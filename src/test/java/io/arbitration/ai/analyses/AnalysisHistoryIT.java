package io.arbitration.ai.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** For how long analyses are kept. */
class AnalysisHistoryIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    private String analysis(long promptId, long filingId, String state, int daysAgo) {
        return platform.rows("""
                insert into ai.analyses (prompt_id, prompt_version, ran_on, include_evidence, include_full_case, case_id, filing_id, revision, state, created, due, answer)
                values (?, 1, 'draft', false, false, gen_random_uuid(), ?, 1, ?, now() - ? * interval '1 day',
                        case when ? = 'waiting' then 'infinity'::timestamptz end, case when ? = 'done' then 'text' end)
                returning analysis_id
                """, promptId, filingId, state, daysAgo, state, state).getFirst().getFirst();
    }

    private List<Boolean> areKept(String... ids) {
        return List.of(ids).stream().map(id -> !platform.rows("select 1 from ai.analyses where analysis_id = ?::bigint", id).isEmpty()).toList();
    }

    @Test
    void anAnalysisThatEndedIsRemovedAfterItsHistoryAndOneThatWaitsIsNot() throws Exception {
        JsonObject prompt = new JsonObject().put("documentID", "statementOfClaim").put("ruleSet", "commercial").put("prompt", UUID.randomUUID().toString())
                .put("active", false).put("triggerOnDocket", false).put("triggerOnDraft", false).put("includeEvidence", false).put("includeFullCase", false);
        long promptId = platform.post("/ai/prompts/create", prompt, platform.administrator().token()).object().getLong("id");
        String old = analysis(promptId, 1, "done", 4000);
        String failed = analysis(promptId, 2, "failed", 4000);
        String waiting = analysis(promptId, 3, "waiting", 4000);
        String young = analysis(promptId, 4, "done", 10);
        new AnalysisRepository(platform.database()).deleteExpired(Duration.ofDays(3650)).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertThat(areKept(old, failed, waiting, young)).containsExactly(false, false, true, true);
    }
}
