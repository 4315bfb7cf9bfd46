package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.ExpiredHttps;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers with bad manners, names that change their mind and clocks that jump, on a platform whose exchanges end after 2 s. */
class FaultsIT {

    private static final Map<String, String> SHORT_EXCHANGE = Map.of("ACP_WEBHOOKS_EXCHANGE_SECONDS", "2");

    private static final Duration PAUSE = Duration.ofSeconds(12);

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
            // One for each attempt; on a slow machine the next attempt has begun.
            int connections = silent.connections();
            int attempts = hooked.deliveries(url(url)).getFirst().getJsonArray("attempts").size();
            assertThat(connections).isBetween(1, attempts + 1);
        }
    }

    @Test
    void aReceiverWithAnExpiredCertificateIsToldNothingAndTheAttemptSaysSo(@TempDir Path own) throws Exception {
        Hooked hooked = Hooked.on(platform);
        try (ExpiredHttps expired = ExpiredHttps.start(own)) {
            String url = "https://127.0.0.1:%d/hook".formatted(expired.port());
            hooked.register(url);
            // A machine that stands still lets the time of an exchange run out: then the next attempt is told at once.
            String id = hooked.log(1).getFirst();
            JsonObject delivery = hooked.delivery(id, url, one -> one.getJsonArray("attempts").stream().anyMatch(each -> !((JsonObject) each).getString("error", "").contains("did not end within")));
            assertThat(delivery.getString("state")).isEqualTo("pending");
            assertThat(delivery.getJsonArray("attempts")).anySatisfy(attempt -> assertThat(((JsonObject) attempt).getString("error")).containsIgnoringCase("TLS"));
            assertThat(expired.asked()).as("requests that reached it").isZero();
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
            // A machine that stands still lets the time of an exchange run out: then the next attempt is told at once.
            String id = hooked.log(1).getFirst();
            JsonObject delivery = hooked.delivery(id, url, one -> one.getJsonArray("attempts").stream().anyMatch(each -> !((JsonObject) each).getString("error", "").contains("did not end within")));
            assertThat(delivery.getJsonArray("attempts")).allSatisfy(attempt -> {
                assertThat(((JsonObject) attempt).containsKey("status")).isFalse();
                assertThat(((JsonObject) attempt).getString("error")).isNotBlank();
            });
            assertThat(delivery.getString("state")).isEqualTo("pending");
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
        try (Receiver receiver = new Receiver()) {
            receiver.answering((exchange, received) -> {
                // Long enough that the clock is stepped within the pause, also on a machine that stands still for seconds.
                exchange.getResponseHeaders().set("Retry-After", String.valueOf(PAUSE.toSeconds()));
                exchange.sendResponseHeaders(receiver.all().size() == 1 ? 503 : 200, -1);
            });
            hooked.register(receiver.url());
            hooked.log(1);
            Instant first = receiver.next().at();
            hooked.awaitDeliveries(receiver.url(), List.of("pending", "1"));
            CLOCK.ahead(Duration.ofMinutes(minutes));
            // What waits keeps its pause.
            Receiver.Received again = receiver.next();
            assertThat(Duration.between(first, again.at())).isBetween(PAUSE, Duration.ofSeconds(60));
            long timestamp = Long.parseLong(again.header("webhook-timestamp"));
            assertThat(Math.abs(timestamp - again.at().plus(Duration.ofMinutes(minutes)).getEpochSecond())).isLessThanOrEqualTo(20);
            // And what comes is delivered at once.
            Instant logged = Instant.now();
            hooked.log(1);
            assertThat(Duration.between(logged, receiver.next().at())).isLessThan(Duration.ofSeconds(20));
            hooked.awaitDeliveries(receiver.url(), List.of("delivered", "2"), List.of("delivered", "1"));
        } finally {
            CLOCK.ahead(Duration.ZERO);
        }
    }
}
