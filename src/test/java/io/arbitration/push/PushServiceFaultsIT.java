package io.arbitration.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.ExpiredHttps;
import io.arbitration.FaultyLine;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A push service that cannot be reached, says nothing, answers what is not HTTP, or has an expired certificate: each message waits, and is sent when it is back. */
class PushServiceFaultsIT {

    private static final JsonObject NOTIFICATION = new JsonObject().put("title", "Docketed").put("body", "No. 3");

    @TempDir
    private static Path folder;
    private static PushServer service;
    private static FaultyLine line;
    private static ExpiredHttps expired;
    private static RunningPlatform platform;
    private static Pushed pushed;

    @BeforeAll
    static void start() throws Exception {
        expired = ExpiredHttps.start(folder);
        service = new PushServer();
        line = new FaultyLine(service.port(), FaultyLine.State.AWAY);
        service.behind(line.port());
        Map<String, String> settings = new HashMap<>(Pushed.settings(service));
        settings.merge("ACP_PUSH_ALLOWED_ENDPOINTS", "https://127.0.0.1:" + expired.port(), "%s,%s"::formatted);
        platform = RunningPlatform.start(Files.createDirectories(folder.resolve("data")), settings);
        pushed = Pushed.on(platform, service);
    }

    @AfterAll
    static void stop() {
        platform.close();
        line.close();
        service.close();
        expired.close();
    }

    private static String ask(Person person) {
        String key = "docket_filing:" + UUID.randomUUID();
        assertThat(platform.ask(Addresses.PUSH_SEND, new JsonObject().put("idempotencyKey", key).put("userID", person.id()).put("notification", NOTIFICATION))
                .getInteger("queued")).isEqualTo(1);
        Pushed.await(() -> delivery(key).getLast().equals("0") ? null : true, () -> "an attempt of " + delivery(key));
        return key;
    }

    /** State, status and attempts of the delivery of a message to the only browser of its user. */
    private static List<String> delivery(String key) {
        return platform.rows("""
                select state, coalesce(status::text, '-'), attempts from push.deliveries join push.messages using (message_id) where idempotency_key = ?
                """, key).getFirst();
    }

    /** Makes a delivery that waits for its next attempt due. One that is being attempted stays claimed. */
    private static void endPause(String key) {
        platform.rows("""
                update push.deliveries d set due = now() from push.messages m
                where m.message_id = d.message_id and idempotency_key = ? and claim is null and due > now() returning 1
                """, key);
    }

    @ParameterizedTest
    @EnumSource(value = FaultyLine.State.class, names = {"AWAY", "NONSENSE", "SILENT"})
    void aMessageWaitsUntilThePushServiceIsBack(FaultyLine.State state) throws IOException {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        pushed.subscribe(browser, person);
        line.become(state);
        String key = ask(person);
        assertThat(delivery(key)).as("nobody answered").startsWith("pending", "-");
        assertThat(platform.health().getString("status")).isEqualTo("UP");
        assertThat(service.all(browser)).isEmpty();
        line.become(FaultyLine.State.WORKS);
        Pushed.await(() -> {
            endPause(key);
            return delivery(key).getFirst().equals("pending") ? null : true;
        }, () -> delivery(key).toString());
        assertThat(delivery(key)).startsWith("sent", "201");
        // An attempt whose result is lost is repeated.
        assertThat(service.all(browser)).isNotEmpty().allSatisfy(taken -> assertThat(taken.message()).isEqualTo(NOTIFICATION));
    }

    @Test
    void aPushServiceWithAnExpiredCertificateIsToldNothing() {
        Person person = pushed.person();
        Pushed.ok(pushed.post("/web-push/subscribe", new JsonObject().put("vapidKey", pushed.activeKey()).put("subscription",
                pushed.browser().subscription().put("endpoint", "https://127.0.0.1:%d/push/%s".formatted(expired.port(), UUID.randomUUID()))), person.token()));
        String key = ask(person);
        assertThat(delivery(key)).startsWith("pending", "-");
        assertThat(platform.rows("select error from push.deliveries join push.messages using (message_id) where idempotency_key = ?", key).getFirst().getFirst())
                .containsIgnoringCase("TLS");
        assertThat(expired.asked()).as("requests that reached it").isZero();
    }
}
