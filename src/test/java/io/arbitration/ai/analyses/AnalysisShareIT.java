package io.arbitration.ai.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.ai.ModelServer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One case with very many documents takes the model neither from the other cases nor for the whole day. */
class AnalysisShareIT {

    private static final int PER_DAY = 6;

    @TempDir
    private Path folder;
    private ModelServer model;
    private RunningPlatform platform;
    private OpenCase busy;
    private OpenCase other;

    @BeforeEach
    void start() {
        model = new ModelServer();
        Map<String, String> settings = new HashMap<>(model.settings());
        settings.putAll(Map.of("ACP_AI_ANALYSES_AT_ONCE", "1", "ACP_AI_ANALYSES_PER_CASE_AND_DAY", String.valueOf(PER_DAY)));
        platform = RunningPlatform.start(folder, settings);
        busy = OpenCase.on(platform);
        other = busy.another();
        assertThat(platform.post("/ai/prompts/create", new JsonObject().put("documentID", "noticeToParties").put("ruleSet", "commercial")
                .put("prompt", "Check.").put("active", true).put("triggerOnDocket", false).put("triggerOnDraft", true)
                .put("includeEvidence", false).put("includeFullCase", false), platform.administrator().token()).status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        platform.close();
        model.close();
    }

    private long count(OpenCase of, String state) {
        return platform.rows("select 1 from ai.analyses where case_id = ?::uuid and state = ?", of.caseId(), state).size();
    }

    private void drafts(OpenCase in, int count) {
        for (int i = 0; i < count; i++) {
            in.draft(in.manager(), "noticeToParties");
        }
    }

    @Test
    void theOtherCaseWaitsForOneAnalysisAndNotForAllThatWaitBeforeIt() {
        CountDownLatch gate = new CountDownLatch(1);
        model.does(ModelServer.after(gate, ModelServer.saying("Read.")), ModelServer.saying("Read."));
        drafts(busy, 5);
        Await.until("one is asked for and four wait", () -> model.asked().size() == 1 && count(busy, "waiting") == 5);
        drafts(other, 1);
        Await.until("the other waits", () -> count(other, "waiting") == 1);
        gate.countDown();
        Await.until("all are made", () -> count(busy, "done") == 5 && count(other, "done") == 1);
        assertThat(platform.rows("""
                select count(*) from ai.analyses a, ai.analyses o
                where a.case_id = ?::uuid and o.case_id = ?::uuid and a.ended <= o.ended
                """, busy.caseId(), other.caseId()).getFirst().getFirst()).as("made before that of the other case").isIn("1", "2");
    }

    @Test
    void aCaseHasSoManyADayAndGoesOnTomorrow() {
        Await.until("the day lasts as long as this test", Duration.ofMinutes(4), () ->
                platform.rows("select now() + interval '3 minutes' < date_trunc('day', now(), 'UTC') + interval '1 day'").equals(List.of(List.of("t"))));
        model.does(ModelServer.saying("Read."));
        drafts(busy, PER_DAY + 2);
        drafts(other, 1);
        Await.until("those of the day are made", () -> count(busy, "done") == PER_DAY && count(other, "done") == 1);
        Await.until("the others say why they wait", () -> platform.rows("select reason from ai.analyses where case_id = ?::uuid and state = 'waiting'", busy.caseId())
                .equals(List.of(List.of("6 analyses of the case were made today; it goes on tomorrow"),
                        List.of("6 analyses of the case were made today; it goes on tomorrow"))));
        assertThat(model.asked()).hasSize(PER_DAY + 1);
        assertThat(platform.rows("""
                select distinct due = date_trunc('day', now(), 'UTC') + interval '1 day' or abs(extract(epoch from due - date_trunc('day', now(), 'UTC')) - 86400) < 5
                from platform.queue_items where queue = 'analyses'
                """)).containsExactly(List.of("t"));
        // Tomorrow.
        platform.rows("with past as (update ai.analyses set ended = ended - interval '1 day' where ended is not null returning 1) select count(*) from past");
        platform.rows("with due as (update platform.queue_items set due = now() where queue = 'analyses' returning 1) select count(*) from due");
        Await.until("they are made", () -> count(busy, "done") == PER_DAY + 2);
    }
}
