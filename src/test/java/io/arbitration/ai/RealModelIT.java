package io.arbitration.ai;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real server and a real model, though a very small one, make of the platform's questions. */
@RealModel
class RealModelIT {

    @TempDir
    Path data;

    @Test
    void aRealModelIsUnderstoodAndWhatItSaysIsCheckedLikeAnyAnswer() throws IOException {
        Map<String, String> settings = Map.of("ACP_AI_BASE_URL", RealModel.URL, "ACP_AI_MODEL", "smollm2-135m-instruct", "ACP_AI_CONTEXT_TOKENS", "8192",
                "ACP_AI_ANSWER_TOKENS", "256", "ACP_AI_EXCHANGE_SECONDS", "120");
        try (RunningPlatform platform = RunningPlatform.start(data, settings)) {
            OpenCase open = OpenCase.on(platform);
            write(platform, "invoice.txt", "Invoice of 3 March 2026: one crane, 12,400.00 EUR, payable within 30 days.");
            write(platform, "letter.txt", "Letter of the respondent of 9 May 2026: the crane works well. We have not paid for it and will not pay.");
            JsonObject body = new JsonObject().put("documents", new JsonArray()).put("exhibits", new JsonArray()
                    .add(exhibit("C-1", "invoice.txt", "Invoice")).add(exhibit("C-2", "letter.txt", "Letter")));
            Answer answer = platform.post("/ai/generate-award", body, open.manager().token());
            if (answer.status() == 200) {
                assertThat(answer.object().fieldNames()).containsExactlyInAnyOrder("outcome", "reasons");
                assertThat(platform.rows("select 1 from ai.awards")).hasSize(1);
            } else {
                assertThat(answer.status()).as(answer.body()).isEqualTo(502);
                assertThat(answer.header("Error-Code")).as("it is small: what it says may be no award").isIn(Set.of("model.unusable-answer", "model.unknown-exhibits"));
            }
            System.out.printf("real model: %d %s%n", answer.status(), answer.body());

            platform.post("/ai/prompts/create", new JsonObject().put("documentID", "noticeToParties").put("ruleSet", "commercial")
                    .put("prompt", "Say in one sentence what this document asks for.").put("active", true).put("triggerOnDocket", false)
                    .put("triggerOnDraft", true).put("includeEvidence", false).put("includeFullCase", false), platform.administrator().token());
            open.draft(open.manager(), "noticeToParties");
            JsonObject analysis = ended(open);
            assertThat(analysis.getString("status")).isIn(List.of("done", "failed"));
            System.out.printf("real model: %s%n", analysis.encode());
        }
    }

    private static JsonObject ended(OpenCase open) {
        return Await.value("the end of the analysis", Duration.ofSeconds(200), () -> {
            JsonArray all = open.on("/ai/analyses/list", open.manager(), new JsonObject()).object().getJsonArray("analyses");
            return all.isEmpty() || Set.of("waiting", "running").contains(all.getJsonObject(0).getString("status")) ? null : all.getJsonObject(0);
        });
    }

    private static JsonObject exhibit(String number, String file, String description) {
        return new JsonObject().put("gsUrl", "file://evidence/real/" + file).put("contentType", "text/plain").put("number", number)
                .put("description", description).put("party", "claimant");
    }

    private static void write(RunningPlatform platform, String name, String text) throws IOException {
        Path file = platform.objectFile("file://evidence/real/" + name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
