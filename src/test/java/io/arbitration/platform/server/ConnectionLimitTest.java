package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Settings;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.limits.SharedRateLimiters;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whose connections are counted together. */
class ConnectionLimitTest {

    private static final Path HOME = Path.of("").toAbsolutePath();

    private static final RateLimiter REFUSALS = new SharedRateLimiters(true, 1000).limiter("refusals", 4, Duration.ofHours(1));

    private final ConnectionLimit limit = limit(Map.of("ACP_HTTP_CONNECTIONS_PER_ADDRESS", "2", "ACP_HTTP_TRUSTED_PROXIES", "2001:db8:9::/48"));

    private static ConnectionLimit limit(Map<String, String> environment) {
        return new ConnectionLimit(Settings.read(Configuration.load(HOME, environment), HOME).server(),
                new SharedRateLimiters(false, 1000).limiter("connections", 1, Duration.ofHours(1)), REFUSALS);
    }

    private boolean admits(String address) {
        return limit.admit(limit.counted(InetAddress.ofLiteral(address)));
    }

    @Test
    void ofIPv6ANetworkOf64BitsIsOneClient() {
        assertThat(admits("2001:db8:1:2::1")).isTrue();
        assertThat(admits("2001:db8:1:2:ffff:ffff:ffff:ffff")).isTrue();
        assertThat(admits("2001:db8:1:2:3::4")).as("a third of the network").isFalse();
        assertThat(admits("2001:db8:1:3::1")).as("of the next network").isTrue();
        limit.leave(limit.counted(InetAddress.ofLiteral("2001:db8:1:2:9::9")));
        assertThat(admits("2001:db8:1:2:3::4")).as("where one has left").isTrue();
        assertThat(limit.open().get()).isEqualTo(3);
    }

    @Test
    void ofIPv4EachAddressIsOneClientAlsoWhereItIsWrittenAsIPv6() {
        assertThat(admits("203.0.113.7")).isTrue();
        assertThat(admits("::ffff:203.0.113.7")).isTrue();
        assertThat(admits("203.0.113.7")).isFalse();
        assertThat(admits("203.0.113.8")).isTrue();
    }

    @Test
    void whoHasUsedUpItsRefusalsGetsNoNewConnection() {
        for (int i = 0; i < 4; i++) {
            assertThat(REFUSALS.tryAdmit("198.51.100.1")).isTrue();
        }
        assertThat(admits("198.51.100.1")).isTrue();
        assertThat(REFUSALS.tryAdmit("198.51.100.1")).isFalse();
        assertThat(admits("198.51.100.1")).isFalse();
        assertThat(admits("198.51.100.2")).as("another address").isTrue();
    }

    @Test
    void theConnectionsOfAProxyAreThoseOfManyClients() {
        for (int i = 0; i < 5; i++) {
            assertThat(admits("2001:db8:9::1")).isTrue();
        }
    }

    /** Many short messages, as of HTTP/2, wait behind a long one, of which the client takes more than it has to. */
    @Test
    void whoTakesEnoughIsNotClosedForWhatIsWrittenMeanwhile() {
        int shortMessages = 10_000;
        int perSecondMin = 1000;
        EmbeddedChannel connection = new EmbeddedChannel(new AnswerPace(perSecondMin, 1)) {
            @Override
            protected void doWrite(ChannelOutboundBuffer out) {
                // The client reads when the test says so.
            }
        };
        connection.freezeTime();
        connection.writeOneOutbound(Unpooled.wrappedBuffer(new byte[1 << 20]));
        connection.flushOutbound();
        for (int second = 0; second < 3; second++) {
            for (int i = 0; i < shortMessages; i++) {
                connection.writeOneOutbound(Unpooled.wrappedBuffer(new byte[9]));
            }
            connection.flushOutbound();
            connection.unsafe().outboundBuffer().removeBytes(perSecondMin);
            connection.advanceTimeBy(1, TimeUnit.SECONDS);
            connection.runScheduledPendingTasks();
            assertThat(connection.isOpen()).as("after second %d", second).isTrue();
        }
        connection.advanceTimeBy(10, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
        assertThat(connection.isOpen()).as("after the node stood still itself").isTrue();
        connection.unsafe().outboundBuffer().removeBytes(perSecondMin - 1);
        connection.advanceTimeBy(1, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
        assertThat(connection.isOpen()).as("one byte too few").isFalse();
    }
}
