package io.arbitration.ai.award;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code ai.awards}. Rows are never changed, and removed only when they are older than the history to keep. */
public final class AwardRepository {

    private static final int FORGOTTEN_MAX = 5000;

    /**
     * An object from which an award was drafted.
     *
     * @param number of the exhibit; empty for a document
     * @param summarised whether the model was given a summary of it
     */
    record Input(String address, Optional<String> number, String sha256, long bytes, boolean summarised) {

        private JsonObject json() {
            JsonObject json = new JsonObject().put("address", address);
            number.ifPresent(exhibit -> json.put("number", exhibit));
            return json.put("sha256", sha256).put("bytes", bytes).put("summarised", summarised);
        }
    }

    /** @param answerSha256 of the award's JSON as it was answered */
    record Made(
            UUID awardId, Instant at, UUID userId, String requestId, String model, String promptVersion, List<Input> inputs, String answerSha256,
            int rounds, long promptTokens, long answerTokens) {}

    private final Database database;

    public AwardRepository(Database database) {
        this.database = database;
    }

    /** Removes the oldest awards that were drafted before the history to keep; answers how many. */
    public Future<Integer> deleteExpired(Duration history) {
        return database.query("select ai.forget_awards($1::bigint * interval '1 second', $2)", Tuple.of(history.toSeconds(), FORGOTTEN_MAX),
                row -> row.getInteger(0)).map(List::getFirst);
    }

    Future<Void> insert(Made made) {
        String inputs = new JsonArray(made.inputs.stream().map(Input::json).toList()).encode();
        return database.update("""
                insert into ai.awards (award_id, created, user_id, request_id, model, prompt_version, inputs, answer_sha256, rounds, prompt_tokens, answer_tokens)
                values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                """, Tuple.of(made.awardId, made.at.atOffset(ZoneOffset.UTC), made.userId, made.requestId, made.model, made.promptVersion)
                        .addString(inputs).addString(made.answerSha256).addInteger(made.rounds).addLong(made.promptTokens).addLong(made.answerTokens))
                .mapEmpty();
    }
}
