package io.arbitration.webhooks;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** An organization with an administrator and a member, and a case that the administrator opened for it. */
record Hooked(RunningPlatform platform, String organizationId, Person administrator, Person member, String caseId, Person manager) {

    static Hooked on(RunningPlatform platform) {
        String email = "wanda-" + UUID.randomUUID() + "@example.org";
        Person first = platform.signIn(email, "Wanda", "Webhook");
        String organizationId = ok(platform.post("/auth/organizations/create", new JsonObject().put("name", "Hooks Ltd"), first.token()))
                .object().getString("organizationID");
        Person member = platform.signIn("milo-" + UUID.randomUUID() + "@example.org", "Milo", "Member");
        platform.join(organizationId, first, member, false);
        Person administrator = platform.signIn(email, "Wanda", "Webhook");
        Person manager = platform.signIn("maya-" + UUID.randomUUID() + "@example.org", "Maya", "Manager");
        Hooked hooked = new Hooked(platform, organizationId, administrator, member, "", manager);
        return new Hooked(platform, organizationId, administrator, member, hooked.openCase(), manager);
    }

    /** Opens a case of the organization with the manager as its case manager. */
    String openCase() {
        String opened = ok(platform.post("/cases/cases/create",
                new JsonObject().put("title", "Hooks v. Lines").put("ruleSet", "commercial"), administrator.token())).object().getString("caseID");
        ok(platform.post("/cases/cases/participants/add", new JsonObject().put("caseID", opened).put("userID", manager.id())
                .put("partyID", "caseManager"), platform.administrator().token()));
        return opened;
    }

    /** Dockets a document that needs no approval; its entry. */
    String docket() {
        JsonObject filing = new JsonObject().put("caseID", caseId).put("documentID", "noticeToParties")
                .put("fields", new JsonObject().put("subject", "Housekeeping").put("body", "Please number your exhibits."));
        String filingId = ok(platform.post("/api/filings/create", filing, manager.token())).object().getString("filingID");
        JsonObject reference = new JsonObject().put("caseID", caseId).put("filingID", filingId);
        ok(platform.post("/api/filings/documents/submit", reference, manager.token()));
        return ok(platform.post("/api/filings/view", reference, manager.token())).object().getString("entryID");
    }

    /** Puts events into the log as a docketing would, many in one transaction; their ids, in order. */
    List<String> log(int count) {
        return platform.rows("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                  select id, 'docket_filing', ?::uuid, now(),
                         json_build_object('id', id, 'timestamp', '2026-11-21T09:30:00.000Z', 'event', 'docket_filing',
                                           'data', json_build_object('entryID', n::text, 'caseID', ?::text))::text
                  from (select gen_random_uuid() as id, n from generate_series(1, ?) n) numbered order by n
                  returning sequence, event_id)
                select event_id, pg_notify('platform_events', '') from appended order by sequence
                """, caseId, caseId, count).stream().map(List::getFirst).toList();
    }

    Answer post(String path, JsonObject body) {
        return platform.post("/webhooks" + path, body, administrator.token());
    }

    /** Registers a URL; its secret. */
    String register(String url, String... events) {
        JsonObject body = new JsonObject().put("url", url);
        if (events.length > 0) {
            body.put("events", new JsonArray(List.of(events)));
        }
        return ok(post("/urls/create", body)).object().getString("secret");
    }

    List<JsonObject> deliveries(JsonObject filter) {
        return ok(post("/deliveries/list", filter)).object().getJsonArray("deliveries").stream().map(JsonObject.class::cast).toList();
    }

    /** The delivery of an event to a URL once it is as the test expects. */
    JsonObject delivery(String eventId, String url, Predicate<JsonObject> as) {
        return await(() -> deliveries(new JsonObject().put("eventID", eventId).put("url", url)).stream().filter(as).findFirst().orElse(null),
                () -> "delivery of %s to %s: %s".formatted(eventId, url, deliveries(new JsonObject().put("url", url))));
    }

    /** What the database holds of the deliveries to a URL, for when the clock makes tokens unfit. */
    List<List<String>> outcomes(String url) {
        return platform.rows("""
                select d.state, (select count(*) from webhooks.attempts a where a.delivery_id = d.delivery_id)
                from webhooks.deliveries d join webhooks.urls u using (url_id) where u.url = ? order by d.delivery_id
                """, url);
    }

    @SafeVarargs
    final void awaitDeliveries(String url, List<String>... expected) {
        await(() -> outcomes(url).equals(List.of(expected)) ? true : null, () -> outcomes(url).toString());
    }

    static <T> T await(Supplier<T> value, Supplier<String> told) {
        return Await.value(told, Await.BOUND, value::get);
    }

    static Answer ok(Answer answer) {
        if (answer.status() != 200) {
            throw new AssertionError("%d %s".formatted(answer.status(), answer.body()));
        }
        return answer;
    }
}
