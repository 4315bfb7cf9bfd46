package io.arbitration.platform.idempotency;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.keys.Kms;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code Idempotency-Key} header. The first request with a key is executed; a later one with the same body gets the stored answer and
 * {@code Idempotent-Replayed: true}. Answers are stored for {@link #KEPT}, for each caller and operation, encrypted because some contain
 * secrets. Answers with 429 or from 500 up are not stored, so that the client may send the request again, unless its work is committed. The
 * transaction that does the work also records that, so a crash cannot make the same request take effect twice.
 */
public final class Idempotency {

    public static final String HEADER = "Idempotency-Key";
    public static final String REPLAYED = "Idempotent-Replayed";
    static final Duration KEPT = Duration.ofHours(24);
    /**
     * A request without an answer after this time is given up, and its key is free again. The key of a request on a dead node is free
     * sooner.
     */
    static final Duration LEASE = Duration.ofMinutes(2);
    private static final int KEY_LENGTH_MAX = 200;
    private static final long LATER_MILLIS = 500;
    /**
     * The most answers that wait until the database is available again. Further ones are not stored, and their keys are free after {@link
     * #LEASE}.
     */
    private static final int LATER_MAX = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(Idempotency.class);

    private final Vertx vertx;
    private final AtomicInteger later = new AtomicInteger();
    private final IdempotencyRepository repository;
    private final Kms kms;
    private final Clock clock;

    public Idempotency(Vertx vertx, IdempotencyRepository repository, Kms kms, Clock clock) {
        this.vertx = vertx;
        this.repository = repository;
        this.kms = kms;
        this.clock = clock;
    }

    /** Deletes answers that are older than {@link #KEPT}; called periodically. */
    public Future<Integer> deleteExpired() {
        return repository.deleteBefore(clock.instant().minus(KEPT));
    }

    /**
     * Answers with the stored answer, or executes the request.
     *
     * @param run executes the request; gets the key, which the transaction of its work has to mark
     */
    public Future<Reply> once(UUID caller, String operation, String key, Buffer body, Function<Optional<RequestKey>, Future<Reply>> run) {
        if (key.isEmpty() || key.length() > KEY_LENGTH_MAX || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
            return Future.failedFuture(Refusal.badRequest("Idempotency-Key: 1 to %d printable characters".formatted(KEY_LENGTH_MAX)));
        }
        // The claim is later found by its time. PostgreSQL stores microseconds only, so the time is cut before.
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var entry = new IdempotencyRepository.Entry(caller, operation, key, hash(body), now);
        return repository.claim(entry, now.minus(LEASE), now.minus(KEPT)).compose(claim -> switch (claim) {
            case IdempotencyRepository.Claimed first -> runAndKeep(entry, run);
            case IdempotencyRepository.OtherBody other -> Future.failedFuture(HttpError.IDEMPOTENCY_REUSED.refusal());
            case IdempotencyRepository.InFlight running -> Future.failedFuture(inFlight());
            case IdempotencyRepository.AnswerLost lost -> Future.failedFuture(HttpError.IDEMPOTENCY_ANSWER_LOST.refusal());
            case IdempotencyRepository.Answered answered -> replay(entry, answered);
        });
    }

    private static Refusal inFlight() {
        return HttpError.IDEMPOTENCY_IN_FLIGHT.refusal().retryAfter(1);
    }

    private Future<Reply> runAndKeep(IdempotencyRepository.Entry entry, Function<Optional<RequestKey>, Future<Reply>> run) {
        RequestKey key = new RequestKey(entry.caller(), entry.operation(), entry.key(), entry.claimedAt());
        return run.apply(Optional.of(key)).recover(failed -> Future.failedFuture(failed instanceof RequestKey.Taken ? inFlight() : failed)).transform(result -> {
            JsonObject answer = result.succeeded() ? stored(result.result()) : stored(result.cause());
            // The work is committed. If the answer cannot be stored, the client gets it nevertheless.
            return keep(entry, answer).otherwise(failed -> {
                LOG.warn("keeping the answer to {} for its idempotency key failed: {}", entry.operation(), failed.getMessage());
                keepLater(entry, answer);
                return null;
            }).transform(ignored -> result.succeeded()
                    ? Future.succeededFuture(result.result())
                    : Future.failedFuture(result.cause()));
        });
    }

    /** Stores an answer. @param answer null: frees the key, so that the request may be sent again */
    private Future<Void> keep(IdempotencyRepository.Entry entry, JsonObject answer) {
        return answer == null
                ? repository.release(entry)
                : repository.answer(entry, kms.encrypt(answer.toBuffer().getBytes(), entry.context()));
    }

    /**
     * Tries again to store the answer, because the database may be available soon. Until then, a repeated request is refused as still
     * running.
     */
    private void keepLater(IdempotencyRepository.Entry entry, JsonObject answer) {
        if (later.incrementAndGet() > LATER_MAX) {
            later.decrementAndGet();
            return;
        }
        vertx.setTimer(LATER_MILLIS, timer -> keep(entry, answer).onComplete(kept -> later.decrementAndGet(), failed -> {
            later.decrementAndGet();
            if (clock.instant().isBefore(entry.claimedAt().plus(LEASE))) {
                keepLater(entry, answer);
            }
        }));
    }

    private static JsonObject stored(Reply reply) {
        return new JsonObject()
                .put("status", reply.status())
                .put("type", reply.contentType())
                .put("headers", new JsonObject(new HashMap<>(reply.headers())))
                .put("cookies", new JsonArray(reply.cookies()))
                .put("body", reply.body().getBytes());
    }

    private static JsonObject stored(Throwable failure) {
        if (failure instanceof Refusal refusal && refusal.status() < 500 && refusal.status() != 429) {
            return new JsonObject().put("status", refusal.status()).put("code", refusal.code()).put("text", refusal.getMessage());
        }
        return null;
    }

    private Future<Reply> replay(IdempotencyRepository.Entry entry, IdempotencyRepository.Answered answered) {
        JsonObject stored = (JsonObject) Json.decodeValue(Buffer.buffer(kms.decrypt(answered.answer(), entry.context())));
        if (stored.containsKey("code")) {
            return Future.failedFuture(new Refusal(stored.getInteger("status"), stored.getString("code"), stored.getString("text")).again());
        }
        Map<String, String> headers = new HashMap<>();
        stored.getJsonObject("headers").forEach(header -> headers.put(header.getKey(), (String) header.getValue()));
        headers.put(REPLAYED, "true");
        return Future.succeededFuture(new Reply(
                stored.getInteger("status"), stored.getString("type"), Buffer.buffer(stored.getBinary("body")), headers)
                // Nodes of the previous release store no cookies.
                .withCookies(stored.getJsonArray("cookies", new JsonArray()).stream().map(String.class::cast).toList()));
    }

    private static byte[] hash(Buffer body) {
        return Sha256.of(body.getBytes());
    }
}
