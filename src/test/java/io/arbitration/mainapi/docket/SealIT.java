package io.arbitration.mainapi.docket;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.docket.EntryVisibility;
import io.arbitration.domain.docket.Seal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SealIT {

    private static final String WITHHELD = "Sealed document";
    private final OpenCase open = OpenCase.on(RunningPlatform.shared());

    private Answer seal(Person by, String entry, String... visibleTo) {
        return open.on("/api/docket/entries/seal", by, new JsonObject().put("entryID", entry)
                .put("visibleTo", new JsonArray(List.of(visibleTo))).put("reason", "It names a witness."));
    }

    private Answer unseal(Person by, String entry) {
        return open.on("/api/docket/entries/unseal", by, new JsonObject().put("entryID", entry).put("reason", "The witness agrees."));
    }

    private void sealed(String entry, String... visibleTo) {
        Answer answer = seal(open.manager(), entry, visibleTo);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.sentence()).isEqualTo("Entry sealed.");
    }

    private String title(Person reader, int place) {
        return open.docket(reader).getJsonObject(place).getString("title");
    }

    private Answer entry(String operation, Person reader, String entry) {
        return open.on("/api/docket/entries/" + operation, reader, new JsonObject().put("entryID", entry));
    }

    private String filing(String entry) {
        return open.docket(open.manager()).stream().map(JsonObject.class::cast).filter(one -> one.getString("entryID").equals(entry))
                .findFirst().orElseThrow().getString("filingID");
    }

    @Test
    void aSealedEntryStaysInTheListWithoutItsTitleForWhoeverMayNotSeeIt() {
        String first = open.docketed(new JsonObject().put("title", "Statement of the witness"));
        open.docketed(new JsonObject().put("title", "Letter"));
        List<Person> everybody = List.of(open.claimant(), open.colleague(), open.observer(), open.respondent(), open.manager(), open.arbitrator());
        everybody.forEach(reader -> assertThat(title(reader, 0)).isEqualTo("Statement of the witness"));

        sealed(first);
        List.of(open.claimant(), open.colleague(), open.observer(), open.manager(), open.arbitrator())
                .forEach(reader -> assertThat(title(reader, 0)).isEqualTo("Statement of the witness"));
        JsonArray list = open.docket(open.respondent());
        assertThat(list.stream().map(one -> ((JsonObject) one).getString("title"))).containsExactly(WITHHELD, "Letter");
        assertThat(list.getJsonObject(0).fieldNames()).isEqualTo(open.docket(open.claimant()).getJsonObject(0).fieldNames());

        open.docketed(new JsonObject().put("title", "Third"));
        assertThat(open.docket(open.respondent()).stream().map(one -> ((JsonObject) one).getString("title"))).containsExactly(WITHHELD, "Letter", "Third");
        JsonArray filtered = open.on("/api/docket/entries/list", open.respondent(), new JsonObject().put("partyID", "claimant")).object().getJsonArray("entries");
        assertThat(filtered.getJsonObject(0).getString("title")).isEqualTo(WITHHELD);

        assertThat(unseal(open.arbitrator(), first).sentence()).isEqualTo("Entry unsealed.");
        everybody.forEach(reader -> assertThat(title(reader, 0)).isEqualTo("Statement of the witness"));
        assertThat(unseal(open.manager(), first).status()).isEqualTo(409);
        assertThat(unseal(open.manager(), first).sentence()).isEqualTo("entry is not sealed");
    }

    @Test
    void aSealIsAWriteToTheFiling() {
        JsonObject entry = new JsonObject().put("caseID", open.caseId()).put("entryID", open.docketed(new JsonObject().put("title", "Statement of the witness")));
        JsonObject named = new JsonObject().put("filingID", filing(entry.getString("entryID")));
        String seen = open.on("/api/filings/view", open.manager(), named).header("ETag");
        JsonObject sealing = entry.copy().put("visibleTo", new JsonArray()).put("reason", "It names a witness.");
        JsonObject unsealing = entry.copy().put("reason", "The witness agrees.");
        Answer sealed = change("seal", open.manager(), sealing, seen);
        assertThat(sealed.sentence()).isEqualTo("Entry sealed.");
        String now = sealed.header("ETag");
        assertThat(now).isNotEqualTo(seen).isEqualTo(open.on("/api/filings/view", open.manager(), named).header("ETag"));
        for (String way : List.of("seal", "unseal")) {
            Answer stale = change(way, open.arbitrator(), way.equals("seal") ? sealing : unsealing, seen);
            assertThat(stale.status()).as(way).isEqualTo(409);
            assertThat(stale.sentence()).isEqualTo("If-Match does not match the current revision");
            assertThat(stale.header("Error-Code")).isEqualTo("filing.stale");
        }
        assertThat(title(open.respondent(), 0)).isEqualTo(WITHHELD);
        Answer unsealed = change("unseal", open.arbitrator(), unsealing, now);
        assertThat(unsealed.sentence()).isEqualTo("Entry unsealed.");
        assertThat(unsealed.header("ETag")).isEqualTo(open.on("/api/filings/view", open.manager(), named).header("ETag")).isNotEqualTo(now);
        assertThat(change("seal", open.manager(), sealing, "anything").sentence()).isEqualTo("If-Match: must be a revision in double quotes, as the ETag gave it");
    }

    private Answer change(String way, Person by, JsonObject body, String ifMatch) {
        return RunningPlatform.shared().post("/api/docket/entries/" + way, body, by.token(), "If-Match", ifMatch);
    }

    @Test
    void aListWithDetailsShowsReplyFilesAndSealToWhoeverSeesTheEntryAndTheSealAloneToOthers() {
        String first = open.docketed(new JsonObject().put("title", "Statement of the witness"));
        String reply = open.docketed(new JsonObject().put("title", "Reply").put("parentEntryID", first));
        sealed(reply);
        JsonObject seen = detailed(open.claimant()).getJsonObject(1);
        assertThat(seen.getString("parentEntryID")).isEqualTo(first);
        assertThat(seen.getBoolean("isSealed")).isTrue();
        assertThat(seen.getInteger("fileCount")).isEqualTo(entry("view", open.claimant(), reply).object().getJsonArray("files").size());
        JsonObject before = detailed(open.respondent()).getJsonObject(0);
        assertThat(before.getBoolean("isSealed")).isFalse();
        assertThat(before.getInteger("fileCount")).isZero();
        assertThat(before.containsKey("parentEntryID")).isFalse();
        JsonObject hidden = detailed(open.respondent()).getJsonObject(1);
        assertThat(hidden.getString("title")).isEqualTo(WITHHELD);
        assertThat(hidden.getBoolean("isSealed")).isTrue();
        assertThat(hidden.fieldNames()).doesNotContain("parentEntryID", "fileCount");
        assertThat(open.docket(open.claimant()).getJsonObject(1).fieldNames()).doesNotContain("parentEntryID", "fileCount", "isSealed");
    }

    private JsonArray detailed(Person reader) {
        return open.on("/api/docket/entries/list", reader, new JsonObject().put("details", true)).object().getJsonArray("entries");
    }

    @Test
    void whatASealedEntrySaysIsRefusedOnEveryOperationThatShowsIt() {
        String entry = open.docketed(new JsonObject().put("title", "Statement of the witness"));
        String filing = filing(entry);
        sealed(entry);
        JsonObject ofFiling = new JsonObject().put("filingID", filing);
        for (Answer refused : List.of(entry("view", open.respondent(), entry), entry("render", open.respondent(), entry),
                open.on("/api/filings/view", open.respondent(), ofFiling), open.on("/api/filings/receipt", open.respondent(), ofFiling),
                open.on("/api/filings/documents/check", open.respondent(), ofFiling), serve(open.respondent(), entry, open.manager().id()))) {
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.sentence()).isEqualTo("This entry is sealed.");
            assertThat(refused.header("Error-Code")).isEqualTo("docket-entry.sealed");
        }
        assertThat(filings(open.respondent())).doesNotContain(filing);
        for (Person reader : List.of(open.claimant(), open.observer(), open.manager(), open.arbitrator())) {
            JsonObject shown = entry("view", reader, entry).object().getJsonObject("sealed");
            assertThat(shown.getString("reason")).isEqualTo("It names a witness.");
            assertThat(shown.getString("by")).isEqualTo(open.manager().id());
            assertThat(shown.getJsonArray("visibleTo")).isEmpty();
            assertThat(filings(reader)).contains(filing);
            assertThat(open.on("/api/filings/receipt", reader, ofFiling).status()).isEqualTo(200);
        }
        sealed(entry, "respondent");
        assertThat(entry("view", open.respondent(), entry).object().getJsonObject("sealed").getJsonArray("visibleTo")).containsExactly("respondent");
        assertThat(open.on("/api/docket/verify", open.respondent(), new JsonObject()).object().getBoolean("valid")).isTrue();
    }

    private List<String> filings(Person reader) {
        return open.on("/api/filings/list", reader, new JsonObject()).object().getJsonArray("filings").stream()
                .map(one -> ((JsonObject) one).getString("filingID")).toList();
    }

    private Answer serve(Person by, String entry, String... userIds) {
        return open.on("/api/service-of-notice/send", by, new JsonObject().put("entryID", entry).put("mailType", "docketNotice")
                .put("recipients", new JsonArray(Stream.of(userIds).map(id -> new JsonObject().put("userID", id)).toList())));
    }

    @Test
    void aSealedEntryIsServedOnThoseAloneWhoSeeIt() {
        String entry = open.docketed(new JsonObject());
        String before = serve(open.claimant(), entry, open.respondent().id()).object().getString("noticeID");
        sealed(entry);
        Answer refused = serve(open.claimant(), entry, open.manager().id(), open.respondent().id());
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.sentence()).isEqualTo("recipients/1: may not see this entry");
        Answer outside = open.on("/api/service-of-notice/send", open.claimant(), new JsonObject().put("entryID", entry).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("email", "court@example.org"))));
        assertThat(outside.sentence()).isEqualTo("recipients/0: may not see this entry");
        assertThat(serve(open.claimant(), entry, open.manager().id()).status()).isEqualTo(200);
        Answer proof = open.on("/api/service-of-notice/proof", open.respondent(), new JsonObject().put("noticeID", before));
        assertThat(proof.sentence()).isEqualTo("This entry is sealed.");
        assertThat(open.on("/api/service-of-notice/proof", open.arbitrator(), new JsonObject().put("noticeID", before)).status()).isEqualTo(200);
    }

    @Test
    void aFilingIsSealedFromItsFirstMomentOnTheDocket() {
        JsonObject sealed = new JsonObject().put("visibleTo", new JsonArray()).put("reason", "Trade secrets.");
        String filing = open.on("/api/filings/create", open.claimant(), new JsonObject().put("documentID", OpenCase.UNAPPROVED_DOCUMENT)
                .put("title", "Counsel under another name").put("fields", OpenCase.completeFields(OpenCase.UNAPPROVED_DOCUMENT)).put("sealed", sealed))
                .object().getString("filingID");
        assertThat(open.view(open.claimant(), filing).getJsonObject("sealed")).isEqualTo(sealed);
        open.docketed(new JsonObject().put("title", "Letter"));
        title(open.respondent(), 0);
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        assertThat(open.docket(open.respondent()).stream().map(one -> ((JsonObject) one).getString("title"))).containsExactly("Letter", WITHHELD);
        JsonObject view = open.view(open.claimant(), filing);
        assertThat(view.containsKey("sealed")).isFalse();
        assertThat(entry("view", open.claimant(), view.getString("entryID")).object().getJsonObject("sealed").getString("by")).isEqualTo(open.claimant().id());
        assertThat(entry("view", open.respondent(), view.getString("entryID")).status()).isEqualTo(403);
        assertThat(RunningPlatform.shared().rows("select event from platform.events where case_id = ?::uuid order by sequence desc limit 2", open.caseId()))
                .containsExactly(List.of("entry_sealed"), List.of("docket_filing"));
        Answer unknown = open.on("/api/filings/create", open.claimant(), new JsonObject().put("documentID", OpenCase.UNAPPROVED_DOCUMENT)
                .put("fields", new JsonObject()).put("sealed", sealed.copy().put("visibleTo", new JsonArray().add("judge"))));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.sentence()).isEqualTo("party not found");
    }

    @Test
    void onlyTheCaseManagerAndTheArbitratorsSealAlsoInAClosedCase() {
        String entry = open.docketed(new JsonObject());
        Map<Person, String> refused = Map.of(
                open.outsider(), "Not a participant in this case.",
                open.platform().administrator(), "Not a participant in this case.",
                open.observer(), "You are registered as an observer and cannot change this case",
                open.claimant(), "Only the case manager and the arbitrators can do this in this case.",
                open.respondent(), "Only the case manager and the arbitrators can do this in this case.");
        refused.forEach((person, sentence) -> {
            for (Answer answer : List.of(seal(person, entry), unseal(person, entry))) {
                assertThat(answer.status()).isEqualTo(403);
                assertThat(answer.sentence()).isEqualTo(sentence);
            }
        });
        assertThat(seal(open.manager(), "123456789").sentence()).isEqualTo("docket entry not found");
        assertThat(seal(open.manager(), entry, "judge").sentence()).isEqualTo("party not found");
        assertThat(seal(open.manager(), entry, "no party!").sentence()).isEqualTo("party not found");
        assertThat(open.platform().post("/api/docket/entries/seal", new JsonObject().put("caseID", "x").put("entryID", entry)
                .put("visibleTo", new JsonArray()).put("reason", "x"), open.manager().token()).sentence()).isEqualTo("case not found");
        open.close();
        assertThat(seal(open.arbitrator(), entry).status()).isEqualTo(200);
        assertThat(title(open.respondent(), 0)).isEqualTo(WITHHELD);
        assertThat(unseal(open.manager(), entry).status()).isEqualTo(200);
        List<List<String>> audit = open.platform().rows("select action, subject from platform.audit where case_id = ?::uuid and action like 'docket-entry.%' order by audit_id",
                open.caseId());
        assertThat(audit).containsExactly(List.of("docket-entry.sealed", entry), List.of("docket-entry.unsealed", entry));
        assertThat(open.platform().rows("select reason from mainapi.seal_changes where entry_id = ?::bigint order by change_id", entry))
                .containsExactly(List.of("It names a witness."), List.of("The witness agrees."));
    }

    @Test
    void theDatabaseAndTheRuleAgreeOnWhoSees() {
        String entry = open.docketed(new JsonObject());
        Map<String, Person> byParty = Map.of("claimant", open.colleague(), "respondent", open.respondent(), "caseManager", open.manager(), "arbitrator", open.arbitrator());
        List<String> parties = List.of("claimant", "respondent", "caseManager", "arbitrator");
        for (int subset = 0; subset < 16; subset++) {
            List<String> visibleTo = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                if ((subset >> i & 1) == 1) {
                    visibleTo.add(parties.get(i));
                }
            }
            sealed(entry, visibleTo.toArray(String[]::new));
            Optional<Seal.Terms> terms = Optional.of(new Seal.Terms(visibleTo.stream().map(PartyId::new).toList(), "x"));
            byParty.forEach((party, person) -> assertThat(open.platform().rows("select not mainapi.withheld(?::bigint, ?::uuid)", entry, person.id()))
                    .as("%s of %s", party, visibleTo)
                    .containsExactly(List.of(EntryVisibility.sees(Optional.of(new PartyId(party)), new PartyId("claimant"), terms) ? "t" : "f")));
        }
        assertThat(open.platform().rows("select mainapi.withheld(?::bigint, ?::uuid)", entry, open.outsider().id())).containsExactly(List.of("t"));
    }

    @Test
    void noListThatIsAskedForAfterTheSealShowsTheTitle() throws InterruptedException {
        for (int round = 0; round < 5; round++) {
            String entry = open.docketed(new JsonObject().put("title", "Secret of round " + round));
            int place = open.docket(open.respondent()).size() - 1;
            AtomicBoolean isSealed = new AtomicBoolean();
            AtomicBoolean done = new AtomicBoolean();
            CountDownLatch readAfterwards = new CountDownLatch(4);
            List<CompletableFuture<List<String>>> readers = Stream.generate(() -> CompletableFuture.supplyAsync(() -> {
                List<String> afterwards = new ArrayList<>();
                while (!done.get()) {
                    boolean before = isSealed.get();
                    String title = title(open.respondent(), place);
                    if (before) {
                        afterwards.add(title);
                        if (afterwards.size() == 1) {
                            readAfterwards.countDown();
                        }
                    }
                }
                return afterwards;
            }, Thread::startVirtualThread)).limit(4).toList();
            sealed(entry);
            isSealed.set(true);
            for (int i = 0; i < 5; i++) {
                assertThat(title(open.claimant(), place)).startsWith("Secret");
            }
            boolean haveAllRead = readAfterwards.await(60, TimeUnit.SECONDS);
            done.set(true);
            assertThat(haveAllRead).as("each reader has read after the seal").isTrue();
            readers.forEach(reader -> assertThat(reader.join()).allMatch(WITHHELD::equals));
        }
    }

    @Test
    void theSameSealWithTheSameKeyIsToldOnce() {
        String entry = open.docketed(new JsonObject());
        JsonObject body = new JsonObject().put("caseID", open.caseId()).put("entryID", entry).put("visibleTo", new JsonArray()).put("reason", "x");
        for (int i = 0; i < 2; i++) {
            assertThat(open.platform().post("/api/docket/entries/seal", body, open.manager().token(), "Idempotency-Key", "seal-" + entry).status()).isEqualTo(200);
        }
        assertThat(open.platform().rows("select count(*) from platform.events where case_id = ?::uuid and event = 'entry_sealed'", open.caseId()))
                .containsExactly(List.of("1"));
    }
}
