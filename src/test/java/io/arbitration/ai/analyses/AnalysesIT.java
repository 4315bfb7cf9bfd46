package io.arbitration.ai.analyses;

import static io.arbitration.ai.ModelServer.saying;
import static io.arbitration.ai.ModelServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.RunningPlatform;
import io.arbitration.ai.ModelPlatform;
import io.arbitration.ai.ModelServer;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Analyses of what is drafted and docketed, with a model's server that does what a test wants. */
class AnalysesIT {

    private static final ModelServer.Behaviour ANSWERS = saying("One claim, for the price of a crane.");
    private static final ModelServer MODEL = ModelPlatform.shared().model();
    private static final RunningPlatform PLATFORM = ModelPlatform.shared().platform();
    private static final Path DATA = ModelPlatform.shared().folder();
    private final OpenCase open = OpenCase.on(PLATFORM);
    private final List<Long> prompts = new ArrayList<>();

    @BeforeEach
    void modelAnswers() {
        MODEL.does(ANSWERS);
    }

    /** A prompt of one test must not run in the next. */
    @AfterEach
    void promptsRest() {
        prompts.forEach(id -> update(id, new JsonObject().put("active", false)));
    }

    private long prompt(String documentID, String text, String... flags) {
        JsonObject prompt = new JsonObject().put("documentID", documentID).put("ruleSet", "commercial").put("prompt", text);
        List.of("active", "triggerOnDocket", "triggerOnDraft", "includeEvidence", "includeFullCase").forEach(flag -> prompt.put(flag, List.of(flags).contains(flag)));
        Answer answer = PLATFORM.post("/ai/prompts/create", prompt.put("active", true), PLATFORM.administrator().token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        prompts.add(answer.object().getLong("id"));
        return prompts.getLast();
    }

    private void update(long id, JsonObject change) {
        assertThat(PLATFORM.post("/ai/prompts/update", change.put("id", id), PLATFORM.administrator().token()).status()).isEqualTo(200);
    }

    private List<JsonObject> list(Person by) {
        Answer answer = open.on("/ai/analyses/list", by, new JsonObject());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getJsonArray("analyses").stream().map(JsonObject.class::cast).toList();
    }

    private List<List<String>> states() {
        return PLATFORM.rows("select filing_id, revision, state, reason from ai.analyses where case_id = ?::uuid order by analysis_id", open.caseId());
    }

    /** Waits until so many analyses of the case have ended; what waits for its time gets it at once. */
    private void awaitEnded(int count) {
        Await.until(count + " analyses ended: " + states(), () -> {
            sql("update platform.queue_items set due = now() where queue = 'analyses' and claim is null and due > now() and lane = ?", open.caseId());
            return states().stream().filter(row -> !row.get(2).equals("waiting")).count() >= count;
        });
    }

    private static void sql(String sql, Object... values) {
        try (Connection connection = PLATFORM.sql(); PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Until the consumer has read all that is in the log, nothing can be said of what it leaves alone. */
    private static void awaitLogRead() {
        Await.until("the log is read", () -> PLATFORM.rows("""
                select 1 from platform.events e, platform.event_consumers c
                where c.consumer = 'ai' and (e.sequence > c.read_up_to or e.sequence <@ (c.missing + c.missing_longer))""").isEmpty());
    }

    @Test
    void aDocketedDocumentIsAnalysedOnceAndNamesWhatItWasMadeOf() {
        long prompt = prompt("letterToTribunal", "List each claim.", "triggerOnDocket");
        String entry = open.docketed(new JsonObject());
        awaitEnded(1);
        for (Person reader : List.of(open.manager(), open.arbitrator())) {
            JsonObject analysis = list(reader).getFirst();
            assertThat(list(reader)).hasSize(1);
            String filing = open.docket(reader).getJsonObject(0).getString("filingID");
            List<String> content = PLATFORM.rows("select title || E'\\n' || fields from mainapi.filings where filing_id = ?", Long.valueOf(filing)).getFirst();
            assertThat(analysis.getString("created")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
            assertThat(analysis.copy().put("created", "")).isEqualTo(new JsonObject().put("analysisID", analysis.getString("analysisID"))
                    .put("promptID", String.valueOf(prompt)).put("promptVersion", 1).put("filingID", filing).put("entryID", entry).put("created", "")
                    .put("model", "double-1-of-today").put("status", "done").put("text", "One claim, for the price of a crane.")
                    .put("inputHashes", new JsonArray().add(new JsonObject().put("input", "filing " + filing)
                            .put("sha256", Sha256.hex(content.getFirst().getBytes(StandardCharsets.UTF_8))))));
        }
        assertThat(MODEL.asked()).hasSize(1);
        assertThat(MODEL.asked().getFirst().system()).endsWith("List each claim.\n");
        assertThat(MODEL.asked().getFirst().words()).contains("We are available in May.");
        assertThat(MODEL.asked().getFirst().body().containsKey("response_format")).isFalse();
    }

    @Test
    void anAnalysisNamesTheVersionOfThePromptThatItRan() {
        long prompt = prompt("letterToTribunal", "First words.", "triggerOnDocket");
        open.docketed(new JsonObject());
        awaitEnded(1);
        update(prompt, new JsonObject().put("prompt", "Second words."));
        open.docketed(new JsonObject());
        awaitEnded(2);
        assertThat(list(open.manager()).stream().map(one -> one.getInteger("promptVersion"))).containsExactly(2, 1);
        assertThat(MODEL.asked().stream().map(ModelServer.Asked::system).map(words -> words.contains("First words."))).containsExactly(true, false);
        assertThat(PLATFORM.rows("select prompt from ai.prompt_versions where prompt_id = ? order by version", prompt))
                .containsExactly(List.of("First words."), List.of("Second words."));
    }

    @Test
    void onlyActivePromptsOfTheTypeAndRuleSetRunAndOnlyOnWhatComesAfterThem() {
        open.docketed(new JsonObject());
        awaitLogRead();
        prompt("statementOfClaim", "Other type.", "triggerOnDocket", "triggerOnDraft");
        prompt("letterToTribunal", "Neither.");
        prompt("letterToTribunal", "Drafts.", "triggerOnDraft");
        update(prompt("letterToTribunal", "Inactive.", "triggerOnDocket"), new JsonObject().put("active", false));
        sql("update ai.prompts set rule_set = 'expedited' where prompt_id = ?", prompt("letterToTribunal", "Other rules.", "triggerOnDocket"));
        long docket = prompt("letterToTribunal", "Docketed.", "triggerOnDocket");
        open.docketed(new JsonObject());
        awaitEnded(2);
        awaitLogRead();
        assertThat(list(open.manager()).stream().map(one -> one.getString("promptID"))).hasSize(2).contains(String.valueOf(docket));
        assertThat(MODEL.asked().stream().map(asked -> asked.system().substring(asked.system().indexOf("instructions:\n") + 14).strip()))
                .containsExactlyInAnyOrder("Drafts.", "Docketed.");
    }

    @Test
    void ofADraftNobodyReadsWhatItsAuthorTookOutBeforeItWasSubmitted() {
        prompt("letterToTribunal", "Summarise.", "triggerOnDraft");
        MODEL.does(asked -> saying(asked.words().contains("blunder") ? "It admits the blunder." : "It asks for a date."));
        String filing = open.create(open.claimant(), "letterToTribunal", new JsonObject().put("subject", "Date").put("body", "We admit our blunder.")).object().getString("filingID");
        awaitEnded(1);
        assertThat(list(open.manager())).as("a draft of another side").isEmpty();
        open.update(open.claimant(), filing, new JsonObject().put("fields", new JsonObject().put("subject", "Date").put("body", "We are free in May.")));
        awaitEnded(2);
        assertThat(list(open.manager())).isEmpty();
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        assertThat(list(open.manager()).stream().map(one -> one.getString("text"))).as("submitted to the case manager").containsExactly("It asks for a date.");
        assertThat(list(open.arbitrator())).as("not submitted to the arbitrator").isEmpty();
        open.document("approve", open.manager(), filing);
        for (Person reader : List.of(open.manager(), open.arbitrator())) {
            assertThat(list(reader).stream().map(one -> one.getString("text"))).containsExactly("It asks for a date.");
        }
    }

    @Test
    void aDraftOfOnesOwnPartyIsReadAtOnceAndByNobodyElse() {
        prompt("noticeToParties", "Check the tone.", "triggerOnDraft");
        open.draft(open.manager(), "noticeToParties");
        awaitEnded(1);
        assertThat(list(open.manager())).hasSize(1).allSatisfy(one -> assertThat(one.containsKey("entryID")).isFalse());
        assertThat(list(open.arbitrator())).isEmpty();
    }

    @Test
    void thatADocumentWasDraftedIsToldToNobody() {
        PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Cranes Ltd"), open.respondent().token());
        Person respondent = PLATFORM.signIn(open.respondent().email(), "Rolf", "Respondent");
        open.draft(open.claimant(), "letterToTribunal");
        awaitLogRead();
        assertThat(PLATFORM.rows("select event from platform.events where case_id = ?::uuid", open.caseId())).contains(List.of("filing_drafted"));
        assertThat(PLATFORM.rows("select event from platform_api.events where case_id = ?::uuid", open.caseId())).doesNotContain(List.of("filing_drafted"));
        Await.until("webhooks and alerts have read the log", () -> PLATFORM.rows("""
                select 1 from platform.events e, platform.event_consumers c
                where (e.sequence > c.read_up_to or e.sequence <@ (c.missing + c.missing_longer))""").isEmpty());
        assertThat(PLATFORM.rows("select 1 from webhooks.feed f join platform.events e using (sequence) where e.event = 'filing_drafted'")).isEmpty();
        assertThat(PLATFORM.rows("select 1 from alerts.alerts a join platform.events e using (sequence) where e.event = 'filing_drafted'")).isEmpty();
        assertThat(PLATFORM.post("/webhooks/events/list", new JsonObject(), respondent.token()).body()).doesNotContain("filing_drafted");
    }

    @Test
    void theFullCaseIsTheDocketAndEvidenceIsGivenOnceEveryoneSeesIt() {
        open.docketed(new JsonObject().put("title", "An earlier letter"));
        awaitLogRead();
        for (String said : List.of("The secret of the claimant.", "More of it.")) {
            assertThat(Form.of(open.caseId(), "other", "A note.").file("note.txt", "text/plain", said).post(PLATFORM, open.claimant().token()).status()).isEqualTo(200);
        }
        prompt("letterToTribunal", "Everything.", "triggerOnDocket", "includeEvidence", "includeFullCase");
        open.docketed(new JsonObject());
        awaitEnded(1);
        String before = MODEL.asked().getFirst().words();
        assertThat(before).contains("An earlier letter", "\"kind\":\"docket entry\"", "Evidence has not been exchanged yet and is not included.")
                .doesNotContain("The secret of the claimant.");
        String second = PLATFORM.rows("select address from mainapi.uploads where case_id = ?::uuid order by upload_id desc", open.caseId()).getFirst().getFirst();
        try {
            java.nio.file.Files.delete(PLATFORM.objectFile(second));
        } catch (java.io.IOException failed) {
            throw new IllegalStateException(failed);
        }
        open.advanceTo("evidenceExchange");
        open.docketed(new JsonObject());
        awaitEnded(2);
        String after = MODEL.asked().get(1).words();
        assertThat(after).contains("The secret of the claimant.", "\"unreadable\":\"it is missing\"").doesNotContain("Evidence has not been exchanged");
        assertThat(list(open.manager()).getFirst().getJsonArray("inputHashes").stream().map(one -> ((JsonObject) one).getString("input")).toList())
                .hasSize(5).contains("docket entry 1", "docket entry 2", "exhibit claimant 1", "exhibit claimant 2");
    }

    @Test
    void theFilesOfTheDocumentAreReadWithIt() {
        prompt("letterToTribunal", "Everything.", "triggerOnDocket");
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        new Filed(open).taken(open.claimant(), filing, "claim.pdf", SamplePdfs.saying("The crane came late."));
        open.document("submit", open.claimant(), filing);
        open.document("approve", open.manager(), filing);
        awaitEnded(1);
        assertThat(MODEL.asked().getFirst().words()).contains("\"kind\":\"file of the document\"", "The crane came late.");
        assertThat(list(open.manager()).getFirst().getJsonArray("inputHashes").stream().map(one -> ((JsonObject) one).getString("input")).toList())
                .contains("file claim.pdf");
    }

    @Test
    void anEventThatIsNotInItsFormHoldsUpNoneBehindIt() {
        for (String envelope : List.of("{}", "nothing", "{\"data\":7}", "{\"data\":{\"filingID\":[],\"revision\":\"x\"}}")) {
            sql("""
                    insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                    values (gen_random_uuid(), 'docket_filing', ?::uuid, now(), ?)""", open.caseId(), envelope);
        }
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        open.draft(open.manager(), "noticeToParties");
        awaitEnded(1);
        assertThat(states()).hasSize(1);
    }

    @Test
    void observersReadWhatTheOtherMembersOfTheirSideRead() {
        Person observing = PLATFORM.signIn("observing-" + open.caseId() + "@example.org", "Mona", "Observer");
        open.add(open.manager(), observing, "caseManager", true);
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        open.draft(open.manager(), "noticeToParties");
        awaitEnded(1);
        assertThat(list(observing)).isEqualTo(list(open.manager())).hasSize(1);
    }

    @Test
    void onlyTheCaseManagerAndTheArbitratorsRead() {
        for (Person other : List.of(open.claimant(), open.respondent(), open.observer())) {
            Answer answer = open.on("/ai/analyses/list", other, new JsonObject());
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.sentence()).isEqualTo("Only the case manager and the arbitrators can read the analyses of this case.");
        }
        for (Person stranger : List.of(open.outsider(), PLATFORM.administrator())) {
            Answer answer = open.on("/ai/analyses/list", stranger, new JsonObject());
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.sentence()).isEqualTo("Not a participant in this case.");
        }
        for (String caseId : List.of(UUID.randomUUID().toString(), "no-case")) {
            Answer answer = PLATFORM.post("/ai/analyses/list", new JsonObject().put("caseID", caseId), open.manager().token());
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.sentence()).isEqualTo("case not found");
        }
        assertThat(open.on("/ai/analyses/list", open.manager(), new JsonObject().put("limit", 201)).sentence()).isEqualTo("limit: at most 200");
        assertThat(open.on("/ai/analyses/list", open.manager(), new JsonObject().put("cursor", "x")).sentence())
                .isEqualTo("cursor: must be the nextCursor of a page before");
    }

    @Test
    void theListGoesOnWhereThePageBeforeEnded() {
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        for (int i = 0; i < 5; i++) {
            open.draft(open.manager(), "noticeToParties");
        }
        awaitEnded(5);
        List<String> all = list(open.manager()).stream().map(one -> one.getString("analysisID")).toList();
        List<String> paged = new ArrayList<>();
        String cursor = null;
        do {
            JsonObject page = open.on("/ai/analyses/list", open.manager(), new JsonObject().put("limit", 2).mergeIn(cursor == null ? new JsonObject() : new JsonObject().put("cursor", cursor))).object();
            page.getJsonArray("analyses").forEach(one -> paged.add(((JsonObject) one).getString("analysisID")));
            cursor = page.getString("nextCursor");
        } while (cursor != null);
        assertThat(paged).hasSize(5).isEqualTo(all);
    }

    /** An hour is not waited for: what would wait for its time then is told that it has come. */
    @Test
    void aHundredThatWaitedWhileTheEndpointWasDownAllRunAfterwardsOnceEachOnTwoNodes() {
        MODEL.does(status(500, "down"));
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        List<String> filings = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            filings.add(open.draft(open.manager(), "noticeToParties"));
        }
        Await.until("a hundred wait", () -> states().size() == 100);
        Await.until("some have failed", () -> states().stream().anyMatch(row -> row.get(3) != null));
        assertThat(states()).allSatisfy(row -> assertThat(row.get(2)).isEqualTo("waiting"));
        try (RunningPlatform second = PLATFORM.sibling(DATA.resolve("second"), MODEL.settings())) {
            MODEL.does(ANSWERS);
            awaitEnded(100);
            assertThat(states()).hasSize(100).allSatisfy(row -> assertThat(row.get(2)).isEqualTo("done"));
        }
        Map<String, Integer> times = new TreeMap<>();
        assertThat(MODEL.asked()).as("each was asked for once").hasSize(100);
        PLATFORM.rows("select inputs from ai.analyses where case_id = ?::uuid", open.caseId())
                .forEach(row -> times.merge(new JsonArray(row.getFirst()).getJsonObject(0).getString("input"), 1, Integer::sum));
        assertThat(times.keySet()).containsExactlyInAnyOrderElementsOf(filings.stream().map(id -> "filing " + id).toList());
    }

    /** It is the key of the platform that is not taken, not the filing: however often it is refused, it runs when the key is taken again. */
    @Test
    void anAnalysisWaitsWhileTheModelDoesNotAcceptTheKey() {
        MODEL.does(status(401, "{\"error\":\"the-secret-key is wrong\"}"));
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        open.draft(open.manager(), "noticeToParties");
        Await.until(() -> "it is asked ten times: " + states(), Await.BOUND, () -> {
            sql("update platform.queue_items set due = now() where queue = 'analyses' and claim is null and due > now() and lane = ?", open.caseId());
            return MODEL.asked().size() >= 10;
        });
        assertThat(states()).singleElement().satisfies(row -> {
            assertThat(row.get(2)).isEqualTo("waiting");
            assertThat(row.get(3)).contains("does not accept the key of the platform");
        });
        JsonObject health = PLATFORM.health();
        assertThat(health.getJsonObject("parts").getString("model")).isEqualTo("DOWN");
        assertThat(health.getJsonObject("troubles").getString("model")).contains("does not accept the key of the platform: status 401").doesNotContain("the-secret-key");
        MODEL.does(ANSWERS);
        awaitEnded(1);
        assertThat(list(open.manager())).singleElement().satisfies(one -> assertThat(one.getString("status")).isEqualTo("done"));
        assertThat(PLATFORM.health().getJsonObject("parts").getString("model")).isEqualTo("UP");
    }

    @Test
    void aResultUnderALeaseThatIsAnothersByNowChangesNothing() {
        CountDownLatch gate = new CountDownLatch(1);
        MODEL.does(ModelServer.after(gate, saying("Late.")), saying("In time."));
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        open.draft(open.manager(), "noticeToParties");
        Await.until("it is asked", () -> MODEL.asked().size() == 1);
        assertThat(list(open.manager()).getFirst().getString("status")).isEqualTo("running");
        // What is left of a node that died: its lease, which ends.
        sql("update platform.queue_items set claim = gen_random_uuid(), due = now() where queue = 'analyses' and lane = ?", open.caseId());
        Await.until("it runs again", () -> states().getFirst().get(2).equals("done"));
        gate.countDown();
        open.draft(open.manager(), "noticeToParties");
        awaitEnded(2);
        assertThat(list(open.manager()).stream().map(one -> one.getString("text"))).containsOnly("In time.");
        assertThat(states()).hasSize(2);
    }

    /** Cases share what may run at once; a case that is alone has all of it. */
    @Test
    void asManyAnalysesOfOneCaseRunAtOnceAsMay() {
        CountDownLatch gate = new CountDownLatch(1);
        MODEL.does(ModelServer.after(gate, ANSWERS));
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        for (int i = 0; i < 6; i++) {
            open.draft(open.manager(), "noticeToParties");
        }
        Await.until("four are asked for", () -> MODEL.asked().size() == 4);
        gate.countDown();
        awaitEnded(6);
    }

    @Test
    void ofDraftsThatWaitedOnlyTheLastIsAnalysedAndNoneThatWasWithdrawn() {
        MODEL.does(status(503, "down"));
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        String edited = open.draft(open.manager(), "noticeToParties");
        open.update(open.manager(), edited, new JsonObject().put("title", "Second"));
        open.update(open.manager(), edited, new JsonObject().put("title", "Third"));
        String withdrawn = open.draft(open.manager(), "noticeToParties");
        open.document("withdraw", open.manager(), withdrawn);
        Await.until("four wait, and none is on its way", () -> {
            sql("update platform.queue_items set due = now() + interval '1 hour' where queue = 'analyses' and claim is null and lane = ?", open.caseId());
            return states().size() == 4 && PLATFORM.rows("select 1 from platform.queue_items where queue = 'analyses' and claim is not null and lane = ?", open.caseId()).isEmpty();
        });
        MODEL.does(ANSWERS);
        awaitEnded(4);
        assertThat(states()).containsExactly(List.of(edited, "1", "skipped", "a later draft is analysed"),
                List.of(edited, "2", "skipped", "a later draft is analysed"), java.util.Arrays.asList(edited, "3", "done", null),
                List.of(withdrawn, "1", "skipped", "the filing was withdrawn"));
        assertThat(MODEL.asked()).hasSize(1);
        assertThat(MODEL.asked().getFirst().words()).contains("\"title\":\"Third\"");
    }

    @Test
    void anAnswerThatCannotBeUsedIsAskedForThreeTimesAndThenFails() {
        MODEL.does(saying("cut o", "length"), status(200, "{}"), status(400, "too long"));
        prompt("noticeToParties", "Check.", "triggerOnDraft");
        open.draft(open.manager(), "noticeToParties");
        awaitEnded(1);
        assertThat(MODEL.asked()).hasSize(3);
        JsonObject failed = list(open.manager()).getFirst();
        assertThat(failed.getString("status")).isEqualTo("failed");
        assertThat(failed.getValue("text")).isNull();
        assertThat(failed.getJsonArray("inputHashes")).isEmpty();
    }

    @Test
    void aPromptThatLeavesNoRoomForTheDocumentFails() {
        prompt("noticeToParties", "\u4e2d".repeat(50_000), "triggerOnDraft");
        open.draft(open.manager(), "noticeToParties");
        awaitEnded(1);
        assertThat(states().getFirst()).endsWith("failed", "the prompt leaves the model no room for the document");
        assertThat(MODEL.asked()).isEmpty();
    }
}
