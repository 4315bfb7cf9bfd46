package io.arbitration.platform.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LogBufferTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    /** A buffer writes whole lines, never a single byte. */
    private abstract static class Lines extends OutputStream {
        @Override
        public final void write(int single) {
            throw new AssertionError("a single byte was written");
        }

        @Override
        public abstract void write(byte[] bytes, int offset, int length) throws IOException;
    }

    /** Accepts nothing until it is opened. */
    private static final class Gate extends Lines {
        private final CountDownLatch open = new CountDownLatch(1);
        private final CountDownLatch entered = new CountDownLatch(1);
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            entered.countDown();
            try {
                open.await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
            written.write(bytes, offset, length);
        }

        String text() {
            return written.toString(StandardCharsets.UTF_8);
        }
    }

    private static void line(LogBuffer buffer, String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        buffer.write(bytes, 0, bytes.length);
    }

    @Test
    void whileTheStreamAcceptsNothingLinesWaitAndThoseWithoutRoomAreCounted() throws Exception {
        Gate gate = new Gate();
        List<Long> dropped = Collections.synchronizedList(new ArrayList<>());
        LogBuffer buffer = new LogBuffer(gate, 12, dropped::add).start();
        line(buffer, "first");
        gate.entered.await();
        // The first is being written; six bytes each fit twice.
        line(buffer, "waits");
        line(buffer, "also!");
        line(buffer, "no room");
        line(buffer, "x");
        assertThat(gate.text()).isEmpty();
        gate.open.countDown();
        buffer.flush(LONG);
        assertThat(gate.text()).isEqualTo("first\nwaits\nalso!\n");
        assertThat(dropped).containsExactly(2L);
        line(buffer, "after");
        buffer.flush(LONG);
        assertThat(gate.text()).endsWith("also!\nafter\n");
        assertThat(dropped).containsExactly(2L);
    }

    @Test
    void aFlushEndsAlsoWhenTheStreamAcceptsNothing() throws Exception {
        Gate gate = new Gate();
        LogBuffer buffer = new LogBuffer(gate, 100, lines -> {}).start();
        line(buffer, "first");
        gate.entered.await();
        buffer.flush(Duration.ofMillis(1));
        assertThat(gate.text()).isEmpty();
        gate.open.countDown();
        buffer.flush(LONG);
        assertThat(gate.text()).isEqualTo("first\n");
    }

    @Test
    void aStreamThatFailsDoesNotEndTheWriting() {
        List<String> written = Collections.synchronizedList(new ArrayList<>());
        List<Long> dropped = Collections.synchronizedList(new ArrayList<>());
        LogBuffer buffer = new LogBuffer(new Lines() {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (bytes[offset] == 'b') {
                    throw new IOException("no space left on device");
                }
                written.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
            }
        }, 100, dropped::add).start();
        line(buffer, "a");
        line(buffer, "b");
        line(buffer, "c");
        buffer.flush(LONG);
        assertThat(written).containsExactly("a\n", "c\n");
        assertThat(dropped).containsExactly(1L);
    }

    /** Standard error of a process whose terminal was closed. */
    @Test
    void aStreamThatIsGoneIsNotAskedAgainByTheReportOfItsFailure() {
        AtomicInteger attempts = new AtomicInteger();
        AtomicReference<LogBuffer> itself = new AtomicReference<>();
        LogBuffer buffer = new LogBuffer(new Lines() {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                attempts.incrementAndGet();
                throw new IOException("broken pipe");
            }
        }, 100, lines -> line(itself.get(), "dropped " + lines)).start();
        itself.set(buffer);
        line(buffer, "a");
        line(buffer, "b");
        buffer.flush(LONG);
        assertThat(attempts).hasValue(2);
    }
}
