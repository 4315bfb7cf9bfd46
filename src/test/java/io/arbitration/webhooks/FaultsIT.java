package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import io.arbitration.Await;
import io.arbitration.MovableClock;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers with bad manners, names that change their mind and clocks that jump, on a platform whose exchanges end after 2 s. */
class FaultsIT {

    private static final Map<String, String> SHORT_EXCHANGE = Map.of("ACP_WEBHOOKS_EXCHANGE_SECONDS", "2");

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;
    private static final MovableClock CLOCK = new MovableClock();

    @BeforeAll
    static void open() {
        platform = RunningPlatform.start(folder, SHORT_EXCHANGE, CLOCK);
    }

    @AfterAll
    static void close() {
        platform.close();
    }

    private static JsonObject url(String url) {
        return new JsonObject().put("url", url);
    }

    /** The first attempt of an event that was logged now. */
    private static JsonObject firstAttempt(Hooked hooked, String url) {
        String id = hooked.log(1).getFirst();
        return hooked.delivery(id, url, one -> !one.getJsonArray("attempts").isEmpty()).getJsonArray("attempts").getJsonObject(0);
    }

    /** What the database holds of the deliveries to a URL, for when the clock makes tokens unfit. */
    private static List<List<String>> deliveries(String url) {
        return platform.rows("""
                select d.state, (select count(*) from webhooks.attempts a where a.delivery_id = d.delivery_id)
                from webhooks.deliveries d join webhooks.urls u using (url_id) where u.url = ? order by d.delivery_id
                """, url);
    }

    @SafeVarargs
    private static void awaitDeliveries(String url, List<String>... expected) {
        Hooked.await(() -> deliveries(url).equals(List.of(expected)) ? true : null, () -> deliveries(url).toString());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void readRequest(Socket socket) throws IOException {
        // Head and body come in a few packets; what matters is that the platform waits for an answer.
        socket.getInputStream().read(new byte[65_536]);
    }

    @Test
    void aTlsHandshakeThatHangsIsAFailure() throws Exception {
        Hooked hooked = Hooked.on(platform);
        try (SocketServer silent = new SocketServer(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()))) {
            String url = "https://127.0.0.1:%d/hook".formatted(silent.port());
            hooked.register(url);
            JsonObject attempt = firstAttempt(hooked, url);
            assertThat(attempt.containsKey("status")).isFalse();
            assertThat(attempt.getString("error")).isEqualTo("the exchange did not end within 2000 ms");
            assertThat(attempt.getInteger("durationMillis")).isBetween(1900, 30_000);
            assertThat(silent.connections()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerThatDripsEndsWithTheTimeOfTheExchange() throws Exception {
        Hooked hooked = Hooked.on(platform);
        try (SocketServer dripping = new SocketServer(socket -> {
            readRequest(socket);
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            while (true) {
                socket.getOutputStream().write('x');
                Await.elapsed(Duration.ofMillis(50));
            }
        })) {
            String url = "http://127.0.0.1:%d/hook".formatted(dripping.port());
            hooked.register(url);
            JsonObject attempt = firstAttempt(hooked, url);
            assertThat(attempt.getString("error")).isEqualTo("the exchange did not end within 2000 ms");
            assertThat(attempt.getInteger("durationMillis")).isBetween(1900, 30_000);
        }
    }

    @Test
    void aConnectionResetInTheMiddleOfTheAnswerIsAFailure() throws Exception {
        Hooked hooked = Hooked.on(platform);
        try (SocketServer resetting = new SocketServer(socket -> {
            readRequest(socket);
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf of".getBytes(StandardCharsets.US_ASCII));
            socket.setSoLinger(true, 0);
        })) {
            String url = "http://127.0.0.1:%d/hook".formatted(resetting.port());
            hooked.register(url);
            JsonObject attempt = firstAttempt(hooked, url);
            assertThat(attempt.containsKey("status")).isFalse();
            assertThat(attempt.getString("error")).isNotBlank();
            assertThat(attempt.getString("error")).as("told at once, not when the time is over").doesNotContain("did not end within");
            awaitDeliveries(url, List.of("pending", "1"));
        }
    }

    @Test
    void aNameThatLeadsToAPublicAddressFirstAndToLoopbackNextIsNotCalled(@TempDir Path own) throws Exception {
        // The same port on loopback: whatever arrives there came by the name.
        try (SocketServer inside = new SocketServer(socket -> {
            throw new SocketException("called");
        }); NameServer names = new NameServer("93.184.216.34", "127.0.0.1");
                RunningPlatform strict = RunningPlatform.start(own, Map.of("ACP_OUTBOUND_ALLOWED_PRIVATE", "127.0.0.9/32",
                        "ACP_OUTBOUND_NAME_SERVERS", names.address()))) {
            Hooked hooked = Hooked.on(strict);
            String url = "https://rebinding.example:%d/hook".formatted(inside.port());
            // When it is registered the name leads to a public address, and so it may be.
            hooked.register(url);
            JsonObject attempt = firstAttempt(hooked, url);
            assertThat(attempt.getString("error")).isEqualTo("the host leads to a loopback address, which is not called");
            assertThat(inside.connections()).isZero();
            Hooked other = Hooked.on(strict);
            assertThat(other.post("/urls/create", url(url)).sentence()).isEqualTo("url: the host leads to a loopback address, which is not called");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, -10})
    void aClockThatIsSteppedNeitherHurriesNorHoldsUpADelivery(int minutes) {
        Hooked hooked = Hooked.on(platform);
        try (Receiver receiver = new Receiver().answering(500)) {
            hooked.register(receiver.url());
            hooked.log(1);
            Instant first = receiver.next().at();
            awaitDeliveries(receiver.url(), List.of("pending", "1"));
            CLOCK.ahead(Duration.ofMinutes(minutes));
            // What waits keeps its pause of 5 s ± 20 %.
            receiver.answering(200);
            Receiver.Received again = receiver.next();
            assertThat(Duration.between(first, again.at())).isBetween(Duration.ofMillis(3900), Duration.ofSeconds(60));
            long timestamp = Long.parseLong(again.header("webhook-timestamp"));
            assertThat(Math.abs(timestamp - again.at().plus(Duration.ofMinutes(minutes)).getEpochSecond())).isLessThanOrEqualTo(20);
            // And what comes is delivered at once.
            Instant logged = Instant.now();
            hooked.log(1);
            assertThat(Duration.between(logged, receiver.next().at())).isLessThan(Duration.ofSeconds(20));
            awaitDeliveries(receiver.url(), List.of("delivered", "2"), List.of("delivered", "1"));
        } finally {
            CLOCK.ahead(Duration.ZERO);
        }
    }

    /** The database's clock decides on leases; a step ahead ends all of them at once. */
    @Test
    void whenTheDatabasesClockIsSteppedAheadWhatWasOnItsWayIsSentAgainAndTheFirstSenderChangesNothing() {
        Hooked hooked = Hooked.on(platform);
        CountDownLatch second = new CountDownLatch(1);
        try (Receiver receiver = new Receiver()) {
            receiver.answering((exchange, received) -> {
                boolean isFirst = second.getCount() == 1 && receiver.all().size() == 1;
                if (isFirst) {
                    awaitQuietly(second);
                }
                exchange.sendResponseHeaders(isFirst ? 410 : 200, -1);
            });
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
            awaitDeliveries(receiver.url(), List.of("delivered", "1"));
            // The first sender gets an answer that would disable the URL, and its claim is no longer good for that.
            second.countDown();
            hooked.log(1);
            receiver.next();
            awaitDeliveries(receiver.url(), List.of("delivered", "1"), List.of("delivered", "1"));
            assertThat(hooked.post("/urls/view", url(receiver.url())).object().getBoolean("enabled")).isTrue();
        }
    }

    @Test
    void aUrlDisabledWhileADeliveryIsOnItsWayKeepsWhatCameOfIt() {
        Hooked hooked = Hooked.on(platform);
        CountDownLatch disabled = new CountDownLatch(1);
        try (Receiver receiver = new Receiver()) {
            receiver.answering((exchange, received) -> {
                // Of three on their way the first to arrive says that the URL is gone, before the others are answered.
                int place = receiver.all().indexOf(received);
                if (place > 0) {
                    awaitQuietly(disabled);
                }
                exchange.sendResponseHeaders(place == 0 ? 410 : place == 1 ? 200 : 500, -1);
            });
            hooked.register(receiver.url());
            hooked.log(3);
            receiver.next();
            receiver.next();
            receiver.next();
            Hooked.await(() -> hooked.post("/urls/view", url(receiver.url())).object().getBoolean("enabled") ? null : true, () -> "still enabled");
            disabled.countDown();
            Hooked.await(() -> deliveries(receiver.url()).stream().map(row -> String.join(" ", row)).sorted().toList()
                    .equals(List.of("cancelled 1", "delivered 1", "failed 1")) ? true : null, () -> deliveries(receiver.url()).toString());
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
}
