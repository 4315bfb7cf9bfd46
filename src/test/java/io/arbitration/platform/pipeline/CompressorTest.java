package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class CompressorTest {

    private static final int LONG = 4_000_000;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Compressor compressor = new Compressor(1 << 20, meters);

    private static Buffer text(int bytes) {
        return Buffer.buffer("entry ".repeat(bytes / 6));
    }

    private static String unpacked(Optional<Buffer> form) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(form.orElseThrow().getBytes()))) {
            return new String(in.readAllBytes());
        }
    }

    private double compressions() {
        return meters.counter("acp.http.compressed").count();
    }

    private static <T> T onLoop(Vertx vertx, Supplier<T> work) {
        Promise<T> done = Promise.promise();
        vertx.runOnContext(on -> done.complete(work.get()));
        return Await.result(done.future());
    }

    @Test
    void aLongAnswerIsNotCompressedOnTheEventLoop(Vertx vertx) throws Exception {
        Buffer plain = text(LONG);
        List<Boolean> atOnce = new ArrayList<>();
        Future<Optional<Buffer>> form = onLoop(vertx, () -> {
            Future<Optional<Buffer>> begun = compressor.gzip(vertx, "caller", plain, false);
            atOnce.add(begun.isComplete());
            return begun;
        });
        assertThat(atOnce).containsExactly(false);
        assertThat(unpacked(Await.result(form))).isEqualTo(plain.toString());
        assertThat(onLoop(vertx, () -> compressor.gzip(vertx, "caller", text(2000), false).isComplete())).as("a short one is, at once").isTrue();
    }

    @Test
    void whatManyReadersShareIsCompressedOnce(Vertx vertx) throws Exception {
        Buffer plain = text(LONG);
        List<Future<Optional<Buffer>>> forms = onLoop(vertx, () -> {
            List<Future<Optional<Buffer>>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                all.add(compressor.gzip(vertx, "caller" + i, plain, true));
            }
            return all;
        });
        Buffer first = Await.result(forms.getFirst()).orElseThrow();
        for (Future<Optional<Buffer>> form : forms) {
            assertThat(Await.result(form).orElseThrow()).isSameAs(first);
        }
        assertThat(Await.result(onLoop(vertx, () -> compressor.gzip(vertx, "later", plain, true))).orElseThrow()).isSameAs(first);
        assertThat(compressions()).isEqualTo(1);
        assertThat(unpacked(Optional.of(first))).isEqualTo(plain.toString());
        // Equal bytes of another list are another body.
        Await.result(onLoop(vertx, () -> compressor.gzip(vertx, "later", text(LONG), true)));
        assertThat(compressions()).isEqualTo(2);
    }

    @Test
    void whoHasManyAnswersWaitingGetsFurtherOnesAsTheyAre(Vertx vertx) {
        List<Future<Optional<Buffer>>> forms = onLoop(vertx, () -> {
            List<Future<Optional<Buffer>>> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                all.add(compressor.gzip(vertx, "greedy", text(LONG), false));
            }
            all.add(compressor.gzip(vertx, "modest", text(LONG), false));
            return all;
        });
        List<Boolean> compressed = forms.stream().map(form -> Await.result(form).isPresent()).toList();
        assertThat(compressed.subList(0, 60)).contains(true, false);
        assertThat(compressed.getLast()).as("another caller's").isTrue();
    }
}
