package io.arbitration.mainapi.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** What streams with {@code changes=true} hint at, and to whom. */
class LiveChangesIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    private StreamClient follow(Person person) throws Exception {
        return StreamClient.open(platform, "?changes=true", "Authorization", "Bearer " + person.token());
    }

    private static List<JsonObject> hints(StreamClient stream) {
        return stream.received().stream().filter(one -> one.kind().equals("change")).map(StreamClient.Received::envelope).toList();
    }

    private static List<String> kinds(StreamClient stream) {
        return hints(stream).stream().map(one -> one.getString("kind")).toList();
    }

    private static JsonObject ofCase(String kind, String caseId) {
        return new JsonObject().put("kind", kind).put("caseID", caseId);
    }

    private static void done(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    private Answer hearing() {
        return open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing of the witnesses")
                .put("start", Instant.now().plus(20, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS).toString()).put("durationMinutes", 60).put("timeZone", "Europe/Berlin"));
    }

    /** Everybody in the case may see a hearing. Hints come in the order of the commits: whoever has this one has those before it as well. */
    private void hearingIsToldTo(StreamClient... streams) {
        int[] before = List.of(streams).stream().mapToInt(stream -> (int) kinds(stream).stream().filter("hearing"::equals).count()).toArray();
        done(hearing());
        for (int i = 0; i < streams.length; i++) {
            int had = before[i];
            StreamClient stream = streams[i];
            Await.until(() -> kinds(stream).stream().filter("hearing"::equals).count() > had);
        }
    }

    private void evidence(Person by) throws Exception {
        done(Form.of(open.caseId(), "correspondence", "Offer of cranes").file("offer.txt", "text/plain", "We offer two cranes.").post(platform, by.token()));
    }

    @Test
    void evidenceIsHintedAtToThoseWhoSeeItAlone() throws Exception {
        open.another();
        awaitNobodyFollows();
        try (StreamClient colleague = follow(open.colleague()); StreamClient observer = follow(open.observer()); StreamClient manager = follow(open.manager());
                StreamClient respondent = follow(open.respondent()); StreamClient outsider = follow(open.outsider())) {
            evidence(open.claimant());
            hearingIsToldTo(colleague, observer, manager, respondent);
            for (StreamClient one : List.of(colleague, observer, manager)) {
                assertThat(hints(one)).contains(ofCase("evidence", open.caseId()));
            }
            assertThat(kinds(respondent)).doesNotContain("evidence");
            assertThat(outsider.received()).isEmpty();
            // Places in the stream are those of events: a hint has none.
            assertThat(hints(colleague)).allSatisfy(hint -> assertThat(hint.fieldNames()).isSubsetOf("kind", "caseID", "organizationID"));
        }
    }

    @Test
    void aDraftIsHintedAtToItsSideAndToTheApproverFromItsSubmissionOn() throws Exception {
        try (StreamClient colleague = follow(open.colleague()); StreamClient manager = follow(open.manager()); StreamClient respondent = follow(open.respondent())) {
            String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
            hearingIsToldTo(colleague, manager, respondent);
            assertThat(hints(colleague)).contains(ofCase("filing", open.caseId()));
            assertThat(kinds(manager)).doesNotContain("filing");
            done(open.document("submit", open.claimant(), filingId));
            hearingIsToldTo(colleague, manager, respondent);
            assertThat(hints(manager)).contains(ofCase("filing", open.caseId()));
            done(open.document("approve", open.manager(), filingId));
            hearingIsToldTo(colleague, manager, respondent);
            assertThat(kinds(respondent)).doesNotContain("filing");
        }
    }

    @Test
    void aChangeOfASealedEntryIsHintedAtToNobodyFromWhomItIsWithheld() throws Exception {
        String sealed = open.docketed(new JsonObject());
        String shown = open.docketed(new JsonObject());
        done(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", sealed).put("reason", "A witness.").put("visibleTo", new JsonArray())));
        try (StreamClient claimant = follow(open.claimant()); StreamClient respondent = follow(open.respondent())) {
            notifyOfEntry(sealed);
            hearingIsToldTo(claimant, respondent);
            assertThat(hints(claimant)).contains(ofCase("entry", open.caseId()));
            assertThat(kinds(respondent)).doesNotContain("entry");
            notifyOfEntry(shown);
            hearingIsToldTo(claimant, respondent);
            assertThat(hints(respondent)).contains(ofCase("entry", open.caseId()));
        }
    }

    private void notifyOfEntry(String entryId) throws SQLException {
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            statement.execute("select platform.notify_change('entry', 'entry', '%s', '%s')".formatted(open.caseId(), entryId));
        }
    }

    @Test
    void whoMayNotFileIsToldAsBeforeAndWhoIsRemovedThatItIs() throws Exception {
        try (StreamClient colleague = follow(open.colleague()); StreamClient claimant = follow(open.claimant())) {
            done(open.on("/cases/cases/participants/restrict", open.manager(), new JsonObject().put("userID", open.colleague().id()).put("mayFile", false)));
            evidence(open.claimant());
            hearingIsToldTo(colleague, claimant);
            assertThat(hints(colleague)).contains(ofCase("participant", open.caseId()), ofCase("evidence", open.caseId()));
            done(open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", open.colleague().id())));
            Await.until(() -> hints(colleague).contains(new JsonObject().put("kind", "participant")));
            int had = hints(colleague).size();
            hearingIsToldTo(claimant);
            done(open.on("/cases/deadlines/extensions/request", open.claimant(), open.moreTime()));
            Await.until(() -> hints(claimant).contains(ofCase("extension", open.caseId())));
            assertThat(hints(colleague)).hasSize(had);
        }
    }

    @Test
    void whoRejectedAFilingIsToldThatItIsADraftAgain() throws Exception {
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        done(open.document("submit", open.claimant(), filingId));
        done(open.reject(open.manager(), filingId, "A page is missing."));
        try (StreamClient manager = follow(open.manager()); StreamClient respondent = follow(open.respondent())) {
            done(open.update(open.claimant(), filingId, new JsonObject().put("title", "With all pages")));
            hearingIsToldTo(manager, respondent);
            assertThat(hints(manager)).contains(ofCase("filing", open.caseId()));
            assertThat(kinds(respondent)).doesNotContain("filing");
        }
    }

    @Test
    void aNotificationThatNobodyUnderstandsTellsToReadAnewAndEndsNoHints() throws Exception {
        try (StreamClient claimant = follow(open.claimant()); Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            for (String payload : List.of("hearing", "hearing case 12 ", "hearing user - x")) {
                long before = kinds(claimant).stream().filter("all"::equals).count();
                statement.execute("select pg_notify('platform_changes', '%s')".formatted(payload));
                Await.until(() -> kinds(claimant).stream().filter("all"::equals).count() > before);
            }
            hearingIsToldTo(claimant);
        }
    }

    private static boolean isFollowed(Statement statement) throws SQLException {
        try (ResultSet answer = statement.executeQuery("select platform.changes_are_followed()")) {
            answer.next();
            return answer.getBoolean(1);
        }
    }

    /**
     * The node goes on following for some seconds after the test before: a stream that opens then could get a hint at what was done a moment
     * earlier. What is done after this and before the first stream is hinted at to nobody.
     */
    private void awaitNobodyFollows() throws SQLException {
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            Await.until("nobody follows changes", () -> !isFollowed(statement));
        }
    }

    /** A commit that notifies waits for all others that do, so it notifies only somebody. */
    @Test
    void whileNobodyFollowsNoTransactionNotifies() throws Exception {
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            Await.until(() -> !isFollowed(statement));
            statement.execute("listen platform_changes");
            done(hearing());
            evidence(open.claimant());
            String draft = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
            assertThat(notifications(sql, statement)).isEmpty();
            try (StreamClient claimant = follow(open.claimant())) {
                assertThat(isFollowed(statement)).isTrue();
                done(open.update(open.claimant(), draft, new JsonObject().put("title", "Another title")));
                assertThat(notifications(sql, statement)).contains("filing parties " + open.caseId() + " claimant");
                Await.until(() -> hints(claimant).contains(ofCase("filing", open.caseId())));
            }
            Await.until(() -> !isFollowed(statement));
            done(hearing());
            assertThat(notifications(sql, statement)).isEmpty();
        }
    }

    /** What this connection was notified of by transactions that have committed. */
    private static List<String> notifications(Connection sql, Statement statement) throws SQLException {
        // The answer to a statement comes after the notifications of all commits before it.
        statement.execute("select 1");
        PGNotification[] found = sql.unwrap(PGConnection.class).getNotifications();
        return Stream.of(found).map(PGNotification::getParameter).toList();
    }

    /** Each event loop of a node has its own streams, and some loop has the first of these. */
    @Test
    void whileOneStreamOfTheNodeFollowsTheLeavingOfOthersEndsNoNotifications() throws Exception {
        try (StreamClient stays = follow(open.claimant()); Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            for (int i = 0; i < 8; i++) {
                follow(open.respondent()).close();
            }
            Await.until(() -> openStreams() == 1);
            assertThat(isFollowed(statement)).isTrue();
            hearingIsToldTo(stays);
        }
    }

    private double openStreams() {
        return platform.services().meters().get("acp.events.streams").gauges().stream().mapToDouble(Gauge::value).sum();
    }

    @Test
    void aTransactionThatBeganBeforeAnybodyFollowedTellsToReadAnewWhenItHasCommitted() throws Exception {
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement(); Connection other = platform.sql(); Statement looking = other.createStatement()) {
            Await.until(() -> !isFollowed(looking));
            sql.setAutoCommit(false);
            insertHearings(statement, open.caseId(), 1);
            try (StreamClient claimant = follow(open.claimant()); StreamClient later = follow(open.respondent())) {
                evidence(open.claimant());
                Await.until(() -> kinds(claimant).contains("evidence"));
                assertThat(kinds(claimant)).doesNotContain("all", "hearing");
                sql.commit();
                Await.until(() -> kinds(claimant).contains("all") && kinds(later).contains("all"));
            }
        }
    }

    @Test
    void whenTheSessionThatListensIsLostEverybodyIsToldToReadAnewAndIsToldOfWhatFollows() throws Exception {
        try (StreamClient claimant = follow(open.claimant()); Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            statement.execute("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 7308079 and mode = 'ShareLock'");
            Await.until(() -> kinds(claimant).contains("all"));
            assertThat(isFollowed(statement)).isTrue();
            hearingIsToldTo(claimant);
        }
    }

    private static void insertHearings(Statement statement, String caseId, int count) throws SQLException {
        statement.execute("""
                insert into cases.hearings (hearing_id, case_id, title, starts_at, duration_minutes, time_zone, revision, created_by, created, updated)
                select gen_random_uuid(), '%s', 'Of a transaction', now(), 60, 'UTC', 1, gen_random_uuid(), now(), now() from generate_series(1, %d)
                """.formatted(caseId, count));
    }

    @Test
    void nothingIsHintedAtBeforeTheCommitOrAfterARollbackAndOnceForManyRows() throws Exception {
        try (StreamClient claimant = follow(open.claimant()); Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            insertHearings(statement, open.caseId(), 1);
            sql.rollback();
            insertHearings(statement, open.caseId(), 500);
            evidence(open.claimant());
            Await.until(() -> kinds(claimant).contains("evidence"));
            assertThat(kinds(claimant)).doesNotContain("hearing");
            sql.commit();
            Await.until(() -> kinds(claimant).contains("hearing"));
            done(open.on("/cases/deadlines/extensions/request", open.claimant(), open.moreTime()));
            Await.until(() -> kinds(claimant).contains("extension"));
            assertThat(kinds(claimant)).containsOnlyOnce("hearing");
        }
    }

    /** Nobody asks who may be told of so many: whoever follows is told that anything may have changed. */
    @Test
    void ofTooManyChangesAndOfLostNotificationsEverybodyIsToldToReadAnew() throws Exception {
        try (StreamClient claimant = follow(open.claimant()); StreamClient ofOneCase = StreamClient.open(platform, "?changes=true&caseID=" + open.caseId(),
                "Authorization", "Bearer " + open.respondent().token()); Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            statement.execute("select platform.notify_change('hearing', 'case', gen_random_uuid()) from generate_series(1, 5000)");
            Await.until(() -> kinds(claimant).contains("all") && kinds(ofOneCase).contains("all"));
            assertThat(hints(claimant)).contains(new JsonObject().put("kind", "all"));
            // As when the connection that listens was lost.
            long before = kinds(claimant).stream().filter("all"::equals).count();
            platform.services().notifications().notifyLocally("platform_changes");
            Await.until(() -> kinds(claimant).stream().filter("all"::equals).count() > before);
            hearingIsToldTo(claimant, ofOneCase);
        }
    }

    @Test
    void withoutAskingForItNobodyIsHintedAtAnythingAndOneCaseIsThatCaseAlone() throws Exception {
        OpenCase other = open.another();
        try (StreamClient plain = StreamClient.of(platform, open.claimant().token());
                StreamClient not = StreamClient.open(platform, "?changes=false", "Authorization", "Bearer " + open.claimant().token());
                StreamClient ofOther = StreamClient.open(platform, "?changes=true&caseID=" + other.caseId(), "Authorization", "Bearer " + open.claimant().token());
                StreamClient all = follow(open.claimant())) {
            hearingIsToldTo(all);
            open.docketed(new JsonObject());
            Await.until(() -> plain.kinds().contains("docket_filing") && not.kinds().contains("docket_filing"));
            done(other.on("/cases/deadlines/extensions/request", other.claimant(), other.moreTime()));
            Await.until(() -> kinds(ofOther).contains("extension"));
            assertThat(hints(ofOther)).allSatisfy(hint -> assertThat(hint.getString("caseID")).isEqualTo(other.caseId()));
            assertThat(plain.kinds()).doesNotContain("change");
            assertThat(not.kinds()).doesNotContain("change");
        }
        Answer refused = platform.get("/api/events/stream?changes=perhaps", "Authorization", "Bearer " + open.claimant().token());
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.sentence()).isEqualTo("changes: must be true or false");
    }

    @Test
    void anInvitationIsHintedAtToTheInvitedAndToThoseWhoInvite() throws Exception {
        Person invited = platform.signIn("invited-" + UUID.randomUUID() + "@example.org", "Ivo", "Invited");
        try (StreamClient ofInvited = follow(invited); StreamClient manager = follow(open.manager()); StreamClient respondent = follow(open.respondent())) {
            done(open.on("/cases/invitations/create", open.manager(), new JsonObject().put("email", invited.email()).put("partyID", "claimant")));
            hearingIsToldTo(manager, respondent);
            assertThat(hints(manager)).contains(ofCase("invitation", open.caseId()));
            assertThat(kinds(respondent)).doesNotContain("invitation");
            Await.until(() -> hints(ofInvited).contains(new JsonObject().put("kind", "invitation")));
        }
    }

    @Test
    void membersAndDeliveriesAreHintedAtToTheOrganization() throws Exception {
        awaitNobodyFollows();
        Person founder = platform.signIn("founder-" + UUID.randomUUID() + "@example.org", "Fay", "Founder");
        Person joining = platform.signIn("joining-" + UUID.randomUUID() + "@example.org", "Jo", "Joining");
        Answer made = platform.post("/auth/organizations/create", new JsonObject().put("name", "Cranes of Fay"), founder.token());
        String organizationId = made.object().getString("organizationID");
        JsonObject member = new JsonObject().put("kind", "member").put("organizationID", organizationId);
        JsonObject delivery = new JsonObject().put("kind", "delivery").put("organizationID", organizationId);
        try (StreamClient ofFounder = follow(founder); StreamClient ofJoining = follow(joining); StreamClient outsider = follow(open.outsider())) {
            platform.join(organizationId, founder, joining, false);
            Await.until(() -> hints(ofFounder).contains(member) && hints(ofJoining).contains(member));
            try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
                statement.execute("insert into webhooks.organizations (organization_id) values ('%s') on conflict do nothing".formatted(organizationId));
                statement.execute("""
                        with url as (
                          insert into webhooks.urls (organization_id, url, events, created, created_by, secret, disabled_at, disabled_reason)
                          values ('%s', 'https://hooks.example/changes', '{docket_filing}', now(), gen_random_uuid(), 'x', now(), 'by a test') returning url_id)
                        insert into webhooks.deliveries (url_id, organization_id, event_id, event, state, created)
                        select url_id, '%1$s', gen_random_uuid(), 'docket_filing', 'failed', now() from url, generate_series(1, 300)
                        """.formatted(organizationId));
            }
            Await.until(() -> hints(ofFounder).contains(delivery) && hints(ofJoining).contains(delivery));
            done(platform.post("/auth/organizations/members/remove", new JsonObject().put("organizationID", organizationId).put("userID", joining.id()), founder.token()));
            Await.until(() -> hints(ofJoining).contains(new JsonObject().put("kind", "member")));
            assertThat(outsider.received()).isEmpty();
        }
    }

    @Test
    void whatAdministratorsChangeIsHintedAtToSuperAdministratorsAndToThoseWhoseItIs() throws Exception {
        awaitNobodyFollows();
        Person administrator = platform.administrator();
        Person granted = platform.signIn("granted-" + UUID.randomUUID() + "@example.org", "Greta", "Granted");
        Person founder = platform.signIn("founder-" + UUID.randomUUID() + "@example.org", "Fay", "Founder");
        String organizationId = platform.post("/auth/organizations/create", new JsonObject().put("name", "Programs of Fay"), founder.token()).object().getString("organizationID");
        JsonObject permission = new JsonObject().put("userID", granted.id()).put("permission", "admin.platform.super");
        try (StreamClient ofAdministrator = follow(administrator); StreamClient ofGranted = follow(granted); StreamClient ofFounder = follow(founder); StreamClient outsider = follow(open.outsider())) {
            prompt(administrator);
            Await.until(() -> kinds(ofAdministrator).contains("prompt"));
            assertThat(ofGranted.received()).isEmpty();
            done(platform.post("/auth/permissions/grant", permission, administrator.token()));
            Await.until(() -> kinds(ofAdministrator).contains("permission") && kinds(ofGranted).contains("permission"));

            prompt(administrator);
            done(platform.post("/push/vapid-keys/create", new JsonObject(), platform.machine("push.keys.creator")));
            done(platform.post("/auth/clients/create", new JsonObject().put("name", "Reminders").put("organizationID", organizationId).put("permissions", new JsonArray()), founder.token()));
            done(new Form().field("documentID", "t" + UUID.randomUUID().toString().substring(0, 30)).file("form.pdf", "application/pdf", Files.readAllBytes(Path.of("conf/templates/pdf/noticeOfHearing.pdf")))
                    .postTo(platform, "/pdfs/templates/upload", administrator.token()));
            Person leaver = platform.signIn("leaver-" + UUID.randomUUID() + "@example.org", "Lena", "Leaver");
            done(platform.post("/auth/users/disable", new JsonObject().put("userID", leaver.id()).put("reason", "She has left."), administrator.token()));
            for (StreamClient one : List.of(ofAdministrator, ofGranted)) {
                Await.until(() -> kinds(one).containsAll(List.of("prompt", "key", "client", "template", "session", "user")));
                assertThat(hints(one).stream().filter(hint -> !hint.containsKey("organizationID"))).allSatisfy(hint -> assertThat(hint.fieldNames()).containsExactly("kind"));
            }
            Await.until(() -> hints(ofFounder).contains(new JsonObject().put("kind", "client").put("organizationID", organizationId)));
            assertThat(kinds(ofFounder)).containsOnly("client");

            done(platform.post("/auth/permissions/revoke", permission, administrator.token()));
            Await.until(() -> kinds(ofGranted).stream().filter("permission"::equals).count() == 2);
            long had = kinds(ofGranted).stream().filter("prompt"::equals).count();
            long ofAll = kinds(ofAdministrator).stream().filter("prompt"::equals).count();
            prompt(administrator);
            Await.until(() -> kinds(ofAdministrator).stream().filter("prompt"::equals).count() > ofAll);
            assertThat(kinds(ofGranted).stream().filter("prompt"::equals).count()).isEqualTo(had);
            platform.signIn(granted.email(), "Greta", "Granted");
            Await.until(() -> kinds(ofGranted).getLast().equals("session"));
            assertThat(outsider.received()).isEmpty();
        }
    }

    @Test
    void superAdministratorsAreToldWithoutItsNumberThatACaseIsOpenedOrGetsItsCaseManager() throws Exception {
        Person administrator = platform.administrator();
        try (StreamClient ofAdministrator = follow(administrator); StreamClient outsider = follow(open.outsider())) {
            String caseId = platform.post("/cases/cases/create", new JsonObject().put("title", "Cranes v. Mill").put("ruleSet", "commercial"), open.claimant().token()).object().getString("caseID");
            Await.until(() -> hints(ofAdministrator).contains(new JsonObject().put("kind", "case")));
            long before = kinds(ofAdministrator).stream().filter("case"::equals).count();
            assertThat(platform.post("/cases/cases/participants/add", new JsonObject().put("caseID", caseId).put("userID", open.manager().id()).put("partyID", "caseManager"),
                    administrator.token()).status()).isEqualTo(200);
            Await.until(() -> kinds(ofAdministrator).stream().filter("case"::equals).count() > before);
            assertThat(ofAdministrator.received().toString()).doesNotContain(caseId);
            assertThat(outsider.received()).isEmpty();
        }
    }

    private void prompt(Person administrator) {
        done(platform.post("/ai/prompts/create", new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT).put("ruleSet", "commercial").put("prompt", "Say what it asks for.").put("active", false)
                .put("triggerOnDocket", false).put("triggerOnDraft", false).put("includeEvidence", false).put("includeFullCase", false), administrator.token()));
    }

    /** Hints that wait for a client take part in the same waiting as its events, and what it did not read is told once it reads. */
    @Test
    void aClientThatReadsSlowlyGetsAllEventsAndTheHintsAfterwards() throws Exception {
        URI address = URI.create(platform.url());
        try (Socket slow = new Socket(); StreamClient quick = follow(open.respondent()); Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            slow.setReceiveBufferSize(4096);
            slow.connect(new InetSocketAddress(address.getHost(), address.getPort()));
            slow.getOutputStream().write("GET /api/events/stream?changes=true HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n".formatted(open.claimant().token())
                    .getBytes(StandardCharsets.US_ASCII));
            slow.setSoTimeout(60_000);
            StringBuilder read = new StringBuilder();
            read(slow, read, "id: ");
            UUID last = UUID.randomUUID();
            statement.execute("""
                    insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                    select id, 'phase_changed', '%s', now(), json_build_object('id', id, 'filler', repeat('x', 1000))
                    from (select case when n = 1500 then '%s'::uuid else gen_random_uuid() end as id from generate_series(1, 1500) n) ids
                    """.formatted(open.caseId(), last));
            statement.execute("select pg_notify('platform_events', '')");
            Await.until(() -> quick.eventIds().contains(last.toString()));
            hearingIsToldTo(quick);
            read(slow, read, last.toString());
            read(slow, read, "data: {\"kind\":\"hearing\",\"caseID\":\"%s\"}".formatted(open.caseId()));
            assertThat(read.toString().split("event: phase_changed", -1)).hasSize(1501);
        }
    }

    private static void read(Socket slow, StringBuilder read, String until) throws Exception {
        InputStream in = slow.getInputStream();
        byte[] bytes = new byte[4096];
        while (read.indexOf(until) < 0) {
            int count = in.read(bytes);
            assertThat(count).as("bytes before the end of the stream").isPositive();
            read.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
        }
    }
}
