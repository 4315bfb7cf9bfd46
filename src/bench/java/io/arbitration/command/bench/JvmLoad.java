package io.arbitration.command.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Load from this process, on one event loop. It costs more CPU than wrk does, and the server gets less. */
final class JvmLoad implements LoadGenerator {

    private static final Duration GRACE = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "the JVM generator";
    }

    @Override
    public Load repeat(URI server, List<Request> requests, int connections, Duration duration) {
        return closedLoop(server, requests, connections, duration, true);
    }

    @Override
    public Load once(URI server, List<Request> requests, int connections, Duration duration) {
        return closedLoop(server, requests, connections, duration, false);
    }

    /**
     * Sends so many requests a second, whether or not the last ones are answered. An answer's time counts from the moment
     * at which its request was due.
     */
    Load paced(URI server, List<Request> requests, int connections, int perSecond, Duration duration) {
        try (Run run = new Run(server, requests, connections)) {
            long start = System.nanoTime();
            long count = BenchOptions.count(perSecond, duration);
            for (long i = 0; i < count; i++) {
                long due = start + i * 1_000_000_000L / perSecond;
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                int index = (int) (i % requests.size());
                run.context.runOnContext(now -> run.send(requests.get(index), due));
            }
            run.await(run.idle(count));
            return run.load(duration.toMillis() / 1e3);
        }
    }

    private static Load closedLoop(URI server, List<Request> requests, int connections, Duration duration, boolean repeats) {
        try (Run run = new Run(server, requests, connections)) {
            long end = System.nanoTime() + duration.toNanos();
            Promise<Void> all = Promise.promise();
            run.context.runOnContext(now -> {
                List<Future<Void>> loops = Stream.generate(() -> run.loop(end, repeats)).limit(connections).toList();
                Future.join(loops).<Void>mapEmpty().onComplete(all);
            });
            run.await(all.future());
            if (run.exhausted) {
                throw new BenchFailed("the requests ran out before the time did");
            }
            return run.load(duration.toMillis() / 1e3);
        }
    }

    /** One load; everything but its construction and end happens on its event loop. */
    private static final class Run implements AutoCloseable {

        private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        private final Context context = vertx.getOrCreateContext();
        private final URI server;
        private final List<Request> requests;
        private final HttpClient client;
        private int next;
        private boolean exhausted;
        private long[] nanos = new long[1 << 16];
        private int answers;
        private long failures;
        private long bytes;
        private Runnable answered = () -> {};

        Run(URI server, List<Request> requests, int connections) {
            this.server = server;
            this.requests = requests;
            this.client = vertx.createHttpClient(
                    new HttpClientOptions().setKeepAlive(true), new PoolOptions().setHttp1MaxSize(connections));
        }

        Future<Void> loop(long end, boolean repeats) {
            Promise<Void> ended = Promise.promise();
            step(end, repeats, ended);
            return ended.future();
        }

        private void step(long end, boolean repeats, Promise<Void> ended) {
            if (next == requests.size()) {
                exhausted = !repeats;
                next = 0;
            }
            if (exhausted || System.nanoTime() >= end) {
                ended.complete();
            } else {
                send(requests.get(next++), System.nanoTime()).onComplete(sent -> step(end, repeats, ended));
            }
        }

        Future<Void> send(Request request, long due) {
            return client.request(HttpMethod.POST, server.getPort(), server.getHost(), request.path())
                    .compose(open -> (request.token() == null ? open : open.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + request.token()))
                            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                            .send(request.body()))
                    .compose(response -> response.body().map(body -> {
                        bytes += body.length();
                        return response.statusCode();
                    }))
                    .otherwise(0)
                    .map(status -> {
                        record(status, System.nanoTime() - due);
                        return null;
                    });
        }

        private void record(int status, long took) {
            if (status != 200) {
                failures++;
            } else {
                if (answers == nanos.length) {
                    nanos = Arrays.copyOf(nanos, 2 * nanos.length);
                }
                nanos[answers++] = took;
            }
            answered.run();
        }

        /** Completes when so many requests are answered. */
        Future<Void> idle(long count) {
            Promise<Void> idle = Promise.promise();
            context.runOnContext(now -> {
                answered = () -> {
                    if (answers + failures == count) {
                        idle.tryComplete();
                    }
                };
                answered.run();
            });
            return idle.future();
        }

        void await(Future<Void> end) {
            end.toCompletionStage().toCompletableFuture().orTimeout(GRACE.plusHours(1).toSeconds(), TimeUnit.SECONDS).join();
        }

        Load load(double seconds) {
            return Load.of(Arrays.copyOf(nanos, answers), failures, bytes, seconds);
        }

        @Override
        public void close() {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
