package io.arbitration.command;

import io.arbitration.command.DemoCase.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets a model analyse a docketed notice of the demo case, and draft an award on two exhibits. Every answer is checked. The
 * output of the model is printed unchanged; a draft award that the platform refused is printed as refused.
 */
final class DemoAnalysis {

    private static final int OK = 200;
    private static final int BAD_GATEWAY = 502;
    private static final String DOCUMENT = "noticeToParties";
    private static final String RULE_SET = "commercial";
    /** Error codes for an award that the model drafted and the platform refused. */
    private static final Set<String> UNUSABLE = Set.of("model.unusable-answer", "model.unknown-exhibits");
    private static final Duration AWARD_WAIT = Duration.ofSeconds(290);
    private static final Duration ANALYSIS_WAIT = Duration.ofSeconds(600);
    private static final long LOOK_MILLIS = 500;
    private static final Set<String> ENDED = Set.of("done", "failed", "skipped");

    private final DemoClient client;
    private final DemoCase.Ending played;

    DemoAnalysis(DemoClient client, DemoCase.Ending played) {
        this.client = client;
        this.played = played;
    }

    void play() {
        long prompt = prompt(played.administrator());
        String filing = docket(played.manager());
        JsonObject contract = exhibit(played.claimant(), "contract", "contract.txt", "The contract of sale of 12 January", """
                Contract of sale, 12 January 2026. Claimant Shipping GmbH buys two harbour cranes from Respondent Cranes Ltd.
                Delivery: 1 March 2026. For each week of delay the seller pays 10,000 EUR.
                """);
        JsonObject receipt = exhibit(played.respondent(), "correspondence", "receipt.txt", "The delivery receipt", """
                Delivery receipt, 17 May 2026. Both cranes were handed over on this day, eleven weeks after 1 March.
                Signed for Claimant Shipping GmbH and for Respondent Cranes Ltd.
                """);
        award(played.manager(), contract, receipt);
        analysis(played.manager(), prompt, filing);
    }

    /** Creates the prompt at the first run; later runs find it. */
    private long prompt(Person administrator) {
        client.step("The administrator looks for a prompt that has notices analysed when they are docketed.");
        JsonArray prompts = (JsonArray) client.post("ai", "/prompts/list", new JsonObject().put("documentID", DOCUMENT).put("ruleSet", RULE_SET), administrator.token(), OK);
        Optional<JsonObject> there = prompts.stream().map(JsonObject.class::cast).filter(one -> one.getBoolean("active") && one.getBoolean("triggerOnDocket")).findFirst();
        return there.orElseGet(() -> create(administrator)).getLong("id");
    }

    private JsonObject create(Person administrator) {
        client.step("There is none yet, so she writes one.");
        return (JsonObject) client.post("ai", "/prompts/create", new JsonObject().put("documentID", DOCUMENT).put("ruleSet", RULE_SET)
                .put("prompt", "Say in one sentence what this notice tells the parties, and by when they must act.").put("active", true)
                .put("triggerOnDocket", true).put("triggerOnDraft", false).put("includeEvidence", false).put("includeFullCase", false),
                administrator.token(), OK);
    }

    private String docket(Person manager) {
        client.step("Maya writes a notice to the parties; it goes onto the docket at once.");
        JsonObject draft = (JsonObject) client.post("api", "/filings/create", inCase().put("documentID", DOCUMENT).put("fields", new JsonObject()
                .put("subject", "Exhibits").put("body", "Each side may upload its exhibits until 30 June 2026.")), manager.token(), OK);
        String filing = draft.getString("filingID");
        client.post("api", "/filings/documents/submit", inCase().put("filingID", filing), manager.token(), OK);
        return filing;
    }

    private JsonObject exhibit(Person by, String category, String fileName, String description, String text) {
        client.step("%s uploads an exhibit.".formatted(by.firstName()));
        JsonObject uploaded = client.upload("api", "/evidence/uploads/create",
                Map.of("caseID", played.caseId(), "categoryID", category, "description", description), fileName, text, by.token());
        JsonObject viewed = (JsonObject) client.post("api", "/evidence/uploads/view", inCase().put("uploadID", uploaded.getString("uploadID")), by.token(), OK);
        return new JsonObject().put("gsUrl", viewed.getString("gsUrl")).put("contentType", viewed.getString("contentType"))
                .put("number", viewed.getString("exhibitNumber")).put("description", description).put("party", viewed.getString("partyID"));
    }

    private void award(Person manager, JsonObject... exhibits) {
        client.step("Maya asks for a draft award on both exhibits. Each exhibit that it cites must be among them.");
        DemoClient.Answer answer = client.post("ai", "/generate-award",
                new JsonObject().put("documents", new JsonArray()).put("exhibits", JsonArray.of((Object[]) exhibits)),
                manager.token(), Set.of(OK, BAD_GATEWAY), AWARD_WAIT);
        if (answer.status() == OK) {
            JsonObject award = (JsonObject) answer.json();
            client.note("outcome: " + award.getString("outcome"));
            client.note("reasons: " + award.getString("reasons"));
        } else if (UNUSABLE.contains(answer.errorCode())) {
            client.note("What the model said twice was no award on these exhibits, so nobody is shown it.");
        } else {
            throw new CommandFailure("the model made no award: " + answer.json());
        }
    }

    private void analysis(Person manager, long prompt, String filing) {
        client.step("Meanwhile the notice is analysed, and Maya reads what the model says of it.");
        long end = System.nanoTime() + ANALYSIS_WAIT.toNanos();
        while (System.nanoTime() < end) {
            Optional<JsonObject> analysis = client.look("ai", "/analyses/list", inCase(), manager.token()).getJsonArray("analyses").stream()
                    .map(JsonObject.class::cast)
                    .filter(one -> filing.equals(one.getString("filingID")) && one.getString("promptID").equals(String.valueOf(prompt)))
                    .filter(one -> ENDED.contains(one.getString("status"))).findFirst();
            if (analysis.isPresent()) {
                client.note("analysis", analysis.get());
                client.note("text: " + analysis.get().getString("text"));
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
        throw new CommandFailure("the notice was not analysed within %d s".formatted(ANALYSIS_WAIT.toSeconds()));
    }

    private JsonObject inCase() {
        return new JsonObject().put("caseID", played.caseId());
    }
}
