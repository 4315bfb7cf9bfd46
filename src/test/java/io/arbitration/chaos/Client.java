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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Sends requests as a client behind a load balancer would: to one of the nodes and, when there is no answer in time or a status that
 * allows a retry, again to the next node with the same {@code Idempotency-Key}.
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

    /** A request that was answered: the times of its first attempt and of its answer, in nanoseconds. */
    record Done(long from, long at) {}

    /** An answer whose status is not 2xx. */
    static final class Refused extends RuntimeException {

        private final String code;
        private final boolean repeated;

        Refused(String message, String code, boolean repeated) {
            super(message);
            this.code = code;
            this.repeated = repeated;
        }

        /** Whether an earlier attempt did its work and its answer was lost. */
        boolean answerLost() {
            return repeated && code.equals("idempotency.answer-lost");
        }

        /** Whether an earlier attempt got no answer; it may have done its work, which is why this attempt was refused. */
        boolean repeated() {
            return repeated;
        }
    }

    Client(List<String> urls) {
        this.urls = urls;
        this.leftAloneUntil = urls.stream().map(url -> new AtomicLong(System.nanoTime())).toArray(AtomicLong[]::new);
    }

    /** Sends a request until it is answered. Gives the object of the answer, or an empty one. Throws {@link Refused} for another status than 2xx. */
    JsonObject post(String path, JsonObject body, String token) {
        return post(path, body, token, Set.of());
    }

    /** Sends it until its answer arrives whole: where one was lost, and with it what was made, another is made. */
    <T> T settled(String path, JsonObject body, String token, Function<JsonObject, T> read) {
        while (true) {
            try {
                return read.apply(post(path, body, token, Set.of()));
            } catch (Refused refused) {
                if (!refused.answerLost()) {
                    throw refused;
                }
            }
        }
    }

    /**
     * Sends it until it is answered, and gives {@code ok}, {@code refused} or, where an attempt without an answer may have done it or may
     * do it yet, {@code unknown}.
     *
     * @param refusals statuses that refuse it; any other but 200 is wrong
     */
    String outcome(String path, JsonObject body, String token, Set<Integer> refusals) {
        try {
            post(path, body, token, refusals);
            return "ok";
        } catch (Refused refused) {
            return refused.repeated() ? "unknown" : "refused";
        }
    }

    private JsonObject post(String path, JsonObject body, String token, Set<Integer> refusals) {
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
                    if (!repeated && !refusals.contains(answer.statusCode())) {
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

    /** The next node, without those that have just failed to answer. */
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

    /** The requests that were answered so far. */
    List<Done> done() {
        return List.copyOf(done);
    }

    /** Wrong answers that no fault explains. */
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
