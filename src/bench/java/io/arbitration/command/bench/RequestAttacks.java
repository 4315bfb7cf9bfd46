package io.arbitration.command.bench;

import static io.arbitration.command.bench.Attacks.inOwnCase;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;

/** Requests that each are allowed and cost much, over and over. */
final class RequestAttacks {

    private static final int AT_ONCE = 16;
    /** Characters of three bytes each: what a draft may hold weighs three times its length. */
    private static final String LONG_TEXT = "仲".repeat(50_000);
    private static final int PENDING = 20;

    private RequestAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("large drafts", "one user with many large drafts lists them over and over",
                        stage -> stage.together(8, () -> stage.post("/api/filings/list", inOwnCase(stage).put("limit", 200)))).prepared(RequestAttacks::draft),
                new Attack("pending approvals", "one case manager lists long filings that wait for it over and over",
                        stage -> stage.together(8, () -> stage.post("/api/filings/documents/pending-approval", new JsonObject().put("caseID", stage.given()).put("limit", 200))))
                        .given(RequestAttacks::fileForTheAttacker),
                new Attack("audit trails", "one case manager lists an audit trail over and over",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/cases/cases/audit/list", new JsonObject().put("caseID", stage.given()).put("limit", 200))))
                        .given(RequestAttacks::fileForTheAttacker),
                new Attack("chains verified", "one user verifies a docket over and over",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/api/docket/verify", inOwnCase(stage)))),
                new Attack("dockets rendered", "one user has an entry of the docket made into a PDF over and over",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/api/docket/entries/render", inOwnCase(stage).put("entryID", stage.given()))))
                        .given(RequestAttacks::docketLong).beside(Alike.RENDER),
                new Attack("feeds", "one organization reads its events and deliveries over and over", RequestAttacks::readFeed),
                new Attack("lists of analyses", "one case manager lists the analyses of a case over and over",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/ai/analyses/list", new JsonObject().put("caseID", stage.given()).put("limit", 100))))
                        .given(RequestAttacks::fileForTheAttacker),
                new Attack("reference page", "sixteen connections fetch the script of the reference page, compressed",
                        stage -> stage.together(AT_ONCE, () -> stage.get("/docs/swagger-ui-bundle.js", "Accept-Encoding", "gzip"))),
                new Attack("contracts", "sixteen connections fetch the contract of all areas, compressed",
                        stage -> stage.together(AT_ONCE, () -> stage.get("/openapi/platform.yaml", "Accept-Encoding", "gzip"))),
                new Attack("unknown paths", "sixteen connections ask for what is not there",
                        stage -> stage.together(AT_ONCE, () -> stage.get("/" + UUID.randomUUID(), "Accept-Encoding", "gzip"))),
                new Attack("broken bodies", "sixteen connections send bodies that break every rule",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/api/filings/create", stage.attacker().token(), brokenBody()))),
                new Attack("many writes", "one user drafts as fast as it can",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/api/filings/create", motion(stage)))));
    }

    static JsonObject motion(AttackStage stage) {
        return inOwnCase(stage).put("documentID", "motion").put("fields", new JsonObject()
                .put("motionTitle", "Motion").put("requestedOrder", "All of it.").put("grounds", LONG_TEXT));
    }

    private static void draft(AttackStage stage) throws Exception {
        // As many as one may have, at most.
        for (int i = 0; i < stage.many() * 5 && stage.post("/api/filings/create", motion(stage)) == 200; i++) {
            continue;
        }
    }

    /** A case in which the attacker is the case manager, and long letters wait for its approval. */
    private static String fileForTheAttacker(BenchPeople people, OpenCase own) {
        BenchPeople.Person victim = people.signIn("filer-%s@bench.example".formatted(UUID.randomUUID()), "Vic", "Tim");
        OpenCase managed = people.openCases(1, List.of(victim), List.of(own.claimant())).getFirst();
        people.all(PENDING, i -> people.post(BenchPeople.submit(managed, people.draft(managed, "motion", "A long motion", new JsonObject()
                .put("motionTitle", "Motion").put("requestedOrder", "All of it.").put("grounds", LONG_TEXT)))));
        return managed.id();
    }

    /** A docketed letter of many pages. */
    static String docketLong(BenchPeople people, OpenCase own) {
        return docket(people, own, "Our position is as follows. ".repeat(700));
    }

    /** A letter that the case manager approved; its entry. */
    static String docket(BenchPeople people, OpenCase own, String text) {
        String filingId = people.draft(own, "letterToTribunal", "A letter", new JsonObject().put("subject", "Availability").put("body", text));
        people.post(BenchPeople.submit(own, filingId));
        people.post(BenchPeople.approve(own, filingId));
        JsonObject listed = (JsonObject) people.post(new Request("/api/docket/entries/list", own.claimant().token(), new JsonObject().put("caseID", own.id()).encode()));
        return listed.getJsonArray("entries").getJsonObject(listed.getJsonArray("entries").size() - 1).getString("entryID");
    }

    private static void readFeed(AttackStage stage) throws Exception {
        stage.post("/auth/organizations/create", new JsonObject().put("name", "Readers"));
        stage.together(AT_ONCE, () -> {
            stage.post("/webhooks/events/list", new JsonObject().put("limit", 200));
            stage.post("/webhooks/deliveries/list", new JsonObject().put("limit", 200));
        });
    }

    /** A million characters of arrays in arrays, of wrong members and of long numbers. */
    private static String brokenBody() {
        JsonArray items = new JsonArray();
        for (int i = 0; i < 20_000; i++) {
            items.add(new JsonObject().put("unknown" + i, List.of(i, "x", new JsonObject())));
        }
        return new JsonObject().put("caseID", items).put("fields", items.copy()).encode();
    }
}
