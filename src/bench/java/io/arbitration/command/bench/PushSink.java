package io.arbitration.command.bench;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A push service on loopback: takes every message with 201, save those to a path that starts with {@code /gone}, which get 410. */
final class PushSink implements AutoCloseable {

    private static final long WAIT_SECONDS = 10;

    private final Vertx vertx = Vertx.vertx();
    private final int port;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong gone = new AtomicLong();

    PushSink() {
        HttpServer server = vertx.createHttpServer(new HttpServerOptions().setIdleTimeout(0)).requestHandler(this::take);
        try {
            port = server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS).actualPort();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        } catch (ExecutionException | TimeoutException failed) {
            throw new BenchFailed("the push service does not listen", failed);
        }
    }

    private void take(HttpServerRequest request) {
        boolean ended = request.path().startsWith("/gone");
        request.end().onSuccess(whole -> {
            (ended ? gone : taken).incrementAndGet();
            request.response().setStatusCode(ended ? 410 : 201).end();
        });
    }

    String origin() {
        return "http://127.0.0.1:" + port;
    }

    long taken() {
        return taken.get();
    }

    long gone() {
        return gone.get();
    }

    @Override
    public void close() {
        vertx.close();
    }
}
