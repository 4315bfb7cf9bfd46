package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a client learns of rule sets and mail types before it asks for anything by them. */
class RuleSetsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String TOKEN = PLATFORM.signIn("rules-" + UUID.randomUUID() + "@example.org", "Rula", "Rules").token();

    private static JsonObject list(JsonObject body) {
        Answer answer = PLATFORM.post("/cases/rule-sets/list", body, TOKEN);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    @Test
    void theShippedRuleSetsSayWhoFilesWhatByWhen() {
        JsonObject all = list(new JsonObject());
        assertThat(all.getJsonArray("ruleSets").stream().map(one -> ((JsonObject) one).getString("id"))).containsExactly("commercial", "expedited");
        assertThat(all.getString("nextCursor")).isNull();
        JsonObject commercial = all.getJsonArray("ruleSets").getJsonObject(0);
        JsonObject response = commercial.getJsonArray("phases").stream().map(JsonObject.class::cast)
                .filter(phase -> phase.getString("phaseID").equals("response")).findFirst().orElseThrow();
        assertThat(response.getJsonArray("documents")).contains(new JsonObject().put("documentID", "answer").put("filedBy", "respondent")
                .put("approvedBy", "caseManager").put("maxAllowed", 1).put("required", true)
                .put("deadline", new JsonObject().put("trigger", "phaseStart").putNull("documentID").putNull("days").put("calendar", "calendarDays").put("late", "mark"))
                .put("files", new JsonObject().put("required", false).put("maxCount", 20).put("contentTypes", new JsonArray().add("application/pdf"))));
    }

    @Test
    void theyArePagedByTheirIds() {
        JsonObject first = list(new JsonObject().put("limit", 1));
        assertThat(first.getJsonArray("ruleSets")).hasSize(1);
        JsonObject second = list(new JsonObject().put("limit", 1).put("cursor", first.getString("nextCursor")));
        assertThat(second.getJsonArray("ruleSets").getJsonObject(0).getString("id")).isEqualTo("expedited");
        assertThat(second.getString("nextCursor")).isNull();
    }

    @Test
    void theFieldsOfAMailTypeAreWhatANoticeOfItTakes() {
        JsonArray fields = PLATFORM.post("/cases/service-of-notice/mail-types/fields", new JsonObject().put("mailType", "hearingNotice"), TOKEN).object().getJsonArray("fields");
        assertThat(fields.stream().map(field -> ((JsonObject) field).getString("id"))).contains("hearingDate", "hearingTime", "timeZone");
        assertThat(fields.getJsonObject(0).fieldNames()).containsExactly("id", "displayName", "required", "minLength", "maxLength", "sortOrder", "type");
        assertThat(PLATFORM.post("/cases/service-of-notice/mail-types/fields", new JsonObject().put("mailType", "trademarkNotice"), TOKEN).object()
                .getJsonArray("fields")).as("of images, not of JSON").isEmpty();
        Answer unknown = PLATFORM.post("/cases/service-of-notice/mail-types/fields", new JsonObject().put("mailType", "nothing"), TOKEN);
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.sentence()).isEqualTo("mailType not found");
    }
}
