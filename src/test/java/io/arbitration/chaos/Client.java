package io.arbitration.chaos;

import io.arbitration.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends each request to one of the nodes, and when it gets no answer in time, or one that asks to come back, again to the next
 * with the same {@code Idempotency-Key}, as a client behind a load balancer would.
 */
final class Client implements AutoCloseable {

    private static final Duration ANSWER_WAIT = Duration.ofMillis(1500);
    private static final Duration GIVE_UP = Duration.ofSeconds(120);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration LEFT_ALONE = Duration.ofSeconds(3);

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofMillis(500)).build();
    private final List<String> urls;
    private final AtomicLong[] leftAloneUntil;
    private final AtomicInteger turn = new AtomicInteger();
    private final Queue<Done> done = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger again = new AtomicInteger();

    /** A request that was answered, by nanosecond times; from the first attempt on. */
    record Done(long from, long at) {}

    /** An answer that is no success. */
    static final class Refused extends RuntimeException {

        private final String code;
        private final boolean repeated;

        Refused(String message, String code, boolean repeated) {
            super(message);
            this.code = code;
            this.repeated = repeated;
        }

        /** Whether an earlier attempt did its work, and nobody knows its answer any more. */
        boolean answerLost() {
            return repeated && code.equals("idempotency.answer-lost");
        }

        /** Whether an earlier attempt had no answer, and may have done what this one is refused. */
        boolean repeated() {
            return repeated;
        }
    }

    Client(List<String> urls) {
        this.urls = urls;
        this.leftAloneUntil = urls.stream().map(url -> new AtomicLong(System.nanoTime())).toArray(AtomicLong[]::new);
    }

    /** The answer to a request, however often it takes, empty for one that is no object; fails for one that is no success. */
    JsonObject post(String path, JsonObject body, String token) {
        String key = UUID.randomUUID().toString();
        long from = System.nanoTime();
        String last = "";
        boolean repeated = false;
        while (System.nanoTime() - from < GIVE_UP.toNanos()) {
            int node = next();
            try {
                HttpResponse<String> answer = client.send(request(node, path, body, token, key), HttpResponse.BodyHandlers.ofString());
                String code = answer.headers().firstValue("Error-Code").orElse("");
                if (answer.statusCode() == 200) {
                    done.add(new Done(from, System.nanoTime()));
                    return answer.body().startsWith("{") ? new JsonObject(answer.body()) : new JsonObject();
                }
                last = "%d %s".formatted(answer.statusCode(), answer.body());
                if (answer.statusCode() != 503 && answer.statusCode() != 429 && !code.equals("idempotency.in-flight")) {
                    if (!repeated) {
                        wrong.add("%s: %s".formatted(path, last));
                    }
                    throw new Refused("%s: %s".formatted(path, last), code, repeated);
                }
            } catch (IOException noAnswer) {
                last = noAnswer.toString();
                leftAloneUntil[node].set(System.nanoTime() + LEFT_ALONE.toNanos());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
            again.incrementAndGet();
            repeated = true;
            Await.elapsed(PAUSE);
        }
        wrong.add("%s: no answer in %s, last %s".formatted(path, GIVE_UP, last));
        throw new IllegalStateException(wrong.toString());
    }

    /** Nodes in turn, but for those that have just not answered. */
    private int next() {
        for (int i = 0; i < urls.size(); i++) {
            int node = Math.floorMod(turn.getAndIncrement(), urls.size());
            if (leftAloneUntil[node].get() - System.nanoTime() <= 0) {
                return node;
            }
        }
        return Math.floorMod(turn.getAndIncrement(), urls.size());
    }

    private HttpRequest request(int node, String path, JsonObject body, String token, String key) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(urls.get(node) + path)).timeout(ANSWER_WAIT)
                .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body.encode()));
        Optional.ofNullable(token).ifPresent(bearer -> request.header("Authorization", "Bearer " + bearer).header("Idempotency-Key", key));
        return request.build();
    }

    /** Requests that were answered so far. */
    List<Done> done() {
        return List.copyOf(done);
    }

    /** Answers that no fault explains. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** How often a request was sent again. */
    int again() {
        return again.get();
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
