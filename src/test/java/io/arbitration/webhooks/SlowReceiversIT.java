package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receivers that answer nobody take no place of others, on a node that attempts 64 deliveries at once, each for up to a minute. */
class SlowReceiversIT {

    private static final int IN_FLIGHT = 64;
    private static final int EACH = 16;

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;

    @BeforeAll
    static void open() {
        platform = RunningPlatform.start(folder, Map.of("ACP_WEBHOOKS_IN_FLIGHT", String.valueOf(IN_FLIGHT), "ACP_WEBHOOKS_EXCHANGE_SECONDS", "60"));
    }

    @AfterAll
    static void close() {
        platform.close();
    }

    @Test
    void aDeliveryIsNotHeldUpByReceiversThatAnswerNobody() throws Exception {
        Hooked hostile = Hooked.on(platform);
        Hooked honest = Hooked.on(platform);
        try (SocketServer silent = new SocketServer(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream())); Receiver receiver = new Receiver()) {
            List<String> urls = IntStream.range(0, 10).mapToObj(i -> "http://127.0.0.1:%d/%d".formatted(silent.port(), i)).toList();
            urls.forEach(url -> hostile.register(url));
            honest.register(receiver.url());
            hostile.log(EACH);
            // Every place is taken.
            Hooked.await(() -> silent.connections() >= IN_FLIGHT ? true : null, () -> "connections: " + silent.connections());
            String event = honest.log(1).getFirst();
            assertThat(receiver.next(Duration.ofSeconds(30)).header("webhook-id")).isEqualTo(event);
            assertThat(urls).anySatisfy(url -> assertThat(hostile.deliveries(new JsonObject().put("url", url)).toString())
                    .contains("the exchange was ended after more than 2000 ms, because"));
        }
    }
}
