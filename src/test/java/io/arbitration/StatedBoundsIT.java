package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.live.StreamClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever reaches a bound is told its figure. What would take long to reach is put into the database. */
class StatedBoundsIT {

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;

    private final OpenCase open = OpenCase.on(platform);

    @BeforeAll
    static void open() {
        platform = RunningPlatform.start(folder, Map.of("ACP_EVIDENCE_UPLOADS_PER_PARTY_MAX", "2", "ACP_LIVE_STREAMS_MAX", "1",
                // Heap for archives of 2,048 files.
                "ACP_EXPORT_BYTES_MAX", "17825792"));
    }

    @AfterAll
    static void close() {
        platform.close();
    }

    private static void assertRefused(Answer answer, int status, String code, String sentence) {
        // The area push answers plain text.
        assertThat(answer.body()).isIn(sentence, '"' + sentence + '"');
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Error-Code")).isEqualTo(code);
    }

    private static CompletableFuture<Answer> asked(Supplier<Answer> call) {
        return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
    }

    /** While nobody may read a table, the one that is too many is refused at once; the others wait and are answered. */
    private static void assertShare(int share, String table, Supplier<Answer> call, String code, String sentence) throws Exception {
        List<CompletableFuture<Answer>> all;
        try (Connection held = platform.sql(); Statement sql = held.createStatement()) {
            held.setAutoCommit(false);
            sql.execute("lock table " + table + " in access exclusive mode");
            all = Stream.generate(() -> asked(call)).limit(share + 1).toList();
            Answer refused = (Answer) CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            assertRefused(refused, 429, code, sentence);
            held.rollback();
        }
        assertThat(all.stream().map(CompletableFuture::join).filter(answer -> answer.status() == 200)).hasSize(share);
    }

    @Test
    void aCaseHasNoMoreParticipants() {
        platform.rows("""
                insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
                select c.case_id, gen_random_uuid(), 'claimant', false, true, now(), c.created from cases.cases c, generate_series(1, 500) where c.case_id = ?::uuid
                returning 1""", open.caseId());
        assertRefused(open.on("/cases/cases/participants/add", open.claimant(), new JsonObject().put("userID", open.outsider().id()).put("partyID", "claimant")),
                409, "participant.too-many", "a case has at most 500 participants");
    }

    @Test
    void aCaseHasNoMoreHearings() {
        platform.rows("""
                insert into cases.hearings (hearing_id, case_id, title, starts_at, duration_minutes, time_zone, revision, created_by, created, updated)
                select gen_random_uuid(), ?::uuid, 'A day', now() + interval '30 days', 60, 'UTC', 1, ?::uuid, now(), now() from generate_series(1, 500)
                returning 1""", open.caseId(), open.manager().id());
        assertRefused(open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "One more").put("start", NextYear.at("03-01T09:00:00.000Z"))
                .put("durationMinutes", 90).put("timeZone", "UTC")), 409, "hearing.too-many", "a case has at most 500 hearings");
    }

    @Test
    void aPartyHasNoMoreExhibits() {
        Supplier<Answer> upload = () -> Form.of(open.caseId(), "other", "").file("a.txt", "text/plain", "a").post(platform, open.claimant().token());
        assertThat(upload.get().status()).isEqualTo(200);
        assertThat(upload.get().status()).isEqualTo(200);
        assertRefused(upload.get(), 409, "evidence.too-many", "a party has at most 2 exhibits in a case");
        assertThat(Form.of(open.caseId(), "other", "").file("a.txt", "text/plain", "a").post(platform, open.respondent().token()).status()).as("the other side").isEqualTo(200);
    }

    @Test
    void aPartyUploadsNoExhibitAfterTheExchange() {
        platform.rows("update cases.cases set phase_id = 'hearing' where case_id = ?::uuid returning 1", open.caseId());
        assertRefused(Form.of(open.caseId(), "other", "").file("a.txt", "text/plain", "a").post(platform, open.claimant().token()),
                409, "evidence.not-taken-in-phase", "evidence is no longer taken in this phase");
    }

    @Test
    void whoHasNoAddressIsServedNoNotice() {
        String entryId = open.docketed(new JsonObject());
        platform.rows("update identity.users set email = 'nowhere' where user_id = ?::uuid returning 1", open.respondent().id());
        assertRefused(open.on("/api/service-of-notice/send", open.manager(), new JsonObject().put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", open.respondent().id())))), 409, "notice.no-address",
                "recipients/0: has no address that email can be sent to");
    }

    @Test
    void aCaseHasNoMoreRecipientsOfNotices() {
        String entryId = open.docketed(new JsonObject());
        platform.rows("insert into mainapi.notice_heads (case_id, notices, recipients) values (?::uuid, 1, 5000) returning 1", open.caseId());
        assertRefused(open.on("/api/service-of-notice/send", open.manager(), new JsonObject().put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", open.respondent().id())))), 409, "notice.too-many",
                "notices are served on at most 5000 recipients in a case");
    }

    @Test
    void aUserBelongsToNoMoreOrganizations() {
        platform.rows("""
                with made as (insert into identity.organizations (organization_id, name, created) select gen_random_uuid(), 'One of many', now() from generate_series(1, 200)
                              returning organization_id)
                insert into identity.memberships (user_id, organization_id, is_administrator, since) select ?::uuid, organization_id, true, now() from made returning 1
                """, open.outsider().id());
        assertRefused(platform.post("/auth/organizations/create", new JsonObject().put("name", "One more"), open.outsider().token()),
                409, "organization.too-many", "a user can belong to at most 200 organizations");
    }

    @Test
    void thereAreNoMoreVapidKeys() {
        String creator = platform.machine("push.keys.creator");
        long made = Long.parseLong(platform.rows("select count(*) from push.vapid_keys").getFirst().getFirst());
        platform.rows("""
                insert into push.vapid_keys (public_key, encrypted, created)
                select sha256(n::text::bytea) || sha256((-n)::text::bytea) || '\\x00', '\\x00', now() from generate_series(1, ?) n returning 1""", 1000 - (int) made);
        assertRefused(platform.post("/push/vapid-keys/create", new JsonObject(), creator), 409, "vapid-key.too-many", "There can be at most 1000 VAPID keys.");
    }

    @Test
    void aNodeHasNoMoreEventStreams() throws Exception {
        try (StreamClient only = StreamClient.of(platform, open.claimant().token())) {
            assertThat(only.status()).isEqualTo(200);
            Answer told = platform.get("/api/events/stream", "Authorization", "Bearer " + open.respondent().token());
            assertRefused(told, 503, "events.node-full", "this node serves as many event streams as it can");
        }
    }

    @Test
    void anExportHasNoMoreFiles() {
        open.docketed(new JsonObject());
        platform.rows("update mainapi.heads set last_number = 3000 where case_id = ?::uuid returning 1", open.caseId());
        assertRefused(open.on("/cases/cases/export", open.manager(), new JsonObject()), 409, "export.too-large", "The export would have more than 2048 files.");
    }

    @Test
    void aCallerHasNoMoreSearchesAtOnce() throws Exception {
        open.docketed(new JsonObject());
        assertShare(4, "search.documents", () -> platform.post("/api/search", new JsonObject().put("query", "Lena"), open.claimant().token()),
                "search.caller-busy", "At most 4 searches of one caller are under way at once.");
    }

    @Test
    void aCallerHasNoMoreVerificationsAtOnce() throws Exception {
        open.docketed(new JsonObject());
        assertShare(8, "mainapi.entries", () -> open.on("/api/docket/verify", open.claimant(), new JsonObject()),
                "docket.caller-busy", "At most 8 dockets of one caller are verified at once.");
    }

    @Test
    void aDeliveryThatWaitsIsNotOrderedAgain() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertNotOrderedAgain("http://127.0.0.1:%d/nobody".formatted(silent.getLocalPort()));
        }
    }

    private void assertNotOrderedAgain(String url) {
        Person owner = open.outsider();
        String organizationId = platform.post("/auth/organizations/create", new JsonObject().put("name", "Waiting Ltd"), owner.token()).object().getString("organizationID");
        Answer registered = platform.post("/webhooks/urls/create", new JsonObject().put("url", url), owner.token());
        assertThat(registered.status()).as(registered.body()).isEqualTo(200);
        OpenCase ofOwner = open.another();
        assertThat(platform.post("/cases/cases/participants/add", new JsonObject().put("caseID", ofOwner.caseId()).put("userID", owner.id())
                .put("partyID", "respondent").put("organizationID", organizationId), open.manager().token()).status()).isEqualTo(200);
        ofOwner.docketed(new JsonObject());
        JsonArray[] deliveries = new JsonArray[1];
        Await.until("a delivery", () -> !(deliveries[0] = platform.post("/webhooks/deliveries/list", new JsonObject(), owner.token()).object().getJsonArray("deliveries")).isEmpty());
        Answer again = platform.post("/webhooks/deliveries/redeliver", new JsonObject().put("deliveryID", deliveries[0].getJsonObject(0).getString("deliveryID")), owner.token());
        assertRefused(again, 409, "delivery.pending", "delivery is still pending");
        assertRefused(platform.post("/webhooks/deliveries/redeliver", new JsonObject().put("deliveryID", "999999999"), owner.token()),
                404, "delivery.not-found", "delivery not found");
    }
}
