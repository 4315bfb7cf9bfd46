package io.arbitration.mainapi.docket;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.search.Search;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocketIT {

    private final OpenCase open = OpenCase.on(RunningPlatform.shared());

    @Test
    void anApprovedFilingStandsOnTheDocketAsTheSpecificationShowsIt() {
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.docket(open.respondent())).isEmpty();
        open.document("submit", open.claimant(), filing);
        assertThat(open.docket(open.respondent())).isEmpty();
        open.document("approve", open.manager(), filing);

        JsonArray entries = open.docket(open.respondent());
        assertThat(entries).hasSize(1);
        JsonObject entry = entries.getJsonObject(0);
        assertThat(entry.fieldNames()).containsExactly("entryID", "enteredAt", "userID", "organizationID", "phaseID", "documentID",
                "partyID", "filingID", "title");
        assertThat(entry.getString("filingID")).isEqualTo(filing);
        assertThat(entry.getString("userID")).isEqualTo(open.claimant().id());
        assertThat(entry.getString("organizationID")).isNull();
        assertThat(entry.getString("phaseID")).isEqualTo("caseInitiation");
        assertThat(entry.getString("documentID")).isEqualTo(OpenCase.APPROVED_DOCUMENT);
        assertThat(entry.getString("partyID")).isEqualTo("claimant");
        assertThat(entry.getString("enteredAt")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        JsonObject view = open.view(open.respondent(), filing);
        assertThat(view.getString("state")).isEqualTo("docketed");
        assertThat(view.getString("decidedBy")).isEqualTo(open.manager().id());
        assertThat(view.getString("entryID")).isEqualTo(entry.getString("entryID"));
    }

    @Test
    void aRefusedFilingCanBeEditedAndSubmittedAgain() {
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        open.document("submit", open.claimant(), filing);
        open.reject(open.manager(), filing, "Please name the contract.");
        assertThat(open.view(open.claimant(), filing).getString("reason")).isEqualTo("Please name the contract.");
        Answer edited = open.update(open.claimant(), filing, new JsonObject().put("title", "Letter, second try"));
        assertThat(edited.object().getString("state")).isEqualTo("draft");
        assertThat(edited.header("ETag")).isEqualTo("\"" + edited.object().getInteger("revision") + "\"");
        assertThat(open.document("submit", open.claimant(), filing, "If-Match", edited.header("ETag")).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        assertThat(open.docket(open.claimant()).getJsonObject(0).getString("title")).isEqualTo("Letter, second try");
    }

    @Test
    void aListKeptInMemoryGrowsWithTheDocket() {
        List<String> entered = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            entered.add(open.docketed(new JsonObject().put("title", "Letter " + i + " – « \u00e9 \ud83d\ude80 \" \\ »")));
            assertThat(open.docket(open.arbitrator()).stream().map(entry -> ((JsonObject) entry).getString("entryID"))).isEqualTo(entered);
        }
        assertThat(open.docket(open.observer()).getJsonObject(3).getString("title")).isEqualTo("Letter 3 – « \u00e9 \ud83d\ude80 \" \\ »");
    }

    @Test
    void aKeptListGrowsInMemoryByWhatThisNodeEntersAndReadsAsRowsDo() {
        open.docketed(new JsonObject());
        open.docket(open.respondent());
        double kept = lists("kept");
        double all = lists();
        for (int more : new int[] {1, 2, 17}) {
            for (int i = 0; i < more; i++) {
                open.docketed(new JsonObject().put("title", "« é \ud83d\ude80 \" \\ » " + i));
            }
            JsonArray fromRows = open.on("/api/docket/entries/list", open.respondent(), new JsonObject().put("partyID", "claimant").put("limit", 1000))
                    .object().getJsonArray("entries");
            assertThat(open.docket(open.respondent()).encode()).isEqualTo(fromRows.encode());
        }
        assertThat(lists() - all).isEqualTo(3);
        assertThat(lists("kept") - kept).isEqualTo(3);
    }

    @Test
    void onlyAPartInTheCaseOpensItsListWhetherOneIsKeptOrNot() {
        String entry = open.docketed(new JsonObject());
        for (int i = 0; i < 2; i++) {
            Answer refused = open.on("/api/docket/entries/list", open.outsider(), new JsonObject());
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.sentence()).isEqualTo("Not a participant in this case.");
            assertThat(open.docket(open.respondent()).getJsonObject(0).getString("entryID")).isEqualTo(entry);
        }
        open.add(open.platform().administrator(), open.outsider(), "respondent", true);
        assertThat(open.docket(open.outsider())).hasSize(1);
    }

    @Test
    void aListThatManyOpenAtOnceIsWholeForEachOfThem() {
        List<String> entered = List.of(open.docketed(new JsonObject()), open.docketed(new JsonObject()), open.docketed(new JsonObject()));
        List<CompletableFuture<JsonArray>> lists = Stream.of(open.claimant(), open.respondent(), open.manager(), open.arbitrator(), open.observer())
                .flatMap(person -> Stream.generate(() -> person).limit(8))
                .map(person -> CompletableFuture.supplyAsync(() -> open.docket(person), Thread::startVirtualThread)).toList();
        assertThat(lists).allSatisfy(list -> assertThat(list.join().stream().map(entry -> ((JsonObject) entry).getString("entryID"))).isEqualTo(entered));
    }

    @Test
    void theListOfACaseIsLoadedOnceAtATimeHoweverManyWaitForIt() throws Exception {
        List<String> entered = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            if (round == 1) {
                // From then on what is entered is read from the database also on the node that entered it.
                open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", entered.getFirst())
                        .put("visibleTo", new JsonArray().add("claimant")).put("reason", "Trade secrets."));
                open.docket(open.claimant());
            }
            entered.add(open.docketed(new JsonObject()));
            // The first one reads the list together with its right to it, and is counted when it has it.
            double all = lists() + (round == 0 ? 11 : 12);
            List<CompletableFuture<JsonArray>> lists;
            try (Connection held = open.platform().sql(); Statement sql = held.createStatement()) {
                held.setAutoCommit(false);
                sql.execute("lock table mainapi.entries in access exclusive mode");
                lists = Stream.generate(() -> CompletableFuture.supplyAsync(() -> open.docket(open.claimant()), Thread::startVirtualThread)).limit(12).toList();
                Await.until("all wait for the list", () -> lists() == all);
                Await.until("it is being loaded", () -> loads() == 1);
                held.rollback();
            }
            assertThat(lists).allSatisfy(list -> assertThat(list.join().stream().map(entry -> ((JsonObject) entry).getString("entryID"))).isEqualTo(entered));
        }
    }

    /** Readers whose list has been looked for in memory. */
    private double lists() {
        return Search.in(open.platform().services().meters()).name("acp.docket.lists").counters().stream().mapToDouble(Counter::count).sum();
    }

    /** Those of them whose list was found so. */
    private double lists(String from) {
        return Search.in(open.platform().services().meters()).name("acp.docket.lists").tag("from", from).counters().stream().mapToDouble(Counter::count).sum();
    }

    /** Statements that wait for the entries. More of them than are being loaded would be here when all readers are. */
    private int loads() {
        return Integer.parseInt(open.platform().rows("""
                select count(*) from pg_locks l join pg_stat_activity a using (pid)
                where not l.granted and l.relation = 'mainapi.entries'::regclass and a.query like '%order by number limit%'
                """).getFirst().getFirst());
    }

    @Test
    void theDocketCanBeFilteredAndReadOnFromAnEntry() {
        String first = open.docketed(new JsonObject());
        String second = open.docketed(new JsonObject());
        String notice = open.draft(open.manager(), "noticeToParties");
        open.document("submit", open.manager(), notice);

        assertThat(ids(new JsonObject().put("afterEntryID", first))).hasSize(2).startsWith(second);
        assertThat(ids(new JsonObject().put("limit", 1))).containsExactly(first);
        assertThat(ids(new JsonObject().put("partyID", "claimant"))).containsExactly(first, second);
        assertThat(ids(new JsonObject().put("documentID", "noticeToParties"))).hasSize(1);
        assertThat(ids(new JsonObject().put("phaseID", "hearing"))).isEmpty();
        assertThat(open.on("/api/docket/entries/list", open.claimant(), new JsonObject().put("afterEntryID", "123456789")).sentence())
                .isEqualTo("docket entry not found");
    }

    private List<String> ids(JsonObject filter) {
        return open.on("/api/docket/entries/list", open.claimant(), filter).object().getJsonArray("entries").stream()
                .map(entry -> ((JsonObject) entry).getString("entryID")).toList();
    }

    @Test
    void aReplyKnowsItsRootAndASupersededEntryWhatTookItsPlace() {
        String root = open.docketed(new JsonObject());
        String reply = open.docketed(new JsonObject().put("parentEntryID", root));
        String replyToReply = open.docketed(new JsonObject().put("parentEntryID", reply));
        String better = open.docketed(new JsonObject().put("supersedes", root));

        assertThat(entry(replyToReply).getString("rootEntryID")).isEqualTo(root);
        assertThat(entry(replyToReply).getString("parentEntryID")).isEqualTo(reply);
        assertThat(entry(root).getString("rootEntryID")).isNull();
        assertThat(entry(root).getString("supersededBy")).isEqualTo(better);
        assertThat(entry(better).getString("supersedes")).isEqualTo(root);
        assertThat(open.docket(open.claimant()).getJsonObject(3).getString("supersedes")).isEqualTo(root);
        Answer again = open.on("/api/filings/create", open.claimant(), new JsonObject().put("documentID", "motion")
                .put("fields", new JsonObject()).put("supersedes", root));
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.sentence()).isEqualTo("docket entry is already superseded");
    }

    private JsonObject entry(String entryId) {
        return open.on("/api/docket/entries/view", open.claimant(), new JsonObject().put("entryID", entryId)).object();
    }

    @Test
    void concurrentApprovalsGetNumbersWithoutAGapAndAChainThatHolds() {
        List<String> filings = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            filings.add(open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT));
        }
        together(filings, filing -> open.document("submit", open.claimant(), filing));
        together(filings, filing -> open.document("approve", open.manager(), filing));

        List<Integer> numbers = open.docket(open.claimant()).stream()
                .map(listed -> entry(((JsonObject) listed).getString("entryID")).getInteger("number")).toList();
        assertThat(numbers).hasSize(40).isSorted().doesNotHaveDuplicates().startsWith(1).endsWith(40);
        JsonObject proof = open.on("/api/docket/verify", open.respondent(), new JsonObject()).object();
        assertThat(proof.getBoolean("valid")).isTrue();
        assertThat(proof.getInteger("entries")).isEqualTo(40);
        assertThat(proof.containsKey("firstBroken")).isFalse();
    }

    private static void together(List<String> filings, java.util.function.Function<String, Answer> call) {
        List<CompletableFuture<Answer>> answers = filings.stream()
                .map(filing -> CompletableFuture.supplyAsync(() -> call.apply(filing), Thread::startVirtualThread)).toList();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(200));
    }

    @Test
    void pendingApprovalsAreThoseTheCallerCanDecideOn() {
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        open.document("submit", open.claimant(), filing);
        assertThat(pending(open.manager().token(), new JsonObject().put("caseID", open.caseId()))).containsExactly(filing);
        assertThat(pending(open.manager().token(), new JsonObject())).containsExactly(filing);
        assertThat(pending(open.colleague().token(), new JsonObject())).isEmpty();
        open.document("approve", open.manager(), filing);
        assertThat(pending(open.manager().token(), new JsonObject())).isEmpty();
    }

    private List<String> pending(String token, JsonObject body) {
        return RunningPlatform.shared().post("/api/filings/documents/pending-approval", body, token).object().getJsonArray("filings")
                .stream().map(filing -> ((JsonObject) filing).getString("filingID")).toList();
    }

    @Test
    void checkTellsEveryProblemAtOnceInTheWordsOfSubmit() {
        JsonObject created = open.create(open.respondent(), "answer", new JsonObject()).object();
        JsonObject check = open.document("check", open.respondent(), created.getString("filingID")).object();
        assertThat(check.getBoolean("allowed")).isFalse();
        assertThat(check.getJsonArray("problems").stream().map(String.class::cast)).contains("document not allowed in this phase", "fields/respondentName: is required", "fields/reliefSought: is required");
        String fine = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        JsonObject allowed = open.document("check", open.claimant(), fine).object();
        assertThat(allowed.getBoolean("allowed")).isTrue();
        assertThat(allowed.getJsonArray("problems")).isEmpty();
        assertThat(allowed.getString("approvedBy")).isEqualTo("caseManager");
    }

    @Test
    void theListShowsEachSideItsOwnDraftsAndEveryoneTheDocket() {
        String draft = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String submitted = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        open.document("submit", open.claimant(), submitted);
        String docketed = open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        open.document("submit", open.claimant(), docketed);

        assertThat(listed(open.colleague().token())).containsExactly(docketed, submitted, draft);
        assertThat(listed(open.observer().token())).containsExactly(docketed, submitted, draft);
        assertThat(listed(open.manager().token())).containsExactly(docketed, submitted);
        assertThat(listed(open.respondent().token())).containsExactly(docketed);
    }

    @Test
    void aListIsReadPageByPage() {
        List<String> newestFirst = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            newestFirst.addFirst(open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT));
        }
        List<String> read = new ArrayList<>();
        JsonObject body = new JsonObject().put("limit", 2);
        String cursor = null;
        do {
            JsonObject page = open.on("/api/filings/list", open.claimant(), cursor == null ? body : body.copy().put("cursor", cursor)).object();
            page.getJsonArray("filings").forEach(filing -> read.add(((JsonObject) filing).getString("filingID")));
            cursor = page.getString("nextCursor");
        } while (cursor != null);
        assertThat(read).isEqualTo(newestFirst);
    }

    private List<String> listed(String token) {
        return RunningPlatform.shared().post("/api/filings/list", new JsonObject().put("caseID", open.caseId()), token).object()
                .getJsonArray("filings").stream().map(filing -> ((JsonObject) filing).getString("filingID")).toList();
    }

    @Test
    void aQuotaIsCountedPerPartyAndFreedByWithdrawal() {
        List<String> claims = List.of(open.draft(open.claimant(), "statementOfClaim"), open.draft(open.claimant(), "statementOfClaim"));
        assertThat(open.document("submit", open.claimant(), claims.getFirst()).status()).isEqualTo(200);
        Answer second = open.document("submit", open.claimant(), claims.getLast());
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.sentence()).isEqualTo("document cannot be filed more often in this phase");
        open.document("withdraw", open.claimant(), claims.getFirst());
        assertThat(open.document("submit", open.claimant(), claims.getLast()).status()).isEqualTo(200);
    }
}
