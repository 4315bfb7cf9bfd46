package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From the docket to the receiver. */
class DeliveryIT {

    /** {@code webhooks.exchangeSeconds} of the platform. */
    private static final int EXCHANGE_SECONDS = 15;

    private static RunningPlatform platform;

    @BeforeAll
    static void open() {
        platform = RunningPlatform.shared();
    }

    private static JsonObject url(String url) {
        return new JsonObject().put("url", url);
    }

    private static boolean is(JsonObject delivery, String state, int attempts) {
        return delivery.getString("state").equals(state) && delivery.getJsonArray("attempts").size() == attempts;
    }

    /** Fails, and asks for so long a pause that no test sees an attempt which it has not hurried. */
    private static Receiver unwilling() {
        return new Receiver().answering(503, "Retry-After", "3600");
    }

    private static boolean hasFailed(JsonObject delivery) {
        return delivery.getString("state").equals("pending") && !delivery.getJsonArray("attempts").isEmpty();
    }

    /** Answers each request by its place among those that came, and some of them only when they may be answered. */
    private static void answering(Receiver receiver, IntPredicate waits, CountDownLatch may, IntUnaryOperator status) {
        receiver.answering((exchange, received) -> {
            int place = receiver.all().indexOf(received);
            if (waits.test(place)) {
                awaitQuietly(may);
            }
            exchange.sendResponseHeaders(status.applyAsInt(place), -1);
        });
    }

    /** Moves what waits for its next attempt to now. */
    private static void hurry(String url) {
        platform.rows("""
                with due as (update webhooks.queue q set due = now() from webhooks.urls u
                  where u.url_id = q.url_id and u.url = ? and not q.ready and q.claim is null returning 1)
                select count(*) from due
                """, url);
    }

    @Test
    void aDocketEntryReachesTheReceiverSignedWithinASecond() throws Exception {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver()) {
            String secret = hooked.register(receiver.url());
            hooked.docket();
            receiver.next();
            Instant before = Instant.now();
            String entryId = hooked.docket();
            Receiver.Received received = receiver.next();
            assertThat(Duration.between(before, received.at())).isLessThan(Duration.ofSeconds(20));
            new Webhook(secret).verify(received.body(), Signatures.headers(received));
            JsonObject envelope = received.envelope();
            assertThat(envelope.fieldNames()).containsExactlyInAnyOrder("id", "timestamp", "event", "data");
            assertThat(envelope.getString("id")).isEqualTo(received.header("webhook-id"));
            assertThat(envelope.getString("event")).isEqualTo("docket_filing");
            assertThat(envelope.getString("timestamp")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
            JsonObject data = envelope.getJsonObject("data");
            assertThat(data.fieldNames()).containsExactlyInAnyOrder("entryID", "enteredAt", "filingID", "caseID", "phaseID", "documentID",
                    "userID", "organizationID", "partyID", "rootEntryID", "parentEntryID");
            assertThat(data.getString("entryID")).isEqualTo(entryId);
            assertThat(data.getString("caseID")).isEqualTo(hooked.caseId());
            assertThat(received.header("content-type")).isEqualTo("application/json");
            JsonObject delivery = hooked.delivery(envelope.getString("id"), receiver.url(), one -> is(one, "delivered", 1));
            assertThat(delivery.getValue("nextAttemptAt")).isNull();
            assertThat(delivery.getJsonArray("attempts").getJsonObject(0).getInteger("status")).isEqualTo(200);
        }
    }

    @Test
    void whatHappensInASandboxIsMarkedBesideItsEnvelope() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver()) {
            hooked.register(receiver.url(), "case_created", "docket_filing");
            hooked.docket();
            assertThat(receiver.next().header("webhook-sandbox")).isNull();
            JsonObject sandbox = Hooked.ok(platform.post("/cases/cases/create", new JsonObject().put("title", "Tries v. Lines").put("ruleSet", "commercial").put("sandbox", true),
                    hooked.administrator().token())).object();
            // What was told before the URL was registered may be read after it, and then comes as well.
            Receiver.Received received = nextOfCase(receiver, sandbox.getString("caseID"));
            assertThat(received.header("webhook-sandbox")).isEqualTo("true");
            assertThat(received.envelope().fieldNames()).containsExactlyInAnyOrder("id", "timestamp", "event", "data");
            assertThat(received.envelope().getJsonObject("data").getString("caseID")).isEqualTo(sandbox.getString("caseID"));
            hooked.docket();
            receiver.next();
            Answer events = Hooked.ok(hooked.post("/events/list", new JsonObject()));
            List<JsonObject> listed = events.object().getJsonArray("events").stream().map(JsonObject.class::cast).toList();
            JsonObject marked = listed.stream().filter(event -> event.getString("id").equals(received.envelope().getString("id"))).findFirst().orElseThrow();
            assertThat(events.header("webhook-sandbox")).as("%s", listed).isEqualTo(String.valueOf(marked.getLong("sequence")));
            assertThat(Hooked.ok(hooked.post("/events/list", new JsonObject().put("event", "docket_filing"))).header("webhook-sandbox")).isNull();
        }
    }

    private static Receiver.Received nextOfCase(Receiver receiver, String caseId) {
        Receiver.Received received = receiver.next();
        while (!caseId.equals(received.envelope().getJsonObject("data").getString("caseID"))) {
            received = receiver.next();
        }
        return received;
    }

    @Test
    void onlyKindsThatWereAskedForAreSent() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver closing = new Receiver(); Receiver docketing = new Receiver()) {
            hooked.register(closing.url(), "case_closed", "phase_changed");
            hooked.register(docketing.url());
            hooked.docket();
            Hooked.ok(platform.post("/cases/cases/phases/advance", new JsonObject().put("caseID", hooked.caseId()).put("phaseID", "caseFiling"), hooked.manager().token()));
            Hooked.ok(platform.post("/cases/cases/close", new JsonObject().put("caseID", hooked.caseId()).put("reason", "settled"), hooked.manager().token()));
            assertThat(List.of(closing.next().envelope().getString("event"), closing.next().envelope().getString("event")))
                    .containsExactlyInAnyOrder("phase_changed", "case_closed");
            assertThat(docketing.next().envelope().getString("event")).isEqualTo("docket_filing");
            assertThat(docketing.all()).hasSize(1);
        }
    }

    @Test
    void everyOrganizationInTheCaseIsToldOfAFilingThatIsNotDocketedButNotWhatItSays() {
        Hooked hooked = Hooked.on(platform);
        Hooked other = Hooked.on(platform);
        Hooked.ok(platform.post("/cases/cases/participants/add", new JsonObject().put("caseID", hooked.caseId())
                .put("userID", other.administrator().id()).put("partyID", "respondent"), hooked.manager().token()));
        try (Receiver opposing = new Receiver(); Receiver docketing = new Receiver()) {
            other.register(opposing.url(), "filing_submitted", "filing_rejected");
            other.register(docketing.url());
            JsonObject filing = new JsonObject().put("caseID", hooked.caseId()).put("documentID", "letterToTribunal")
                    .put("fields", new JsonObject().put("subject", "Availability").put("body", "We are available in May."));
            String filingId = Hooked.ok(platform.post("/api/filings/create", filing, hooked.administrator().token())).object().getString("filingID");
            JsonObject reference = new JsonObject().put("caseID", hooked.caseId()).put("filingID", filingId);
            Hooked.ok(platform.post("/api/filings/documents/submit", reference, hooked.administrator().token()));
            assertToldAlone(opposing.next(), "filing_submitted", reference);
            // What the event names it may not see.
            assertThat(platform.post("/api/filings/view", reference, other.administrator().token()).sentence()).isEqualTo("document not found");
            Hooked.ok(platform.post("/api/filings/documents/reject", reference.copy().put("reason", "Name the dates."), hooked.manager().token()));
            assertToldAlone(opposing.next(), "filing_rejected", reference);
            Hooked.ok(platform.post("/api/filings/update", filing.copy().put("filingID", filingId)
                    .put("fields", new JsonObject().put("subject", "Availability").put("body", "We are available on 4 May.")), hooked.administrator().token()));
            Hooked.ok(platform.post("/api/filings/documents/submit", reference, hooked.administrator().token()));
            Hooked.ok(platform.post("/api/filings/documents/approve", reference, hooked.manager().token()));
            assertThat(docketing.next().envelope().getJsonObject("data").getString("filingID")).isEqualTo(filingId);
            List<String> both = List.of("filing_submitted", "filing_rejected", "filing_submitted", "docket_filing");
            for (Hooked side : List.of(hooked, other)) {
                assertThat(kinds(side).stream().filter(both::contains)).containsExactlyElementsOf(both);
            }
            assertThat(docketing.all()).hasSize(1);
        }
    }

    private static void assertToldAlone(Receiver.Received received, String kind, JsonObject data) {
        assertThat(received.envelope().getString("event")).isEqualTo(kind);
        assertThat(received.envelope().getJsonObject("data")).isEqualTo(data);
    }

    private static List<String> kinds(Hooked hooked) {
        return Hooked.ok(hooked.post("/events/list", new JsonObject())).object().getJsonArray("events").stream()
                .map(one -> ((JsonObject) one).getString("event")).toList();
    }

    @Test
    void anOrganizationWithoutAPartInTheCaseIsNotTold() {
        Hooked hooked = Hooked.on(platform);
        Hooked other = Hooked.on(platform);
        try (Receiver own = new Receiver(); Receiver foreign = new Receiver()) {
            hooked.register(own.url());
            other.register(foreign.url());
            List<String> ids = hooked.log(20);
            for (int i = 0; i < ids.size(); i++) {
                own.next();
            }
            assertThat(foreign.all()).isEmpty();
            assertThat(other.deliveries(new JsonObject())).isEmpty();
            assertThat(other.deliveries(new JsonObject().put("eventID", ids.getFirst()))).isEmpty();
        }
    }

    @Test
    void aFailureIsTriedAgainWithTheSameIdAndTheSameBytes() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver()) {
            receiver.answering((exchange, received) -> exchange.sendResponseHeaders(receiver.all().size() == 1 ? 500 : 204, -1));
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            Receiver.Received first = receiver.next();
            JsonObject waiting = hooked.delivery(id, receiver.url(), one -> is(one, "pending", 1) && one.getString("nextAttemptAt") != null);
            Instant next = Instant.parse(waiting.getString("nextAttemptAt"));
            assertThat(Duration.between(first.at(), next)).isBetween(Duration.ofMillis(3900), Duration.ofSeconds(20));
            // Not hurried: the first pause is the real one.
            Receiver.Received second = receiver.next();
            assertThat(Duration.between(first.at(), second.at())).isBetween(Duration.ofMillis(3900), Duration.ofSeconds(60));
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.header("webhook-id")).isEqualTo(first.header("webhook-id")).isEqualTo(id);
            hooked.delivery(id, receiver.url(), one -> is(one, "delivered", 2));
        }
    }

    @Test
    void theTenthFailureIsTheLast() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver().answering(503)) {
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            for (int attempt = 1; attempt <= 9; attempt++) {
                receiver.next();
                int made = attempt;
                // The second comes by itself after some seconds, which a busy machine may need to look at the first.
                hooked.delivery(id, receiver.url(), one -> one.getJsonArray("attempts").size() >= made
                        && (one.getString("nextAttemptAt") != null || is(one, "failed", 10)));
                hurry(receiver.url());
            }
            receiver.next();
            assertThat(hooked.delivery(id, receiver.url(), one -> is(one, "failed", 10)).getValue("nextAttemptAt")).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"429,false", "429,true", "503,false", "503,true"})
    void retryAfterIsHonouredInBothForms(int status, boolean asDate) {
        Hooked hooked = Hooked.on(platform);
        Instant asked = Instant.now().plusSeconds(1800);
        String header = asDate ? DateTimeFormatter.RFC_1123_DATE_TIME.format(asked.atOffset(ZoneOffset.UTC)) : "1800";
        try (Receiver receiver = new Receiver().answering(status, "Retry-After", header)) {
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            JsonObject waiting = hooked.delivery(id, receiver.url(), one -> is(one, "pending", 1) && one.getString("nextAttemptAt") != null);
            assertThat(Instant.parse(waiting.getString("nextAttemptAt"))).isBetween(asked.minusSeconds(5), asked.plusSeconds(30));
        }
    }

    @Test
    void aReceiverThatIsGoneIsDisabledAndGetsWhatItMissedOnceItIsEnabled() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver().answering(410)) {
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            hooked.delivery(id, receiver.url(), one -> is(one, "failed", 1));
            JsonObject view = Hooked.await(() -> {
                JsonObject now = hooked.post("/urls/view", url(receiver.url())).object();
                return now.getBoolean("enabled") ? null : now;
            }, () -> "still enabled");
            assertThat(view.getString("disabledReason")).isEqualTo("It answered 410 Gone.");
            assertThat(platform.rows("select reason from webhooks.notices where url = ?", receiver.url()))
                    .containsExactly(List.of("It answered 410 Gone."));
            String missed = hooked.log(1).getFirst();
            Hooked.await(() -> Hooked.ok(hooked.post("/events/list", new JsonObject())).object().getJsonArray("events").stream()
                    .anyMatch(event -> ((JsonObject) event).getString("id").equals(missed)) ? true : null, () -> "feed");
            assertThat(receiver.all()).hasSize(1);
            // Enabled again, it gets what it missed, and what it refused.
            receiver.answering(200);
            Hooked.ok(hooked.post("/urls/enable", url(receiver.url())));
            assertThat(Hooked.ok(hooked.post("/deliveries/redeliver", url(receiver.url()).put("since", "2026-01-01T00:00:00.000Z"))).object())
                    .isEqualTo(new JsonObject().put("redelivered", 2));
            assertThat(receiver.next().header("webhook-id")).isEqualTo(id);
            receiver.next();
            receiver.next();
        }
    }

    @Test
    void aUrlThatHasOnlyFailedForFiveDaysIsDisabledAndWhatWaitsIsCancelled() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = unwilling()) {
            hooked.register(receiver.url());
            List<String> ids = hooked.log(2);
            ids.forEach(id -> hooked.delivery(id, receiver.url(), one -> is(one, "pending", 1)));
            platform.rows("update webhooks.urls set failing_since = now() - interval '5 days' where url = ? returning 1", receiver.url());
            platform.rows("update webhooks.queue q set due = now() from webhooks.deliveries d where d.delivery_id = q.delivery_id and d.event_id = ?::uuid returning 1", ids.getFirst());
            Hooked.await(() -> hooked.post("/urls/view", url(receiver.url())).object().getBoolean("enabled") ? null : true, () -> "still enabled");
            hooked.delivery(ids.getLast(), receiver.url(), one -> is(one, "cancelled", 1));
            assertThat(hooked.post("/urls/view", url(receiver.url())).object().getString("disabledReason")).isEqualTo("Every attempt failed for 5 days.");
            assertThat(hooked.deliveries(new JsonObject().put("state", "cancelled").put("url", receiver.url()))).isNotEmpty();
        }
    }

    @Test
    void oneSuccessEndsTheCountOfDaysThatFailed() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = unwilling()) {
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            hooked.delivery(id, receiver.url(), one -> is(one, "pending", 1));
            assertThat(platform.rows("select failing_since is not null from webhooks.urls where url = ?", receiver.url()).getFirst()).containsExactly("t");
            receiver.answering(200);
            hurry(receiver.url());
            hooked.delivery(id, receiver.url(), one -> is(one, "delivered", 2));
            assertThat(platform.rows("select failing_since is null from webhooks.urls where url = ?", receiver.url()).getFirst()).containsExactly("t");
        }
    }

    @Test
    void redirectsToTheMetadataAddressAreFailuresAndNotFollowed() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver().answering(301, "Location", "http://169.254.169.254/latest/meta-data/")) {
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            JsonObject attempt = hooked.delivery(id, receiver.url(), DeliveryIT::hasFailed).getJsonArray("attempts").getJsonObject(0);
            assertThat(attempt.getInteger("status")).isEqualTo(301);
        }
    }

    @Test
    void anAnswerOfAGigabyteIsASuccessOfWhichFourKilobytesAreKept() {
        Hooked hooked = Hooked.on(platform);
        long[] written = {0};
        try (Receiver receiver = new Receiver().answering((exchange, received) -> {
            exchange.sendResponseHeaders(200, 1L << 30);
            byte[] block = "x".repeat(65_536).getBytes();
            for (long sent = 0; sent < 1L << 30; sent += block.length) {
                exchange.getResponseBody().write(block);
                written[0] = sent;
            }
        })) {
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            JsonObject attempt = hooked.delivery(id, receiver.url(), one -> is(one, "delivered", 1)).getJsonArray("attempts").getJsonObject(0);
            assertThat(attempt.getString("response")).hasSize(4096);
            assertThat(written[0]).isLessThan(64L << 20);
        }
    }

    @Test
    void aRefusedConnectionIsToldAndTriedAgain() throws IOException {
        Hooked hooked = Hooked.on(platform);
        int port = FreePort.any();
        String url = "http://127.0.0.1:" + port + "/hook";
        hooked.register(url);
        String id = hooked.log(1).getFirst();
        JsonObject attempt = hooked.delivery(id, url, DeliveryIT::hasFailed).getJsonArray("attempts").getJsonObject(0);
        assertThat(attempt.getString("error")).isEqualTo("the connection was refused");
        assertThat(attempt.containsKey("status")).isFalse();
        try (Receiver back = new Receiver(port)) {
            hurry(url);
            assertThat(back.next().header("webhook-id")).isEqualTo(id);
        }
    }

    @Test
    void afterARotationBothSecretsSignForADayAndThenTheNewOneAlone() throws Exception {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = unwilling()) {
            String first = hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            assertThat(receiver.next().header("webhook-signature").split(" ")).hasSize(1);
            hooked.delivery(id, receiver.url(), one -> is(one, "pending", 1));
            String second = Hooked.ok(hooked.post("/urls/rotate-secret", url(receiver.url()))).object().getString("secret");
            assertThat(second).isNotEqualTo(first);
            receiver.answering(200);
            // The delivery that was waiting is signed with what holds when it is sent.
            hurry(receiver.url());
            Receiver.Received both = receiver.next();
            assertThat(both.header("webhook-signature").split(" ")).hasSize(2);
            new Webhook(first).verify(both.body(), Signatures.headers(both));
            new Webhook(second).verify(both.body(), Signatures.headers(both));
            String third = Hooked.ok(hooked.post("/urls/rotate-secret", url(receiver.url()))).object().getString("secret");
            hooked.log(1);
            assertThat(receiver.next().header("webhook-signature").split(" ")).hasSize(3);
            platform.rows("update webhooks.urls set previous_until = array_fill(now(), array[cardinality(previous_until)]) where url = ? returning 1", receiver.url());
            hooked.log(1);
            Receiver.Received alone = receiver.next();
            assertThat(alone.header("webhook-signature").split(" ")).hasSize(1);
            new Webhook(third).verify(alone.body(), Signatures.headers(alone));
        }
    }

    @Test
    void aUrlDeletedWithDeliveriesWaitingGetsNoneOfThem() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = unwilling()) {
            hooked.register(receiver.url());
            List<String> ids = hooked.log(3);
            ids.forEach(id -> hooked.delivery(id, receiver.url(), one -> is(one, "pending", 1)));
            Hooked.ok(hooked.post("/urls/delete", url(receiver.url())));
            ids.forEach(id -> hooked.delivery(id, receiver.url(), one -> is(one, "cancelled", 1)));
            assertThat(platform.rows("select count(*) from webhooks.queue q join webhooks.urls u using (url_id) where u.url = ?", receiver.url()).getFirst())
                    .containsExactly("0");
            Answer redelivery = hooked.post("/deliveries/redeliver", new JsonObject().put("deliveryID",
                    hooked.deliveries(url(receiver.url())).getFirst().getString("deliveryID")));
            assertThat(redelivery.status()).isEqualTo(409);
            assertThat(redelivery.sentence()).isEqualTo("webhook URL is deleted or disabled");
        }
    }

    @Test
    void aUrlDeletedWhileADeliveryIsOnItsWayKeepsWhatCameOfIt() {
        Hooked hooked = Hooked.on(platform);
        CountDownLatch deleted = new CountDownLatch(1);
        try (Receiver receiver = new Receiver().answering((exchange, received) -> {
            awaitQuietly(deleted);
            exchange.sendResponseHeaders(received.path().endsWith("good") ? 200 : 500, -1);
        })) {
            hooked.register(receiver.url() + "good");
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            receiver.next();
            receiver.next();
            Hooked.ok(hooked.post("/urls/delete", url(receiver.url() + "good")));
            Hooked.ok(hooked.post("/urls/delete", url(receiver.url())));
            deleted.countDown();
            hooked.delivery(id, receiver.url() + "good", one -> is(one, "delivered", 1));
            hooked.delivery(id, receiver.url(), one -> is(one, "cancelled", 1));
        }
    }

    /** The database's clock decides on leases; a step ahead ends all of them at once. */
    @Test
    void whenTheDatabasesClockIsSteppedAheadWhatWasOnItsWayIsSentAgainAndTheFirstSenderChangesNothing() {
        Hooked hooked = Hooked.on(platform);
        CountDownLatch second = new CountDownLatch(1);
        try (Receiver receiver = new Receiver()) {
            answering(receiver, place -> place == 0, second, place -> place == 0 ? 410 : 200);
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            Receiver.Received first = receiver.next();
            Hooked.await(() -> platform.rows("""
                    update webhooks.queue q set due = now() - interval '1 second' from webhooks.urls u
                    where u.url_id = q.url_id and u.url = ? and q.claim is not null returning 1
                    """, receiver.url()).isEmpty() ? null : true, () -> "nothing is claimed");
            Receiver.Received taken = receiver.next();
            assertThat(taken.header("webhook-id")).isEqualTo(first.header("webhook-id")).isEqualTo(id);
            assertThat(taken.body()).isEqualTo(first.body());
            hooked.awaitDeliveries(receiver.url(), List.of("delivered", "1"));
            // The first sender gets an answer that would disable the URL, and its claim is no longer good for that.
            second.countDown();
            hooked.log(1);
            receiver.next();
            hooked.awaitDeliveries(receiver.url(), List.of("delivered", "1"), List.of("delivered", "1"));
            assertThat(hooked.post("/urls/view", url(receiver.url())).object().getBoolean("enabled")).isTrue();
        }
    }

    @Test
    void aUrlDisabledWhileADeliveryIsOnItsWayKeepsWhatCameOfIt() {
        Hooked hooked = Hooked.on(platform);
        CountDownLatch disabled = new CountDownLatch(1);
        try (Receiver receiver = new Receiver()) {
            // Of three on their way the first to arrive says that the URL is gone, before the others are answered.
            answering(receiver, place -> place > 0, disabled, place -> place == 0 ? 410 : place == 1 ? 200 : 500);
            hooked.register(receiver.url());
            hooked.log(3);
            receiver.next();
            receiver.next();
            receiver.next();
            Hooked.await(() -> hooked.post("/urls/view", url(receiver.url())).object().getBoolean("enabled") ? null : true, () -> "still enabled");
            disabled.countDown();
            Hooked.await(() -> hooked.outcomes(receiver.url()).stream().map(row -> String.join(" ", row)).sorted().toList()
                    .equals(List.of("cancelled 1", "delivered 1", "failed 1")) ? true : null, () -> hooked.outcomes(receiver.url()).toString());
            assertThat(platform.rows("select 1 from webhooks.queue q join webhooks.urls u using (url_id) where u.url = ?", receiver.url())).isEmpty();
        }
    }

    @Test
    void aSecretRotatedWhileADeliveryIsOnItsWayLeavesThatOneGoodAndSignsTheNextAttemptWithBoth() throws Exception {
        Hooked hooked = Hooked.on(platform);
        CountDownLatch rotated = new CountDownLatch(1);
        try (Receiver receiver = new Receiver().answering((exchange, received) -> {
            awaitQuietly(rotated);
            exchange.sendResponseHeaders(503, -1);
        })) {
            String before = hooked.register(receiver.url());
            hooked.log(1);
            Receiver.Received onItsWay = receiver.next();
            String after = Hooked.ok(hooked.post("/urls/rotate-secret", url(receiver.url()))).object().getString("secret");
            rotated.countDown();
            new Webhook(before).verify(onItsWay.body(), Signatures.headers(onItsWay));
            assertThat(onItsWay.header("webhook-signature").split(" ")).hasSize(1);
            receiver.answering(200);
            Receiver.Received again = receiver.next();
            assertThat(again.body()).isEqualTo(onItsWay.body());
            new Webhook(before).verify(again.body(), Signatures.headers(again));
            new Webhook(after).verify(again.body(), Signatures.headers(again));
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aDeliveryIsBroughtBackWhateverBecameOfIt() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver()) {
            hooked.register(receiver.url());
            String id = hooked.log(1).getFirst();
            Receiver.Received first = receiver.next();
            JsonObject delivery = hooked.delivery(id, receiver.url(), one -> is(one, "delivered", 1));
            JsonObject body = new JsonObject().put("deliveryID", delivery.getString("deliveryID"));
            assertThat(Hooked.ok(hooked.post("/deliveries/redeliver", body)).object()).isEqualTo(new JsonObject().put("redelivered", 1));
            assertThat(receiver.next().body()).isEqualTo(first.body());
            hooked.delivery(id, receiver.url(), one -> is(one, "delivered", 2));
            for (JsonObject unknown : List.of(new JsonObject().put("deliveryID", "999999999"), new JsonObject().put("deliveryID", "x"))) {
                assertThat(hooked.post("/deliveries/redeliver", unknown).sentence()).isEqualTo("delivery not found");
            }
            assertThat(Hooked.on(platform).post("/deliveries/redeliver", body).status()).isEqualTo(404);
            assertThat(hooked.post("/deliveries/redeliver", new JsonObject()).sentence()).isEqualTo("body: give either deliveryID, or url and since");
            assertThat(hooked.post("/deliveries/redeliver", url(receiver.url())).status()).isEqualTo(400);
            assertThat(hooked.post("/deliveries/redeliver", url(receiver.url()).put("since", "yesterday")).sentence())
                    .isEqualTo("since: must be a time like 2026-11-21T09:30:00.000Z");
        }
    }

    @Test
    void liveDeliveriesOvertakeThoseBroughtBack() {
        Hooked hooked = Hooked.on(platform);
        Hooked.await(() -> kinds(hooked).isEmpty() ? null : true, () -> "feed");
        List<String> missed = hooked.log(300);
        // All of them, not the first batch of the consumer: what is not in the feed yet is not brought back.
        JsonObject all = new JsonObject().put("event", "docket_filing").put("limit", 1000);
        Hooked.await(() -> Hooked.ok(hooked.post("/events/list", all)).object().getJsonArray("events").size() == missed.size() ? true : null, () -> "feed");
        CountDownLatch bothWait = new CountDownLatch(1);
        try (Receiver receiver = new Receiver().answering((exchange, received) -> {
            awaitQuietly(bothWait);
            exchange.sendResponseHeaders(200, -1);
        })) {
            hooked.register(receiver.url());
            Instant start = Instant.now();
            assertThat(Hooked.ok(hooked.post("/deliveries/redeliver", url(receiver.url()).put("since", "2026-01-01T00:00:00.000Z"))).object())
                    .isEqualTo(new JsonObject().put("redelivered", 300));
            String live = hooked.log(1).getFirst();
            hooked.delivery(live, receiver.url(), one -> true);
            bothWait.countDown();
            List<String> arrived = new ArrayList<>();
            while (!arrived.contains(live)) {
                arrived.add(receiver.next().header("webhook-id"));
            }
            // It does not wait for the three hundred, which take six seconds.
            assertThat(arrived.size()).isLessThan(150);
            while (arrived.size() < 301) {
                arrived.add(receiver.next().header("webhook-id"));
            }
            arrived.remove(live);
            assertThat(arrived).containsExactlyInAnyOrderElementsOf(missed);
            assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofMillis(5900));
        }
    }

    @Test
    void theFeedHasEveryEventOnceInOrderWithoutAGap() {
        Hooked hooked = Hooked.on(platform);
        List<String> ids = hooked.log(250);
        int joined = platform.rows("select from platform.events where event = 'participant_added' and case_id = ?::uuid", hooked.caseId()).size();
        Hooked.await(() -> Hooked.ok(hooked.post("/events/list", new JsonObject().put("afterSequence", 250 + joined))).object().getJsonArray("events").isEmpty() ? null : true, () -> "feed");
        List<JsonObject> read = new ArrayList<>();
        long after = 0;
        while (true) {
            JsonObject page = Hooked.ok(hooked.post("/events/list", new JsonObject().put("afterSequence", after).put("limit", 40))).object();
            page.getJsonArray("events").forEach(one -> read.add((JsonObject) one));
            if (page.getJsonArray("events").isEmpty()) {
                assertThat(page.getLong("nextSequence")).isEqualTo(after);
                break;
            }
            after = page.getLong("nextSequence");
        }
        assertThat(read.stream().map(one -> one.getLong("sequence"))).containsExactlyElementsOf(IntStream.rangeClosed(1, 251 + joined).mapToObj(i -> (long) i).toList());
        assertThat(read.getFirst().getString("event")).isEqualTo("case_created");
        assertThat(read.stream().skip(1 + joined).map(one -> one.getString("id"))).containsExactlyElementsOf(ids);
        assertThat(read.getLast().fieldNames()).containsExactlyInAnyOrder("sequence", "id", "timestamp", "event", "data");
        JsonArray filtered = Hooked.ok(hooked.post("/events/list", new JsonObject().put("event", "case_created"))).object().getJsonArray("events");
        assertThat(filtered).hasSize(1);

        List<JsonObject> back = new ArrayList<>();
        long before = Long.MAX_VALUE >> 10;
        while (before > 1) {
            JsonObject page = Hooked.ok(hooked.post("/events/list", new JsonObject().put("beforeSequence", before).put("limit", 90))).object();
            page.getJsonArray("events").forEach(one -> back.add((JsonObject) one));
            before = page.getLong("nextSequence");
        }
        assertThat(back.reversed()).isEqualTo(read);
        assertThat(Hooked.ok(hooked.post("/events/list", new JsonObject().put("beforeSequence", 2).put("event", "docket_filing"))).object())
                .isEqualTo(new JsonObject().put("events", new JsonArray()).put("nextSequence", 2));
        assertThat(hooked.post("/events/list", new JsonObject().put("beforeSequence", 2).put("afterSequence", 1)).sentence())
                .isEqualTo("body: give either afterSequence or beforeSequence");
    }

    @Test
    void deliveriesAreListedNewestFirstInPages() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver()) {
            hooked.register(receiver.url());
            List<String> ids = new ArrayList<>(hooked.log(7));
            ids.forEach(id -> hooked.delivery(id, receiver.url(), one -> is(one, "delivered", 1)));
            List<String> listed = new ArrayList<>();
            String cursor = null;
            List<JsonObject> page;
            do {
                JsonObject filter = new JsonObject().put("limit", 3);
                page = hooked.deliveries(cursor == null ? filter : filter.put("cursor", cursor));
                page.forEach(one -> listed.add(one.getString("eventID")));
                cursor = page.getLast().getString("deliveryID");
            } while (page.size() == 3);
            assertThat(listed).containsExactlyElementsOf(ids.reversed());
            assertThat(hooked.post("/deliveries/list", new JsonObject().put("cursor", "x1")).status()).isEqualTo(400);
            assertThat(hooked.deliveries(new JsonObject().put("eventID", "nothing"))).isEmpty();
            assertThat(hooked.deliveries(new JsonObject().put("state", "failed"))).isEmpty();
        }
    }

    /** What receivers answer is kept, 4 KB of each attempt, which are 24 KB in JSON: twenty attempts of each delivery would be 10 MB. */
    @Test
    void aPageOfDeliveriesIsBoundedInBytesAndTheNextOneGoesOnWhereItEnded() {
        Hooked hooked = Hooked.on(platform);
        String url = "http://127.0.0.1:4999/" + UUID.randomUUID();
        hooked.register(url);
        platform.rows("""
                with made as (
                  insert into webhooks.deliveries (url_id, organization_id, event_id, event, state, created)
                  select url_id, organization_id, gen_random_uuid(), 'test', 'failed', now() from webhooks.urls, generate_series(1, 20) where url = ?
                  returning delivery_id),
                tried as (
                  insert into webhooks.attempts (delivery_id, at, status, duration_millis, response)
                  select delivery_id, now(), 500, 1, repeat(chr(1), 4096) from made, generate_series(1, 25) returning 1)
                select count(*) from tried
                """, url);
        List<String> seen = new ArrayList<>();
        JsonObject filter = url(url).put("limit", 200);
        while (true) {
            Answer answer = Hooked.ok(hooked.post("/deliveries/list", filter));
            assertThat(answer.body().length()).isLessThan(1_300_000);
            JsonArray page = answer.object().getJsonArray("deliveries");
            assertThat(page).isNotEmpty();
            page.forEach(one -> {
                seen.add(((JsonObject) one).getString("deliveryID"));
                assertThat(((JsonObject) one).getJsonArray("attempts")).hasSize(20);
            });
            if (answer.object().getString("nextCursor") == null) {
                break;
            }
            filter.put("cursor", answer.object().getString("nextCursor"));
        }
        assertThat(seen).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void anOrganizationThatAPersonHasLeftIsToldNothingMoreThroughThem() {
        Hooked hooked = Hooked.on(platform);
        Hooked witness = Hooked.on(platform);
        platform.rows("update cases.participants set organization_id = ?::uuid where case_id = ?::uuid and user_id = ?::uuid returning 1",
                witness.organizationId(), hooked.caseId(), hooked.manager().id());
        platform.rows("with gone as (delete from identity.members where user_id = ?::uuid returning 1) select count(*) from gone", hooked.manager().id());
        try (Receiver receiver = new Receiver()) {
            hooked.register(receiver.url());
            hooked.docket();
            receiver.next();
            assertThat(Hooked.ok(witness.post("/events/list", new JsonObject().put("event", "docket_filing"))).object().getJsonArray("events")).isEmpty();
        }
    }

    @Test
    void aReceiverThatHangsDoesNotHoldUpTheOthers() {
        Hooked hooked = Hooked.on(platform);
        CountDownLatch end = new CountDownLatch(1);
        try (Receiver hanging = new Receiver().answering((exchange, received) -> awaitQuietly(end)); Receiver healthy = new Receiver()) {
            hooked.register(hanging.url());
            hooked.register(healthy.url());
            long start = System.nanoTime();
            hooked.log(200);
            for (int i = 0; i < 200; i++) {
                healthy.next();
            }
            // Those that were given up make room for as many others.
            long exchanges = 1 + Duration.ofNanos(System.nanoTime() - start).toSeconds() / EXCHANGE_SECONDS;
            assertThat(hanging.all().size()).isLessThanOrEqualTo((int) (16 * exchanges));
            end.countDown();
        }
    }

    @Test
    void urlsThatHangDoNotHoldUpAnotherOnTheSameHost(@TempDir Path folder) {
        CountDownLatch end = new CountDownLatch(1);
        // Exchanges last for so long that none of those that hang ends before the others are awaited no more.
        try (RunningPlatform patient = RunningPlatform.start(folder, Map.of("ACP_WEBHOOKS_EXCHANGE_SECONDS", "60", "ACP_AREAS_ENABLED", "auth,demo,cases,api,webhooks"));
                Receiver receiver = new Receiver().answering((exchange, received) -> {
                    if (received.path().startsWith("/hang")) {
                        awaitQuietly(end);
                    }
                    exchange.sendResponseHeaders(200, -1);
                })) {
            Hooked hooked = Hooked.on(patient);
            for (int i = 0; i < 9; i++) {
                hooked.register("http://127.0.0.1:%d/hang/%d".formatted(receiver.port(), i));
            }
            hooked.register(receiver.url());
            hooked.log(40);
            Await.until("the others are sent", Duration.ofSeconds(59),
                    () -> receiver.all().stream().filter(one -> one.path().equals("/hook")).count() >= 40);
            end.countDown();
        }
    }

    @Test
    void whenTheListeningConnectionIsCutEventsStillArriveAndItIsMadeAgain() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver()) {
            hooked.register(receiver.url());
            // Another test may have cut it just before.
            Await.until("it is cut", () -> !platform.rows("select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'").isEmpty());
            hooked.log(1);
            assertThat(receiver.next().header("webhook-id")).isNotNull();
            Hooked.await(() -> platform.rows("select 1 from pg_stat_activity where query ilike 'listen%'").isEmpty() ? null : true, () -> "nobody listens");
        }
    }

    @Test
    void connectionsToTheDatabaseThatBreakUnderLoadLoseNothing() {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver()) {
            hooked.register(receiver.url());
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                ids.addAll(hooked.log(20));
                platform.rows("select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()");
            }
            // What was sent and could not be recorded in time is sent again when its lease ends: at least once, never less.
            ids.forEach(id -> Hooked.await(() -> receiver.all().stream().anyMatch(one -> id.equals(one.header("webhook-id"))) ? true : null, () -> id));
        }
    }

    @Test
    void anEventThatCommitsLateIsNotSkippedByAReaderWhoIsPastItsNumber() throws Exception {
        Hooked hooked = Hooked.on(platform);
        try (Connection early = platform.sql(); Connection late = platform.sql()) {
            early.setAutoCommit(false);
            late.setAutoCommit(false);
            // The first transaction has the lower transaction number and will get the higher sequence.
            early.createStatement().execute("select pg_current_xact_id()");
            String lowSequence = append(late, hooked.caseId());
            String highSequence = append(early, hooked.caseId());
            early.commit();
            Hooked.await(() -> told(hooked).contains(highSequence) ? true : null, () -> told(hooked).toString());
            assertThat(told(hooked)).doesNotContain(lowSequence);
            late.commit();
            Hooked.await(() -> told(hooked).contains(lowSequence) ? true : null, () -> told(hooked).toString());
            assertThat(told(hooked)).endsWith(highSequence, lowSequence);
        }
    }

    private static String append(Connection connection, String caseId) throws SQLException {
        String id = UUID.randomUUID().toString();
        try (PreparedStatement statement = connection.prepareStatement("""
                insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                values (?::uuid, 'docket_filing', ?::uuid, now(), json_build_object('id', ?, 'event', 'docket_filing')::text)
                """)) {
            statement.setString(1, id);
            statement.setString(2, caseId);
            statement.setString(3, id);
            statement.executeUpdate();
        }
        return id;
    }

    private static List<String> told(Hooked hooked) {
        return Hooked.ok(hooked.post("/events/list", new JsonObject().put("limit", 1000))).object().getJsonArray("events").stream()
                .map(one -> ((JsonObject) one).getString("id")).toList();
    }
}
