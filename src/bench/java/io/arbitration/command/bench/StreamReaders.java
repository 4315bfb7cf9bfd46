package io.arbitration.command.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Clients of event streams by one thread. Of each event it keeps how long it took from the time that its envelope names. */
final class StreamReaders implements AutoCloseable {

    private static final Duration WAIT = Duration.ofSeconds(120);
    private static final int OPENING_AT_ONCE = 100;
    private static final Pattern AT = Pattern.compile("\"at\":(\\d+(?:\\.\\d+)?)");

    private final URI server;
    private final Selector selector;
    private final Thread thread;
    private final List<Double> millis = new ArrayList<>();
    private volatile int begun;
    private volatile int opened;
    private volatile long arrived;
    private volatile boolean over;
    private volatile String failure;

    /** What was read of one stream and is not whole yet. */
    private static final class Reading {
        private final StringBuilder text = new StringBuilder();
        private boolean isOpen;
    }

    StreamReaders(URI server) throws IOException {
        this.server = server;
        selector = Selector.open();
        thread = Thread.ofPlatform().name("streams").start(this::read);
    }

    /** Opens so many streams of one caller, and waits until each follows. */
    void open(int count, String token) throws IOException {
        byte[] request = "GET /api/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n".formatted(token).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
            channel.write(ByteBuffer.wrap(request));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Reading());
            selector.wakeup();
            begun++;
            await(() -> begun - opened < OPENING_AT_ONCE);
        }
        await(() -> opened == begun);
    }

    /** Waits until so many events have arrived. */
    void awaitEach(long events) {
        await(() -> arrived >= events);
    }

    /** In ascending order. */
    List<Double> millis() {
        synchronized (millis) {
            return millis.stream().sorted().toList();
        }
    }

    private void await(java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + WAIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (failure != null || System.nanoTime() > end) {
                throw new BenchFailed("%d of %d streams are open, %d events have arrived: %s".formatted(opened, begun, arrived, failure));
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private void read() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(65_536);
        try {
            while (!over) {
                selector.select(key -> {
                    try {
                        bytes.clear();
                        if (((SocketChannel) key.channel()).read(bytes) < 0) {
                            key.cancel();
                            failure = over ? null : "a stream has ended: " + ((Reading) key.attachment()).text;
                            return;
                        }
                        take((Reading) key.attachment(), StandardCharsets.UTF_8.decode(bytes.flip()).toString());
                    } catch (IOException broken) {
                        key.cancel();
                        failure = broken.toString();
                    }
                });
            }
        } catch (IOException broken) {
            failure = broken.toString();
        }
    }

    private void take(Reading reading, String text) {
        double now = System.currentTimeMillis();
        reading.text.append(text);
        if (!reading.isOpen && reading.text.indexOf("id: ") >= 0) {
            reading.isOpen = true;
            opened++;
        }
        int end = reading.text.lastIndexOf("\n\n");
        if (end < 0) {
            return;
        }
        Matcher events = AT.matcher(reading.text.substring(0, end));
        while (events.find()) {
            synchronized (millis) {
                millis.add(now - Double.parseDouble(events.group(1)));
            }
            arrived++;
        }
        reading.text.delete(0, end + 2);
        reading.text.trimToSize();
    }

    @Override
    public void close() throws IOException {
        over = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
