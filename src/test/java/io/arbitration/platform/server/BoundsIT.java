package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A platform with small bounds on connections, time, bytes and rates. */
class BoundsIT {

    private static final String HEAD = "POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n";
    private static final String LARGE = HEAD.replace("sessions/refresh", "authenticate/demo");

    /** Fewer than there may be connections. */
    private static final int AT_ONCE = 6;

    @TempDir
    private static Path folder;

    private static RunningPlatform platform;

    @BeforeAll
    static void start() {
        platform = RunningPlatform.start(folder, Map.of("ACP_HTTP_CONNECTIONS_MAX", "12", "ACP_HTTP_IDLE_SECONDS", "5", "ACP_HTTP_HEAD_SECONDS", "1", "ACP_HTTP_BODY_SECONDS", "3",
                "ACP_HTTP_BODIES_BYTES_MAX", "100000", "ACP_RATE_LIMIT_ENABLED", "true", "ACP_RATE_LIMIT_PER_ADDRESS", "30",
                "ACP_RATE_LIMIT_PER_CALLER", "20",
                "ACP_HTTP_TRUSTED_PROXIES", "127.0.0.0/8,10.1.0.0/16"));
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    private static RawConnection connect() throws IOException {
        return new RawConnection(platform.platform().port());
    }

    /** The tests share one address: each starts with its whole rate. */
    private static void awaitRate() {
        Await.elapsed(Duration.ofMillis(1100));
    }

    @Test
    void aConnectionTooManyIsClosedAndTheOthersServe() {
        Await.despiteFailures("12 connections are open before and after one more is tried", Await.BOUND, BoundsIT::aConnectionTooManyIsTried);
    }

    /**
     * Opens as many connections as may be open, and one more. Each ends when it is idle for five seconds, which a busy machine may take to
     * open the others: then there was room for one more, and nothing is known.
     *
     * @return whether all of them were open until the one more was tried
     */
    private static boolean aConnectionTooManyIsTried() throws IOException {
        awaitRate();
        // Those of before, also the client's own, which the idle time ends.
        Await.until("no connection is open", () -> measured("acp_http_connections").equals("0.0"));
        List<RawConnection> open = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                open.add(connect());
                if (isRefused(open.getLast())) {
                    return false;
                }
            }
            boolean refused;
            try (RawConnection tooMany = connect()) {
                refused = isRefused(tooMany);
            }
            for (RawConnection connection : open) {
                if (isRefused(connection)) {
                    return false;
                }
            }
            assertThat(refused).as("one more than may be open").isTrue();
            return true;
        } finally {
            for (RawConnection connection : open) {
                connection.close();
            }
        }
    }

    private static String measured(String name) {
        String all = management("/metrics").body();
        return all.lines().filter(line -> line.startsWith(name + " ")).map(line -> line.split(" ")[1]).findFirst().orElseThrow();
    }

    /** Addresses differ by what the trusted proxy says. More is refused than the rate of all requests without a token would. */
    @Test
    void guessesOfCalendarFeedsAreCountedByAddress() {
        awaitRate();
        RunningPlatform.Person person = platform.signIn("guessed@example.org", "Gus", "Guessed");
        String feed = URI.create(platform.post("/cases/calendar/feeds/create", "{}", person.token()).object().getString("url")).getPath();
        List<Integer> statuses = new ArrayList<>();
        long start = System.nanoTime();
        while (statuses.size() < 200 && !statuses.contains(429)) {
            if (statuses.size() % 20 == 19) {
                awaitRate();
            }
            statuses.add(platform.get("/cases/calendar/guess-%d.ics".formatted(statuses.size()), "X-Forwarded-For", "203.0.113.99").status());
        }
        int cameBack = (int) (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) / 2) + 1;
        assertThat(statuses).endsWith(429);
        assertThat(statuses.subList(0, statuses.size() - 1)).as("30 a minute").hasSizeBetween(30, 30 + cameBack).containsOnly(404);
        awaitRate();
        assertThat(platform.get(feed, "X-Forwarded-For", "203.0.113.99").status()).as("who knows the address is no guesser").isEqualTo(200);
        assertThat(platform.get("/cases/calendar/guess.ics", "X-Forwarded-For", "203.0.113.98").status()).as("another address").isEqualTo(404);
    }

    private static HttpResponse<String> management(String path) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI address = URI.create("http://localhost:" + platform.platform().managementPort() + path);
            return client.send(HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Whether the server has closed it; else its request is answered. */
    private static boolean isRefused(RawConnection connection) {
        try {
            RawConnection.Answer answer = connection.send(HEAD.formatted(2) + "{}").read();
            if (answer != null) {
                assertThat(answer.status()).isEqualTo(400);
            }
            return answer == null;
        } catch (IOException reset) {
            return reset.getMessage().contains("reset") || reset.getMessage().contains("closed") || reset.getMessage().contains("pipe");
        }
    }

    @Test
    void headersThatDripInKeepNoConnectionOpen() throws IOException {
        long start = System.nanoTime();
        try (RawConnection slow = connect()) {
            slow.send("POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\n");
            dripUntilClosed(slow, "X-Drip: a\r\n");
        }
        assertThat((System.nanoTime() - start) / 1e9).as("seconds, of which any other bound is 20").isBetween(0.9, 15.0);
    }

    @Test
    void aConnectionThatSaysNothingIsClosed() throws IOException {
        try (RawConnection silent = connect()) {
            assertThat(silent.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aBodyThatDripsInIsRefusedAfterAThirdOfItsTime() throws IOException {
        awaitRate();
        try (RawConnection slow = connect()) {
            slow.send(HEAD.formatted(100) + "{");
            RawConnection.Answer answer = slow.read();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.body()).isEqualTo("\"The body did not arrive within 1 seconds.\"");
        }
    }

    /** At several times the least pace, which is 2048 bytes a second. */
    @Test
    void aBodyThatKeepsPaceHasItsTimeAndNotMore() {
        Await.despiteFailures("a body that was sent without a pause has its whole time", Await.BOUND, BoundsIT::aBodyThatKeepsPaceHasItsTime);
    }

    /** @return whether this machine let the sender keep its pace, and so the body had its time */
    private static boolean aBodyThatKeepsPaceHasItsTime() throws Exception {
        awaitRate();
        try (RawConnection slow = connect(); ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            slow.send(LARGE.formatted(95_000) + "x".repeat(3000));
            Future<Long> sending = beside.submit(() -> dripUntilClosed(slow, "x".repeat(3000)));
            RawConnection.Answer answer = slow.read();
            long answered = System.nanoTime() - start;
            // The server reads no more: the sender ends with the connection.
            slow.close();
            boolean keptPace = Math.max(sending.get(), answered - 3_000_000_000L) < 700_000_000L;
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.body()).matches("\"The body did not arrive within [123] seconds.\"");
            if (keptPace) {
                assertThat(answer.body()).isEqualTo("\"The body did not arrive within 3 seconds.\"");
            }
            return keptPace;
        }
    }

    /**
     * Sends the drip every 200 ms, as no idle timeout of bytes would notice.
     *
     * @return the longest time between two drips, in nanoseconds
     */
    private static long dripUntilClosed(RawConnection connection, String drip) {
        long longest = 0;
        long last = System.nanoTime();
        try {
            while (true) {
                Await.elapsed(Duration.ofMillis(200));
                connection.send(drip);
                longest = Math.max(longest, System.nanoTime() - last);
                last = System.nanoTime();
            }
        } catch (IOException closed) {
            return longest;
        }
    }

    @Test
    void bodiesOfAllRequestsTogetherHaveABound() {
        Await.despiteFailures("three bodies are held until one more comes", Await.BOUND, BoundsIT::aBodyTooManyIsTried);
        // What the broken connections held is given back.
        assertThat(eventually(() -> platform.post("/auth/authenticate/demo", "{\"x\":\"" + "y".repeat(90_000) + "\"}", null).status() == 400)).isTrue();
    }

    /** @return whether three bodies were held, which they are for a second, when one more came */
    private static boolean aBodyTooManyIsTried() throws IOException {
        awaitRate();
        Await.until("no body is held", () -> measured("acp_http_bodies_bytes").equals("0.0"));
        List<RawConnection> half = new ArrayList<>();
        try {
            for (int i = 1; i <= 3; i++) {
                half.add(connect().send(LARGE.formatted(30_000)).send(new byte[29_000]));
                String held = i * 29_000 + ".0";
                Await.until(held, () -> measured("acp_http_bodies_bytes").equals(held) || half.stream().anyMatch(RawConnection::hasAnswer));
            }
            // What goes over the bound is refused at once; the others are still waited for.
            int tooMuch;
            try (RawConnection fourth = connect()) {
                tooMuch = fourth.send(LARGE.formatted(30_000)).send(new byte[29_000]).read().status();
            }
            boolean wereHeld = half.stream().noneMatch(RawConnection::hasAnswer);
            if (wereHeld) {
                assertThat(tooMuch).isEqualTo(503);
            }
            for (RawConnection connection : half) {
                assertThat(connection.read().status()).isEqualTo(408);
            }
            return wereHeld;
        } finally {
            for (RawConnection connection : half) {
                connection.close();
            }
        }
    }

    private static boolean eventually(java.util.function.BooleanSupplier condition) {
        Await.until(condition::getAsBoolean);
        return true;
    }

    /** The management port tells how each operation does. */
    @Test
    void operationsAreMeasured() {
        awaitRate();
        platform.post("/auth/sessions/refresh", "{}", null);
        assertThat(management("/metrics").body())
                .containsPattern("acp_operation_seconds_count\\{area=\"[a-z]+\",operation=\"refreshSession\",status=\"400\"\\} [1-9]")
                .contains("acp_http_bodies_bytes", "jvm_memory_used_bytes");
        for (String path : List.of("/health/live", "/health/ready")) {
            HttpResponse<String> health = management(path);
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(new JsonObject(health.body()).getString("status")).isEqualTo("UP");
        }
    }

    @Test
    void anAddressThatTriesTokensIsSlowedDown() {
        awaitRate();
        assertThat(platform.post("/auth/users/me", "", "guess").status()).isEqualTo(401);
        RunningPlatform.Answer last = overTheRate(() -> platform.post("/auth/users/me", "", "guess" + UUID.randomUUID()));
        assertThat(last.sentence()).isEqualTo("Too many requests.");
        assertThat(last.header("Error-Code")).isEqualTo("rate.limited");
        assertThat(Integer.parseInt(last.header("Retry-After"))).isBetween(1, 2);
    }

    /** The answer to the first request that is over its rate. Some are sent at once: one after the other, a busy machine may send fewer than the rate. */
    private static RunningPlatform.Answer overTheRate(Supplier<RunningPlatform.Answer> request) {
        try (ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int sent = 0; sent < 1000; sent += AT_ONCE) {
                Optional<RunningPlatform.Answer> refused = beside.invokeAll(Collections.nCopies(AT_ONCE, (Callable<RunningPlatform.Answer>) request::get)).stream().map(Future::resultNow)
                        .filter(answer -> answer.status() == 429).findFirst();
                if (refused.isPresent()) {
                    return refused.get();
                }
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        throw new AssertionError("of 1000 requests none was over its rate");
    }

    private static RunningPlatform.Answer guessed(String header) {
        return platform.post("/auth/users/me", "", "guess", "X-Forwarded-For", header);
    }

    private static boolean isOverItsRate(String header) {
        return guessed(header).status() == 429;
    }

    private static void useUp(String header) {
        overTheRate(() -> guessed(header));
    }

    /** What is refused to one client is refused to the same under another name, at once: a permit comes back every 33 ms. Another has its own. */
    private static void isOneClientWith(String used, String header, boolean same) {
        if (same) {
            Await.until("refused under both", () -> {
                useUp(used);
                return isOverItsRate(header);
            });
        } else {
            useUp(used);
            for (int i = 0; i < 3; i++) {
                assertThat(isOverItsRate(header)).isFalse();
            }
        }
    }

    /** Each line: what the header says, and whether what it says is the same client as 203.0.113.7. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "203.0.113.7 | true",
        "203.0.113.7, 10.1.2.3 | true",
        "198.51.100.9, 203.0.113.7 | true",
        "198.51.100.9, 203.0.113.7:4711, 10.1.2.3 | true",
        "203.0.113.7, 198.51.100.9 | false",
        "203.0.113.7, nonsense | false",
        "203.0.113.7, 203.0.113.8, 10.1.2.3 | false"})
    void behindATrustedProxyTheClientIsWhomItNames(String header, boolean same) {
        awaitRate();
        isOneClientWith("203.0.113.7", header, same);
    }

    /** Whoever has a network of IPv6 has more addresses than could be counted. */
    @ParameterizedTest
    @CsvSource({"2001:db8:1:2:ffff:ffff:ffff:ffff, true", "2001:db8:1:3::7, false"})
    void ofIPv6ANetworkOf64BitsIsOneClient(String address, boolean same) {
        awaitRate();
        isOneClientWith("2001:db8:1:2::7", address, same);
    }

    /** What is the same for everybody costs time as well, and so does what is not there. */
    @ParameterizedTest
    @CsvSource({"/docs, 200, 'public, max-age=3600'", "/openapi/cases.yaml, 200, 'public, max-age=3600'", "/nowhere, 404, no-store", "/auth/nowhere, 404, no-store"})
    void pagesAndWhatIsNotThereHaveARateByAddressAndSayHowLongTheyKeep(String path, int status, String cacheControl) {
        awaitRate();
        RunningPlatform.Answer first = platform.get(path);
        assertThat(first.status()).isEqualTo(status);
        assertThat(first.header("Cache-Control")).isEqualTo(cacheControl);
        RunningPlatform.Answer last = overTheRate(() -> platform.get(path));
        assertThat(last.header("Error-Code")).isEqualTo("rate.limited");
        assertThat(Integer.parseInt(last.header("Retry-After"))).isBetween(1, 2);
        assertThat(last.header("Cache-Control")).isEqualTo("no-store");
    }

    /** Several people of one office, each with a browser that opens the console for the first time. */
    @Test
    void theConsolesOwnScriptsHaveAWiderRateThanPages() {
        awaitRate();
        String script = platform.get("/console").body().replaceFirst("(?s).*src=\"(/console/assets/[^\"]+)\".*", "$1");
        for (int i = 0; i < 60; i++) {
            assertThat(platform.get(script).status()).as("request " + i).isEqualTo(200);
        }
    }

    @Test
    void aCallerOverItsRateIsRefusedAndAnotherIsNot() {
        awaitRate();
        RunningPlatform.Person greedy = platform.signIn("greedy@example.org", "G", "R");
        RunningPlatform.Person modest = platform.signIn("modest@example.org", "M", "O");
        overTheRate(() -> platform.post("/auth/users/me", "", greedy.token()));
        assertThat(platform.post("/auth/users/me", "", modest.token()).status()).isEqualTo(200);
    }
}
