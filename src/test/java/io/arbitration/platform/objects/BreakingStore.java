package io.arbitration.platform.objects;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A store that answers ranges of one object, closes every connection behind an answer, and breaks answers off as it is told. */
final class BreakingStore implements AutoCloseable {

    private static final Pattern RANGE = Pattern.compile("(?i)range: bytes=(\\d+)-(\\d+)");

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Long> asked = new CopyOnWriteArrayList<>();
    private final Semaphore idle = new Semaphore(1);
    private final byte[] object;
    private final int most;

    /** @param most bytes that one connection brings before it breaks */
    BreakingStore(byte[] object, int most) throws IOException {
        this.object = object;
        this.most = most;
        Thread.ofPlatform().daemon().start(this::serve);
    }

    /** Until it has said all it says and hung up. */
    void awaitClosed() {
        try {
            if (!idle.tryAcquire(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the store is still writing");
            }
            idle.release();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    String endpoint() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    /** Where the ranges began that were asked for. */
    List<Long> asked() {
        return asked;
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                idle.acquire();
                answer(connection);
            } catch (IOException broken) {
                // The client has gone, or the store is closed: both end the connection.
            } catch (InterruptedException interrupted) {
                return;
            } finally {
                idle.drainPermits();
                idle.release();
            }
        }
    }

    private void answer(Socket connection) throws IOException {
        BufferedReader head = new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
        int from = 0;
        int to = 0;
        for (String line = head.readLine(); line != null && !line.isEmpty(); line = head.readLine()) {
            Matcher range = RANGE.matcher(line);
            if (range.matches()) {
                from = Integer.parseInt(range.group(1));
                to = Integer.parseInt(range.group(2)) + 1;
            }
        }
        asked.add((long) from);
        OutputStream out = connection.getOutputStream();
        out.write("HTTP/1.1 206 Partial Content\r\nContent-Length: %d\r\nConnection: close\r\n\r\n".formatted(to - from)
                .getBytes(StandardCharsets.US_ASCII));
        out.write(object, from, Math.min(most, to - from));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
