package io.arbitration.ai;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The prompts with which documents are analysed. */
class PromptsIT {

    private static final String TIMESTAMP = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

    private final RunningPlatform platform = RunningPlatform.shared();
    private final Person administrator = platform.administrator();

    private static JsonObject prompt(String text) {
        return new JsonObject()
                .put("documentID", "statementOfClaim").put("ruleSet", "commercial").put("prompt", text)
                .put("active", true).put("triggerOnDocket", true).put("triggerOnDraft", false)
                .put("includeEvidence", true).put("includeFullCase", false);
    }

    private Answer create(JsonObject request) {
        return platform.post("/ai/prompts/create", request, administrator.token());
    }

    private Answer update(JsonObject request) {
        return platform.post("/ai/prompts/update", request, administrator.token());
    }

    private List<JsonObject> list(JsonObject filter) {
        Answer answer = platform.post("/ai/prompts/list", filter, administrator.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return ((JsonArray) answer.json()).stream().map(JsonObject.class::cast).toList();
    }

    private static void assertRefused(Answer answer, int status, String code, String text) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(text);
        assertThat(answer.header("Error-Code")).isEqualTo(code);
    }

    @Test
    void aNewPromptIsAnsweredWholeAndIsInTheList() {
        Answer answer = create(prompt("List each claim."));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        JsonObject made = answer.object();
        assertThat(made.getLong("id")).isPositive();
        assertThat(made.getString("created")).matches(TIMESTAMP).isEqualTo(made.getString("updated"));
        JsonObject rest = made.copy();
        List.of("id", "created", "updated").forEach(rest::remove);
        assertThat(rest).isEqualTo(prompt("List each claim."));
        assertThat(list(null)).contains(made);
    }

    /** A thousand prompts of 50,000 characters would be a hundred megabytes in one answer. */
    @Test
    void theListIsBoundedInBytesAndGoesOnAfterAnId() {
        String documentId = "big-" + UUID.randomUUID().toString().substring(0, 8);
        platform.rows("""
                with made as (
                  insert into ai.prompts (document_id, rule_set, prompt, active, trigger_on_docket, trigger_on_draft, include_evidence, include_full_case, created, updated)
                  select ?, 'commercial', repeat(chr(233), 50000), false, false, false, false, false, now(), now() from generate_series(1, 25) returning 1)
                select count(*) from made
                """, documentId);
        try {
            List<Long> seen = new ArrayList<>();
            JsonObject filter = new JsonObject().put("documentID", documentId);
            String next;
            do {
                Answer answer = platform.post("/ai/prompts/list", filter, administrator.token());
                assertThat(answer.body().getBytes(StandardCharsets.UTF_8).length).isLessThan(1_100_000);
                JsonArray page = (JsonArray) answer.json();
                assertThat(page.size()).isPositive();
                page.forEach(prompt -> seen.add(((JsonObject) prompt).getLong("id")));
                next = answer.header("Next-Cursor");
                if (next != null) {
                    filter.put("afterID", Long.parseLong(next));
                }
            } while (next != null);
            assertThat(seen).hasSize(25).isSorted().doesNotHaveDuplicates();
            assertThat(list(new JsonObject().put("documentID", documentId).put("limit", 1)).size()).isEqualTo(1);
        } finally {
            platform.rows("with gone as (delete from ai.prompts where document_id = ? returning 1) select count(*) from gone", documentId);
        }
    }

    @Test
    void theListIsFilteredByDocumentTypeAndByRuleSet() {
        JsonObject claim = create(prompt("a")).object();
        JsonObject expedited = create(prompt("b").put("ruleSet", "expedited")).object();
        JsonObject award = create(prompt("c").put("documentID", "award")).object();
        assertThat(list(new JsonObject())).contains(claim, expedited, award);
        assertThat(list(new JsonObject().put("documentID", "statementOfClaim"))).contains(claim, expedited).doesNotContain(award);
        assertThat(list(new JsonObject().put("ruleSet", "commercial"))).contains(claim, award).doesNotContain(expedited);
        assertThat(list(new JsonObject().put("documentID", "statementOfClaim").put("ruleSet", "expedited")))
                .contains(expedited).doesNotContain(claim, award);
        assertThat(list(new JsonObject().put("documentID", "noSuchDocument"))).isEmpty();
    }

    @Test
    void aPromptThatWasChangedSinceIsLeftAsItIs() {
        Answer made = create(prompt("First text."));
        long id = made.object().getLong("id");
        assertThat(made.header("ETag")).isEqualTo('"' + made.object().getString("updated") + '"');
        JsonObject change = new JsonObject().put("id", id).put("active", false);
        Answer first = platform.post("/ai/prompts/update", change, administrator.token(), "If-Match", made.header("ETag"));
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        assertThat(first.header("ETag")).isEqualTo('"' + first.object().getString("updated") + '"').isNotEqualTo(made.header("ETag"));
        Answer stale = platform.post("/ai/prompts/update", change.copy().put("prompt", "Lost."), administrator.token(), "If-Match", made.header("ETag"));
        assertRefused(stale, 409, "prompt.stale", "If-Match does not match the current revision");
        assertThat(list(null)).contains(first.object());
        assertThat(platform.post("/ai/prompts/update", change, administrator.token(), "If-Match", "*").status()).isEqualTo(200);
        assertRefused(platform.post("/ai/prompts/update", change, administrator.token(), "If-Match", "\"7\""), 400, "request.invalid",
                "If-Match: must be the time of the last change in double quotes, as the ETag gave it");
        assertRefused(platform.post("/ai/prompts/update", change.copy().put("id", 999_999_999), administrator.token(), "If-Match", made.header("ETag")),
                404, "prompt.not-found", "prompt not found");
    }

    @Test
    void anUpdateChangesWhatItNamesAndNothingElse() {
        JsonObject made = create(prompt("First text.")).object();
        Answer answer = update(new JsonObject().put("id", made.getLong("id")).put("prompt", "Second text.").put("active", false));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        JsonObject updated = answer.object();
        assertThat(updated.getString("updated")).matches(TIMESTAMP).isGreaterThanOrEqualTo(made.getString("updated"));
        assertThat(updated).isEqualTo(made.copy()
                .put("prompt", "Second text.").put("active", false).put("updated", updated.getString("updated")));
        JsonObject flags = update(new JsonObject().put("id", made.getLong("id"))
                .put("triggerOnDocket", false).put("triggerOnDraft", true).put("includeEvidence", false).put("includeFullCase", true))
                .object();
        assertThat(flags).isEqualTo(updated.copy()
                .put("triggerOnDocket", false).put("triggerOnDraft", true).put("includeEvidence", false).put("includeFullCase", true)
                .put("updated", flags.getString("updated")));
        assertThat(list(null)).contains(flags);
    }

    @Test
    void documentTypeAndRuleSetStay() {
        JsonObject made = create(prompt("Text.")).object();
        JsonObject updated = update(new JsonObject().put("id", made.getLong("id"))
                .put("documentID", "award").put("ruleSet", "expedited")).object();
        assertThat(updated.getString("documentID")).isEqualTo("statementOfClaim");
        assertThat(updated.getString("ruleSet")).isEqualTo("commercial");
    }

    @Test
    void namesThatTheDefinitionsDoNotHaveAreNotFound() {
        assertRefused(create(prompt("x").put("documentID", "noSuchDocument").put("ruleSet", "noSuchRules")),
                404, "document-type.not-found", "document type not found");
        assertRefused(create(prompt("x").put("ruleSet", "noSuchRules")), 404, "rule-set.not-found", "rule set not found");
    }

    @Test
    void anIdThatNoPromptHasIsNotFound() {
        for (String id : List.of("9007199254740993", "9223372036854775807", "9223372036854775808", "1" + "0".repeat(60))) {
            Answer answer = platform.post("/ai/prompts/update", "{\"id\":" + id + ",\"active\":true}", administrator.token());
            assertRefused(answer, 404, "prompt.not-found", "prompt not found");
        }
    }

    @Test
    void theBoundsOfThePromptAreThoseOfTheContract() {
        assertRefused(create(prompt("")), 400, "request.invalid", "prompt: at least 1 character");
        assertRefused(create(prompt("x".repeat(50_001))), 400, "request.invalid", "prompt: at most 50000 characters");
        JsonObject longest = create(prompt("\u00e9".repeat(50_000))).object();
        assertThat(longest.getString("prompt")).hasSize(50_000);
        assertRefused(update(new JsonObject().put("id", 0)), 400, "request.invalid", "id: at least 1");
        assertRefused(update(new JsonObject().put("active", true)), 400, "request.invalid", "id: is required");
        JsonObject incomplete = prompt("x");
        incomplete.remove("includeFullCase");
        assertRefused(create(incomplete), 400, "request.invalid", "includeFullCase: is required");
    }

    @Test
    void theSameIdempotencyKeyCreatesOnePrompt() {
        String key = UUID.randomUUID().toString();
        String text = "Only one of " + key;
        Answer first = platform.post("/ai/prompts/create", prompt(text), administrator.token(), "Idempotency-Key", key);
        Answer again = platform.post("/ai/prompts/create", prompt(text), administrator.token(), "Idempotency-Key", key);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(list(null).stream().filter(prompt -> Objects.equals(prompt.getString("prompt"), text))).hasSize(1);
    }

    @Test
    void onlySuperAdministratorsMayTouchPrompts() {
        Person someone = platform.signIn("prompts-" + UUID.randomUUID() + "@example.com", "No", "Body");
        for (String path : List.of("/ai/prompts/list", "/ai/prompts/create", "/ai/prompts/update")) {
            assertThat(platform.post(path, new JsonObject(), null).status()).as(path).isEqualTo(401);
            assertRefused(platform.post(path, new JsonObject(), someone.token()),
                    403, "permission.required", "permission required: admin.platform.super");
        }
    }
}
