package io.arbitration.command.bench;

import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Connections to a server that stay open, by one event loop of this process. Whether or not they are busy, the server holds each. */
final class KeptConnections implements AutoCloseable {

    private static final int OPENING_AT_ONCE = 100;
    private static final Duration WAIT = Duration.ofMinutes(5);

    /** Its one event loop sends for all connections in turn. */
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setMaxEventLoopExecuteTime(WAIT.toNanos()));
    private final Context context = vertx.getOrCreateContext();
    private final URI server;
    private final HttpClientAgent client;
    private final List<HttpClientConnection> connections = new ArrayList<>();

    /** @param version 1.1, or 2 without an upgrade */
    KeptConnections(URI server, HttpVersion version) {
        this.server = server;
        client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false));
    }

    /** Opens further connections, until there are so many, and waits until one request of each has been answered. */
    void open(int count, Request first) {
        while (connections.size() < count) {
            int most = Math.min(OPENING_AT_ONCE, count - connections.size());
            connections.addAll(await(Future.join(Stream.generate(() -> opened(first)).limit(most).toList()).map(all -> all.<HttpClientConnection>list())));
        }
    }

    private Future<HttpClientConnection> opened(Request first) {
        Promise<HttpClientConnection> opened = Promise.promise();
        context.runOnContext(now -> client.connect(new HttpConnectOptions().setHost(server.getHost()).setPort(server.getPort()))
                .compose(connection -> status(connection, first).map(status -> {
                    if (status.code != 200) {
                        throw new BenchFailed("the first request of a connection was answered with " + status.code);
                    }
                    return connection;
                }))
                .onComplete(opened));
        return opened.future();
    }

    private record Status(int code, int bytes) {}

    private static Future<Status> status(HttpClientConnection connection, Request request) {
        return connection.request(new RequestOptions().setMethod(HttpMethod.POST).setURI(request.path()))
                .compose(open -> open.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + request.token()).putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .send(request.body()))
                .compose(response -> response.body().map(body -> new Status(response.statusCode(), body.length())));
    }

    /** Each connection sends its next request when the last one is answered, for so long; the requests take turns. */
    Load repeat(List<Request> requests, Duration duration) {
        Run run = new Run(requests, System.nanoTime() + duration.toNanos());
        Promise<Void> all = Promise.promise();
        context.runOnContext(now -> Future.join(connections.stream().map(run::loop).toList()).<Void>mapEmpty().onComplete(all));
        await(all.future());
        return Load.of(Arrays.copyOf(run.nanos, run.answers), run.failures, run.bytes, duration.toMillis() / 1e3);
    }

    private static <T> T await(Future<T> end) {
        return end.toCompletionStage().toCompletableFuture().orTimeout(WAIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** One load; all of it happens on the event loop. */
    private static final class Run {

        private final List<Request> requests;
        private final long end;
        private int next;
        private long[] nanos = new long[1 << 16];
        private int answers;
        private long failures;
        private long bytes;

        Run(List<Request> requests, long end) {
            this.requests = requests;
            this.end = end;
        }

        Future<Void> loop(HttpClientConnection connection) {
            Promise<Void> ended = Promise.promise();
            step(connection, ended);
            return ended.future();
        }

        private void step(HttpClientConnection connection, Promise<Void> ended) {
            long begin = System.nanoTime();
            if (begin >= end) {
                ended.complete();
                return;
            }
            Request request = requests.get(next);
            next = (next + 1) % requests.size();
            status(connection, request).onComplete(status -> {
                record(status, System.nanoTime() - begin);
                step(connection, ended);
            }, broken -> {
                // It sends nothing more: what follows would fail at once, and as often as the processor allows.
                failures++;
                ended.complete();
            });
        }

        private void record(Status status, long took) {
            bytes += status.bytes;
            if (status.code != 200) {
                failures++;
                return;
            }
            if (answers == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * nanos.length);
            }
            nanos[answers++] = took;
        }
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
