package io.arbitration.ai.analyses;

import static io.arbitration.ai.ModelServer.saying;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.ai.ModelServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that is killed while a model reads for it. */
class AnalysesCrashIT {

    private static final int DRAFTS = 6;

    @TempDir
    Path folder;

    private static long count(PlatformProcess process, String where) throws SQLException, IOException {
        try (Connection sql = process.sql(); var statement = sql.createStatement();
                var rows = statement.executeQuery("select count(*) from ai.analyses left join platform_api.queue_leases l on l.queue = 'analyses' and l.key = analysis_id where " + where)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void whatWasBeingAnalysedWhenTheNodeWasKilledIsAnalysedByTheNextOneOnce() throws Exception {
        try (ModelServer model = new ModelServer()) {
            model.does(model.stalling());
            Map<String, String> settings = new HashMap<>(model.settings());
            settings.put("ACP_AI_ANALYSES_AT_ONCE", "4");
            settings.put("ACP_AI_AWARDS_AT_ONCE", "1");
            PlatformProcess process = PlatformProcess.start(folder, settings);
            try {
                RunningPlatform platform = process.platform();
                OpenCase open = OpenCase.on(platform);
                assertThat(platform.post("/ai/prompts/create", new JsonObject().put("documentID", "noticeToParties").put("ruleSet", "commercial")
                        .put("prompt", "Check.").put("active", true).put("triggerOnDocket", false).put("triggerOnDraft", true)
                        .put("includeEvidence", false).put("includeFullCase", false), platform.administrator().token()).status()).isEqualTo(200);
                for (int i = 0; i < DRAFTS; i++) {
                    open.draft(open.manager(), "noticeToParties");
                }
                Await.until("the model is in the middle of four", () -> model.asked().size() == 4);
                process.kill();
                process.awaitEnd();
                model.does(saying("Read."));
                process = PlatformProcess.start(folder, settings);
                PlatformProcess second = process;
                assertThat(count(second, "l.key is not null")).as("under the lease of the dead node").isPositive();
                Await.until("the two that nobody held", () -> count(second, "state = 'done'") >= 2);
                try (Connection sql = second.sql(); var statement = sql.createStatement()) {
                    // A lease is a minute, which this does not wait for.
                    statement.executeUpdate("update platform.queue_items set due = now() where queue = 'analyses' and claim is not null");
                }
                Await.until("all", () -> count(second, "state = 'done' and answer = 'Read.'") == DRAFTS);
                assertThat(count(second, "true")).isEqualTo(DRAFTS);
                assertThat(model.asked()).as("since the kill, each once").hasSize(DRAFTS);
            } finally {
                process.close();
            }
        }
    }
}
