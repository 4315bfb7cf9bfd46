package io.arbitration.command.bench;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Looks at the heap of a platform many times a second, by its metrics, and keeps the most that was in use, garbage included. */
final class HeapWatch implements AutoCloseable {

    private static final Duration PORT_WAIT = Duration.ofSeconds(20);
    /** Each look takes a node some milliseconds, which must not be in what is measured. */
    private static final long PERIOD_MILLIS = 2000;
    private static final long PORT_PERIOD_MILLIS = 100;

    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpRequest request;
    private final Thread thread;
    private volatile boolean over;
    private volatile double usedMax;
    private volatile double committedMax;

    HeapWatch(int managementPort) {
        request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(managementPort))).timeout(Duration.ofSeconds(10)).build();
        awaitPort();
        thread = Thread.ofVirtual().start(() -> {
            while (!over) {
                look();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS));
            }
        });
    }

    /** A node opens its management port after its public server. */
    private void awaitPort() {
        long end = System.nanoTime() + PORT_WAIT.toNanos();
        while (true) {
            try {
                read();
                return;
            } catch (ConnectException notYet) {
                if (System.nanoTime() > end) {
                    throw new BenchFailed("the metrics cannot be read: " + notYet, notYet);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PORT_PERIOD_MILLIS));
            } catch (IOException failed) {
                throw new BenchFailed("the metrics cannot be read: " + failed, failed);
            }
        }
    }

    private void look() {
        try {
            read();
        } catch (IOException failed) {
            throw new BenchFailed("the metrics cannot be read: " + failed, failed);
        }
    }

    private void read() throws IOException {
        try {
            String metrics = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            usedMax = Math.max(usedMax, heap(metrics, "jvm_memory_used_bytes"));
            committedMax = Math.max(committedMax, heap(metrics, "jvm_memory_committed_bytes"));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static double heap(String metrics, String name) {
        return metrics.lines().filter(line -> line.startsWith(name + "{") && line.contains("area=\"heap\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum() / (1024 * 1024);
    }

    double usedMegabytesMax() {
        return usedMax;
    }

    double committedMegabytesMax() {
        return committedMax;
    }

    @Override
    public void close() {
        over = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
