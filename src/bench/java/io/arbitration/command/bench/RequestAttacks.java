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
                new Attack("feeds", "one organization reads its many events and deliveries over and over", RequestAttacks::readFeed).given(RequestAttacks::fillFeed),
                new Attack("lists of analyses", "one case manager lists the analyses of a case over and over",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/ai/analyses/list", new JsonObject().put("caseID", stage.given()).put("limit", 100))))
                        .given(RequestAttacks::analyseMuch),
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

    static void draft(AttackStage stage) throws Exception {
        // As many as one may have; for a proof a ninth of them, which are many pages, too.
        for (int i = 0; i < stage.many() * stage.many() / 18 && stage.post("/api/filings/create", motion(stage)) == 200; i++) {
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

    /** An organization of the attacker with thousands of events, and deliveries whose answers were as long as is kept. */
    private static String fillFeed(BenchPeople people, OpenCase own) {
        String organizationId = ((JsonObject) people.post(new Request("/auth/organizations/create", own.claimant().token(), new JsonObject().put("name", "Readers").encode())))
                .getString("organizationID");
        people.post(new Request("/webhooks/urls/create", own.claimant().token(), new JsonObject().put("url", "http://127.0.0.1:8009/hook").encode()));
        people.sql("""
                with told as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                  select gen_random_uuid(), 'phase_changed', gen_random_uuid(), now(), '{"event":"phase_changed","padding":"' || repeat('x', 1000) || '"}'
                  from generate_series(1, 1000)
                  returning sequence)
                insert into webhooks.feed (organization_id, position, sequence, event, occurred_at)
                select '%1$s', row_number() over (order by sequence), sequence, 'phase_changed', now() from told;
                with made as (
                  insert into webhooks.deliveries (url_id, organization_id, event_id, event, state, created)
                  select url_id, organization_id, gen_random_uuid(), 'phase_changed', 'failed', now() from webhooks.urls, generate_series(1, 200)
                  where organization_id = '%1$s' returning delivery_id)
                insert into webhooks.attempts (delivery_id, at, status, duration_millis, response)
                select delivery_id, now(), 500, 1, repeat(chr(1), 4096) from made, generate_series(1, 5)""".formatted(organizationId));
        return organizationId;
    }

    /** A case of the attacker's with analyses that say much, each of every part of a large case. */
    private static String analyseMuch(BenchPeople people, OpenCase own) {
        String caseId = fileForTheAttacker(people, own);
        people.post(new Request("/ai/prompts/create", people.administrator().token(), new JsonObject().put("documentID", "motion")
                .put("ruleSet", "commercial").put("prompt", "Who?").put("active", false).put("triggerOnDocket", true).put("triggerOnDraft", false)
                .put("includeEvidence", false).put("includeFullCase", true).encode()));
        people.sql("""
                insert into ai.analyses (prompt_id, prompt_version, ran_on, include_evidence, include_full_case, case_id, filing_id, revision, state, created, ended,
                  model, answer, inputs)
                select v.prompt_id, v.version, 'docket', false, true, '%1$s', (select min(filing_id) from mainapi.filings where case_id = '%1$s'), n, 'done', now(), now(),
                  'm', case when n %% 40 = 0 then repeat(chr(119070), 200000) else repeat('Nobody. ', 1000) end,
                  '[' || repeat('{"input":"entry 1000","sha256":"0000000000000000000000000000000000000000000000000000000000000000"},', 1999)
                    || '{"input":"entry 1000","sha256":""}]'
                from (select prompt_id, max(version) as version from ai.prompt_versions group by prompt_id limit 1) v, generate_series(1, 120) n""".formatted(caseId));
        return caseId;
    }

    private static void readFeed(AttackStage stage) throws Exception {
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
