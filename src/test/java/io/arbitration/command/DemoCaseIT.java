package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.ai.ModelPlatform;
import io.arbitration.ai.ModelServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The case that {@code ./acp demo} plays, on a real platform. */
class DemoCaseIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    @Test
    void theCaseEndsOnAValidDocketAndEachCallIsToldWithItsAnswer() {
        List<String> told = new ArrayList<>();
        DemoCase.Ending ending;
        try (DemoClient client = new DemoClient(area -> platform.url() + "/" + area, told::add)) {
            ending = new DemoCase(client, true).play();
        }
        long calls = told.stream().filter(line -> line.startsWith("  POST ")).count();
        long answers = told.stream().filter(line -> line.matches("  (200|409) .*")).count();
        assertThat(calls).isEqualTo(answers).isGreaterThan(20);
        assertThat(told).anyMatch(line -> line.contains("\"valid\":true,\"entries\":2"));
        assertThat(told.stream().filter(line -> line.startsWith("  arrived at http://127.0.0.1:") && line.contains("\"docket_filing\""))).hasSize(2);
        assertThat(told).anyMatch(line -> line.matches("  held for rolf\\.respondent@demo\\.example: Claimant Shipping v\\. Respondent Cranes: .+ \\(No\\. 1\\)"))
                .contains("  " + platform.url() + "/emails/held");
        Answer docket = platform.post("/api/docket/entries/list",
                new JsonObject().put("caseID", ending.caseId()), ending.claimant().token());
        assertThat(docket.status()).as(docket.body()).isEqualTo(200);
        assertThat(docket.object().getJsonArray("entries")).hasSize(2);
    }

    @Test
    void aModelReadsTheCaseAndWhatItCitesIsAmongTheExhibitsOrNobodyIsShownIt() {
        ModelPlatform reading = ModelPlatform.shared();
        List<String> told = new ArrayList<>();
        try (DemoClient client = new DemoClient(area -> reading.platform().url() + "/" + area, told::add)) {
            DemoCase.Ending ending = new DemoCase(client, false).play();
            reading.model().does(one -> ModelServer.saying(one.words().contains("Delivery receipt")
                    ? ModelServer.award("The respondent owes 110,000 EUR.", "The cranes came eleven weeks late (Exhibit R-1).") : "The parties upload their exhibits."));
            new DemoAnalysis(client, ending).play();
            assertThat(told).contains("  outcome: The respondent owes 110,000 EUR.", "  text: The parties upload their exhibits.");

            reading.model().does(one -> ModelServer.saying(one.words().contains("Delivery receipt")
                    ? ModelServer.award("The respondent owes nothing.", "So it is written (Exhibit X-9).") : "The parties upload their exhibits."));
            new DemoAnalysis(client, ending).play();
            assertThat(told).contains("  What the model said twice was no award on these exhibits, so nobody is shown it.");
        } finally {
            // What other tests docket on this platform is not to be analysed.
            String token = reading.platform().administrator().token();
            new JsonArray(reading.platform().post("/ai/prompts/list", new JsonObject().put("documentID", "noticeToParties"), token).body())
                    .forEach(one -> reading.platform().post("/ai/prompts/update", new JsonObject().put("id", ((JsonObject) one).getLong("id")).put("active", false), token));
        }
    }

    private JsonArray urls() {
        RunningPlatform.Person clara = platform.signIn("clara.claimant@demo.example", "Clara", "Claimant");
        return platform.post("/webhooks/urls/list", new JsonObject(), clara.token()).object().getJsonArray("urls");
    }

    @Test
    void noUrlIsLeftBehindWhetherThePlayFailsOrWasKilledBefore() {
        try (DemoClient whole = new DemoClient(area -> platform.url() + "/" + area, line -> {});
                DemoClient failing = new DemoClient(area -> platform.url() + "/" + (area.equals("cases") ? "alerts" : area), line -> {})) {
            assertThatThrownBy(() -> new DemoCase(failing, true).play()).isInstanceOf(CommandFailure.class);
            assertThat(urls()).isEmpty();
            RunningPlatform.Person clara = platform.signIn("clara.claimant@demo.example", "Clara", "Claimant");
            platform.post("/webhooks/urls/create", new JsonObject().put("url", "http://127.0.0.1:4998/hook"), clara.token());
            assertThat(urls()).hasSize(1);
            new DemoCase(whole, true).play();
            assertThat(urls()).isEmpty();
        }
    }

    @Test
    void aStepThatIsNotAnsweredAsItShouldBeEndsThePlayAndNamesTheStep() {
        try (DemoClient client = new DemoClient(area -> platform.url() + "/" + (area.equals("cases") ? "alerts" : area), line -> {})) {
            assertThatThrownBy(() -> new DemoCase(client, true).play())
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageStartingWith("POST /cases/cases/create answered 404, not 200: ");
        }
    }
}
