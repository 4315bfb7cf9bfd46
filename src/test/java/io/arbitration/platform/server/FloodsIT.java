package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever sends requests faster than they can be refused is not refused for ever. */
class FloodsIT {

    /** A second and address: so few that any machine refuses requests faster. */
    private static final int REFUSALS = 5;
    private static final int MORE = 120;
    private static final String REFUSED = "GET /auth/nowhere HTTP/1.1\r\nHost: localhost\r\n%s\r\n";
    private static final String ANSWERED = "GET /openapi/cases.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    private static Path folder;

    private static RunningPlatform platform;
    private static RunningPlatform behindProxy;

    @BeforeAll
    static void start() {
        platform = RunningPlatform.start(folder.resolve("direct"), Map.of("ACP_RATE_LIMIT_ENABLED", "true", "ACP_RATE_LIMIT_REFUSALS_PER_ADDRESS", String.valueOf(REFUSALS),
                "ACP_RATE_LIMIT_PER_ADDRESS", "1000", "ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS", "1000"));
        behindProxy = platform.sibling(folder.resolve("proxied"), Map.of("ACP_RATE_LIMIT_ENABLED", "true", "ACP_RATE_LIMIT_REFUSALS_PER_ADDRESS", String.valueOf(REFUSALS),
                "ACP_RATE_LIMIT_PER_ADDRESS", "1000", "ACP_HTTP_TRUSTED_PROXIES", "127.0.0.0/8"));
    }

    @AfterAll
    static void stop() {
        behindProxy.close();
        platform.close();
    }

    /** The tests share one address: each begins with its whole rate. */
    @BeforeEach
    void awaitRate() {
        Await.elapsed(Duration.ofMillis(1100));
    }

    private static List<Integer> answers(RunningPlatform of, String requests) throws IOException {
        List<Integer> statuses = new ArrayList<>();
        try (RawConnection connection = new RawConnection(of.platform().port())) {
            connection.send(requests);
            for (RawConnection.Answer answer = connection.read(); answer != null; answer = connection.read()) {
                statuses.add(answer.status());
            }
        } catch (IOException reset) {
            // The server did not read all that was sent: it resets the connection when it closes it.
            statuses.add(-1);
        }
        return statuses;
    }

    @Test
    void aConnectionOnWhichTooMuchIsRefusedIsClosedAndNoOther() throws IOException {
        try (RawConnection open = new RawConnection(platform.platform().port())) {
            assertThat(open.send(ANSWERED).read().status()).isEqualTo(200);
            List<Integer> statuses = answers(platform, REFUSED.formatted("").repeat(500));
            assertThat(statuses).startsWith(404);
            assertThat(statuses.size()).as("far fewer than were sent").isLessThan(4 * REFUSALS);
            assertThat(open.send(ANSWERED).read().status()).as("on a connection that was there").isEqualTo(200);
        }
        // For half a second an address that was refused so much gets no new connection (ConnectionLimitTest).
        awaitRate();
        assertThat(answers(platform, REFUSED.formatted("Connection: close\r\n"))).as("on a new connection, later").containsExactly(404);
    }

    @Test
    void whatIsAnsweredClosesNothing() throws IOException {
        List<Integer> statuses = answers(platform, ANSWERED.repeat(MORE - 1) + ANSWERED.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
        assertThat(statuses).hasSize(MORE).containsOnly(200);
    }

    /** Over the connection of a proxy come others as well. */
    @Test
    void theConnectionOfAProxyIsLeftOpen() throws IOException {
        List<Integer> statuses = answers(behindProxy, REFUSED.formatted("X-Forwarded-For: 203.0.113.9\r\n").repeat(MORE - 1)
                + REFUSED.formatted("X-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n"));
        assertThat(statuses).hasSize(MORE).containsOnly(404);
    }
}
