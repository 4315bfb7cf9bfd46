package io.arbitration.ai;

import static io.arbitration.ai.ModelServer.award;
import static io.arbitration.ai.ModelServer.saying;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A model is a reader for somebody: it is given nothing sealed for whoever must not see it, and what it says of it is told to nobody else. */
class SealedForModelsIT {

    private static final ModelServer MODEL = ModelPlatform.shared().model();
    private static final RunningPlatform PLATFORM = ModelPlatform.shared().platform();

    private final OpenCase open = OpenCase.on(PLATFORM);
    private final Filed filed = new Filed(open);
    private final String inTitle = marker();
    private final String inFields = marker();
    private final String inFile = marker();
    private String prompt;

    private static String marker() {
        return "m" + UUID.randomUUID().toString().replace("-", "");
    }

    private static JsonObject ok(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    /** A prompt of one test must not run in the next. */
    @AfterEach
    void promptRests() {
        if (prompt != null) {
            PLATFORM.post("/ai/prompts/update", new JsonObject().put("id", Long.valueOf(prompt)).put("active", false), PLATFORM.administrator().token());
        }
    }

    /** A sealed entry with a file; its filing. */
    private String sealed() {
        String filing = ok(open.on("/api/filings/create", open.claimant(), new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT).put("title", "On " + inTitle)
                .put("fields", new JsonObject().put("subject", inFields).put("body", "Of " + inFields))
                .put("sealed", new JsonObject().put("visibleTo", new JsonArray()).put("reason", "Trade secrets.")))).getString("filingID");
        filed.taken(open.claimant(), filing, "secret.pdf", SamplePdfs.saying("The price is " + inFile + "."));
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        return filing;
    }

    private static Answer draftAward(Person by, String address, boolean asExhibit) {
        JsonObject input = new JsonObject().put("gsUrl", address).put("contentType", "application/pdf");
        JsonArray given = new JsonArray().add(asExhibit ? input.put("number", "1").put("description", "Prices").put("party", "claimant") : input);
        return PLATFORM.post("/ai/generate-award", new JsonObject().put("documents", asExhibit ? new JsonArray() : given)
                .put("exhibits", asExhibit ? given : new JsonArray()), by.token());
    }

    @Test
    void aSealedFileIsNoInputAndNoExhibitToCiteForWhoeverMustNotSeeIt() {
        String filing = sealed();
        String address = filed.list(open.claimant(), filing).getJsonObject(0).getString("gsUrl");
        MODEL.does(saying(award("The claimant prevails.", "The price is shown [Exhibit 1]: " + inFile + ".")));
        for (Person outside : List.of(open.respondent(), open.outsider(), PLATFORM.administrator())) {
            for (boolean asExhibit : List.of(true, false)) {
                Answer refused = draftAward(outside, address, asExhibit);
                assertThat(refused.status()).as(refused.body()).isEqualTo(422);
                assertThat(refused.sentence()).isEqualTo("cannot read " + address);
            }
        }
        assertThat(MODEL.asked()).as("the model was told nothing").isEmpty();
        for (Person inside : List.of(open.claimant(), open.observer(), open.manager(), open.arbitrator())) {
            assertThat(ok(draftAward(inside, address, true)).getString("reasons")).contains(inFile);
        }
        assertThat(MODEL.asked()).hasSize(4).allSatisfy(asked -> assertThat(asked.words()).contains(inFile));

        String entry = open.view(open.claimant(), filing).getString("entryID");
        assertThat(open.on("/api/docket/entries/unseal", open.manager(), new JsonObject().put("entryID", entry).put("reason", "x")).status()).isEqualTo(200);
        assertThat(draftAward(open.respondent(), address, true).status()).as("when the seal has ended").isEqualTo(200);
    }

    @Test
    void whatARedactionReplacedIsNoInputForAnybodyWhoKnewItsAddress() {
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        JsonObject file = filed.taken(open.claimant(), filing, "claim.pdf", SamplePdfs.saying("The price is " + inFile + "."));
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        MODEL.does(saying(award("A.", "B.")));
        assertThat(draftAward(open.respondent(), file.getString("gsUrl"), false).status()).isEqualTo(200);
        ok(new Form().field("caseID", open.caseId()).field("entryID", open.view(open.claimant(), filing).getString("entryID")).field("fileID", file.getString("fileID"))
                .field("reason", "A trade secret.").file("claim.pdf", Filed.PDF, SamplePdfs.saying("The price is withheld."))
                .postTo(PLATFORM, "/api/docket/entries/redact", open.manager().token()));
        MODEL.does(saying(award("A.", "B.")));
        for (Person person : List.of(open.respondent(), open.claimant(), open.arbitrator(), open.outsider())) {
            assertThat(draftAward(person, file.getString("gsUrl"), false).status()).isEqualTo(422);
        }
        assertThat(MODEL.asked()).isEmpty();
        String now = filed.list(open.respondent(), filing).getJsonObject(0).getString("gsUrl");
        assertThat(draftAward(open.respondent(), now, false).status()).isEqualTo(200);
        assertThat(MODEL.asked()).hasSize(1).allSatisfy(asked -> assertThat(asked.words()).contains("The price is withheld.").doesNotContain(inFile));
    }

    @Test
    void analysesThatReadSealedEntriesAreToldToTheCaseManagerAndTheArbitratorsAlone() {
        sealed();
        MODEL.does(asked -> saying("It says: " + asked.words()));
        prompt = String.valueOf(ok(PLATFORM.post("/ai/prompts/create", new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT).put("ruleSet", "commercial")
                .put("prompt", "Repeat all of it.").put("active", true).put("triggerOnDocket", true).put("triggerOnDraft", false).put("includeEvidence", false)
                .put("includeFullCase", true), PLATFORM.administrator().token())).getLong("id"));
        open.docketed(new JsonObject().put("title", "A later letter"));
        Await.until("the analysis ended", () -> !PLATFORM.rows("select 1 from ai.analyses where case_id = ?::uuid and state = 'done'", open.caseId()).isEmpty());
        for (Person reader : List.of(open.manager(), open.arbitrator())) {
            assertThat(open.on("/ai/analyses/list", reader, new JsonObject()).body()).as("it read the sealed entry").contains(inFields);
        }
        for (Person other : List.of(open.respondent(), open.claimant(), open.observer(), open.outsider(), PLATFORM.administrator())) {
            Answer refused = open.on("/ai/analyses/list", other, new JsonObject());
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).doesNotContain(inFields, inTitle, inFile);
        }
    }
}
