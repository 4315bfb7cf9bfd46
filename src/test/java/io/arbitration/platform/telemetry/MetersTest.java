package io.arbitration.platform.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What several nodes in one process measure, as tests and tools run them. */
class MetersTest {

    private static Vertx vertx(Meters meters) {
        VertxOptions options = new VertxOptions().setEventLoopPoolSize(1);
        return Vertx.builder().with(options).withMetrics(meters.measure(options)).build();
    }

    private static void close(Vertx vertx) throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @Test
    void twoNodesOfOneProcessMeasureEachIntoItsOwnRegistry() throws Exception {
        try (Meters first = new Meters(); Meters second = new Meters()) {
            Vertx before = vertx(first);
            Vertx after = vertx(second);
            after.createSharedWorkerExecutor("only-of-the-second", 1);
            assertThat(first.registry().scrape()).contains("vertx_pool_").doesNotContain("only-of-the-second");
            assertThat(second.registry().scrape()).contains("vertx_pool_", "only-of-the-second");
            // When the first one closes, the second goes on measuring.
            close(before);
            after.createSharedWorkerExecutor("made-later", 1);
            assertThat(second.registry().scrape()).contains("made-later");
            close(after);
        }
    }
}
