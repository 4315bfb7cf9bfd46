package io.arbitration.command.bench;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Takes webhooks on loopback over kept-alive connections. A path that starts with {@code /hang} never answers while hanging
 * is on. When each event arrived is told by the number that its body begins its data with.
 */
final class WebhookSink implements AutoCloseable {

    /** A setting with which a platform calls it. */
    static final Map<String, String> ALLOWED = Map.of("ACP_OUTBOUND_ALLOWED_PRIVATE", "127.0.0.1/32");
    private static final long WAIT_SECONDS = 10;

    private final Vertx vertx = Vertx.vertx();
    private final int port;
    private final AtomicLong answered = new AtomicLong();
    private final ConcurrentHashMap<String, Long> committed = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Long> waits = new ConcurrentLinkedQueue<>();
    private volatile boolean hanging;
    private volatile BiConsumer<String, Long> arrivals = (id, nanos) -> {};

    WebhookSink() {
        this(0);
    }

    /** @param wanted the port; 0 for any free one */
    WebhookSink(int wanted) {
        HttpServer server = vertx.createHttpServer(new HttpServerOptions().setIdleTimeout(0)).requestHandler(this::take);
        try {
            port = server.listen(wanted, "127.0.0.1").toCompletionStage().toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS).actualPort();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        } catch (ExecutionException | TimeoutException failed) {
            throw new BenchFailed("the sink does not listen", failed);
        }
    }

    private void take(HttpServerRequest request) {
        long arrived = System.nanoTime();
        if (hanging && request.path().startsWith("/hang")) {
            request.response().exceptionHandler(gone -> {});
            return;
        }
        request.end().onSuccess(whole -> {
            arrivals.accept(request.getHeader("webhook-id"), arrived);
            Long at = committed.get(request.getHeader("webhook-id"));
            if (at != null && request.path().startsWith("/well")) {
                waits.add(Math.max(0, arrived - at));
            }
            answered.incrementAndGet();
            request.response().setStatusCode(204).end();
        });
    }

    String url(String path) {
        return "http://127.0.0.1:%d/%s".formatted(port, path);
    }

    void hang(boolean on) {
        hanging = on;
    }

    /** Tells the id of each event that arrives, and when. */
    void listen(BiConsumer<String, Long> told) {
        arrivals = told;
    }

    /** Remembers when an event was committed. */
    void committed(String eventId, long nanos) {
        committed.put(eventId, nanos);
    }

    long answered() {
        return answered.get();
    }

    /** Waits from commit to arrival since the last call, at the paths that start with {@code /well}. */
    long[] takeWaits() {
        long[] taken = waits.stream().mapToLong(Long::longValue).toArray();
        waits.clear();
        committed.clear();
        return taken;
    }

    @Override
    public void close() {
        vertx.close();
    }
}
