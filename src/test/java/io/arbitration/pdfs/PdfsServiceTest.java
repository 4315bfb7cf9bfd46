package io.arbitration.pdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.pdfs.fill.FieldValues;
import io.arbitration.pdfs.template.TemplateCompiler;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many uploads and fills this node takes at once, and of one caller. */
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

    /** A fill counts by the characters of its texts, so a caller with long texts gets no more of the node than one with many short ones. */
    @Test
    void fillsOfACallerAreCountedByTheirCharacters() throws Exception {
        Vertx vertx = Vertx.vertx();
        CountDownLatch held = new CountDownLatch(1);
        try {
            PaperWorkers workers = new PaperWorkers(vertx, 300);
            Templates templates = new Templates();
            templates.put("form", TemplateCompiler.compile(FormMaker.oneField()));
            PdfsService filling = new PdfsService(templates, null, workers, 1L << 20, Clock.systemUTC(), Future::succeededFuture);
            // All threads are busy, so every fill holds what it counts for.
            IntStream.range(0, Runtime.getRuntime().availableProcessors()).forEach(i -> workers.make(() -> {
                held.await();
                return i;
            }));
            Map<String, String> longText = Map.of("name", "x".repeat(FieldValues.CHARACTERS_MAX));
            List<Future<byte[]>> all = new ArrayList<>(List.of(filling.fill("long", "form", longText), filling.fill("long", "form", longText)));
            assertThat(refusal(filling.fill("long", "form", Map.of()))).isEqualTo("fills.caller-busy");

            int shortFills = 2 * FieldValues.CHARACTERS_MAX / PdfsService.FILL_CHARACTERS_MIN;
            IntStream.range(0, shortFills).forEach(i -> all.add(filling.fill("short", "form", Map.of("name", "x"))));
            assertThat(refusal(filling.fill("short", "form", Map.of()))).isEqualTo("fills.caller-busy");
            assertThat(all).noneMatch(Future::isComplete);

            held.countDown();
            for (Future<byte[]> one : all) {
                one.otherwiseEmpty().await(60, TimeUnit.SECONDS);
            }
            assertThat(all.subList(2, all.size())).allMatch(Future::succeeded);
            assertThat(filling.fill("long", "form", Map.of("name", "x")).await(60, TimeUnit.SECONDS)).isNotEmpty();
        } finally {
            held.countDown();
            vertx.close().await(60, TimeUnit.SECONDS);
        }
    }

    private static String refusal(Future<byte[]> fill) {
        return fill.cause() instanceof Refusal refused ? refused.code() : "none";
    }
}
