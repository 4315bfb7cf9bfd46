package io.arbitration.pdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many uploads this node takes at once, and of one caller. */
class PdfsServiceTest {

    private final PdfsService service = new PdfsService(new Templates(), null, null, 1L << 20, Clock.systemUTC(), () -> Future.succeededFuture());

    private String refusal(UUID caller) {
        try {
            service.begin(caller).release();
            return "none";
        } catch (Refusal refused) {
            return refused.code();
        }
    }

    @Test
    void aCallerUploadsOneTemplateAtATimeAndTheNodeTakesTwo() {
        UUID first = UUID.randomUUID();
        TemplateFile held = service.begin(first);
        assertThat(refusal(first)).isEqualTo("templates.caller-busy");
        assertThat(refusal(UUID.randomUUID())).isEqualTo("none");
        TemplateFile second = service.begin(UUID.randomUUID());
        assertThat(refusal(UUID.randomUUID())).isEqualTo("overloaded");
        held.release();
        held.release();
        second.release();
        assertThat(refusal(first)).isEqualTo("none");
    }

    /** Handlers of several event loops call it: a count that is not safe for that ends above or below what is held. */
    @Test
    void uploadsFromManyThreadsAreCountedExactly() throws Exception {
        ConcurrentLinkedQueue<TemplateFile> held = new ConcurrentLinkedQueue<>();
        for (int round = 0; round < 200; round++) {
            try (var threads = Executors.newFixedThreadPool(8)) {
                List<java.util.concurrent.Future<?>> all = new ArrayList<>();
                IntStream.range(0, 8).forEach(i -> all.add(threads.submit(() -> {
                    try {
                        held.add(service.begin(UUID.randomUUID()));
                    } catch (Refusal full) {
                        assertThat(full.code()).isEqualTo("overloaded");
                    }
                })));
                for (java.util.concurrent.Future<?> one : all) {
                    one.get();
                }
            }
            assertThat(held).hasSize(2);
            held.forEach(TemplateFile::release);
            held.clear();
        }
    }
}
