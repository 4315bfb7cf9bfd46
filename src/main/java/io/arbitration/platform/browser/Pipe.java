package io.arbitration.platform.browser;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two pipes of a browser that was started with {@code --remote-debugging-pipe}: JSON messages, each ended by a zero byte.
 * Unlike with a debugging port, nobody else can connect, and a browser whose pipe closes ends, even if this process was killed.
 * One thread reads and one writes, because both block.
 */
final class Pipe {

    /** A picture or PDF is one message in base64. */
    private static final int MESSAGE_BYTES_MAX = 256 * 1024 * 1024;
    /** Messages that a hanging browser has not read yet. */
    private static final int WAITING_MAX = 4096;
    private static final int BLOCK_BYTES = 64 * 1024;
    private static final byte[] STOP = new byte[0];
    private static final Logger LOG = LoggerFactory.getLogger(Pipe.class);

    private final InputStream in;
    private final OutputStream out;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private volatile boolean closed;

    Pipe(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /**
     * Begins to read and to write.
     *
     * @param message gets each message, on the thread that reads
     * @param end called once, after the last message
     */
    void open(Consumer<JsonObject> message, Runnable end) {
        Thread.ofPlatform().daemon().name("browser-in").start(() -> {
            try {
                read(message);
            } catch (IOException | DecodeException broken) {
                LOG.debug("the pipe of a browser broke: {}", broken.getMessage());
            } finally {
                close();
                end.run();
            }
        });
        Thread.ofPlatform().daemon().name("browser-out").start(this::write);
    }

    private void read(Consumer<JsonObject> message) throws IOException {
        byte[] held = new byte[BLOCK_BYTES];
        int length = 0;
        int searched = 0;
        for (int read = in.read(held, 0, held.length); read >= 0; read = in.read(held, length, held.length - length)) {
            length += read;
            int begin = 0;
            for (int i = searched; i < length; i++) {
                if (held[i] == 0) {
                    message.accept(new JsonObject(new String(held, begin, i - begin, StandardCharsets.UTF_8)));
                    begin = i + 1;
                }
            }
            length -= begin;
            System.arraycopy(held, begin, held, 0, length);
            searched = length;
            if (length == held.length) {
                if (length >= MESSAGE_BYTES_MAX) {
                    throw new IOException("a message of more than %d bytes".formatted(MESSAGE_BYTES_MAX));
                }
                held = Arrays.copyOf(held, 2 * length);
            } else if (length == 0 && held.length > BLOCK_BYTES) {
                held = new byte[BLOCK_BYTES];
            }
        }
    }

    private void write() {
        try (out) {
            for (byte[] message = waiting.take(); message != STOP; message = waiting.take()) {
                out.write(message);
                out.write(0);
                if (waiting.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException gone) {
            LOG.debug("a browser reads no more: {}", gone.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            closed = true;
        }
    }

    /** Whether the message will be written; false if the pipe is closed or the browser has stopped reading. */
    boolean send(JsonObject message) {
        return !closed && waiting.offer(message.encode().getBytes(StandardCharsets.UTF_8));
    }

    /** Stops writing; the browser then ends. */
    void close() {
        closed = true;
        waiting.clear();
        waiting.add(STOP);
    }
}
