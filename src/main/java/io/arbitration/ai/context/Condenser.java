package io.arbitration.ai.context;

import io.arbitration.ai.model.ModelAnswer;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.model.ModelFailure;
import io.arbitration.ai.model.ModelMessage;
import io.arbitration.ai.model.ModelRequest;
import io.arbitration.ai.model.Tokens;
import io.arbitration.platform.batching.SequentialWork;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Makes inputs fit into the context of the model. Inputs that fit stay as they are. Otherwise the model summarises the longest ones,
 * each by itself and piece by piece. So no input is cut off, and the same inputs are always treated in the same way.
 */
public final class Condenser {

    /** A shorter summary would say nothing. */
    private static final int SUMMARY_TOKENS_MIN = 48;
    private static final int PIECE_SUMMARY_TOKENS_MIN = 96;
    private static final int ROUNDS_MAX = 5;
    private static final int WORD_TOKENS = 2;
    private static final PromptText PROMPT = PromptText.read("summary.1");

    /** Inputs that fit, and the tokens that summarising them took. */
    public record Condensed(List<Material> materials, ModelAnswer.Usage usage) {}

    private final ModelClient model;
    private final RandomGenerator random;
    private final long endNanos;
    private ModelAnswer.Usage usage = ModelAnswer.Usage.NONE;

    /** For one request. */
    private Condenser(ModelClient model, RandomGenerator random, long endNanos) {
        this.model = model;
        this.random = random;
        this.endNanos = endNanos;
    }

    /**
     * @param tokensMax of all inputs together
     * @param within the time for all summaries; fails with {@link TooLong} when not even summaries fit
     */
    public static Future<Condensed> condense(ModelClient model, RandomGenerator random, List<Material> materials, int tokensMax, Duration within) {
        Condenser condenser = new Condenser(model, random, System.nanoTime() + within.toNanos());
        int fixed = materials.stream().mapToInt(Condenser::fixed).sum();
        List<Integer> lengths = materials.stream().map(material -> Tokens.of(material.text())).toList();
        int share = share(lengths, tokensMax - fixed);
        if (share < SUMMARY_TOKENS_MIN && lengths.stream().anyMatch(length -> length > share)) {
            return Future.failedFuture(new TooLong());
        }
        return condenser.summarise(materials, share).map(fitting -> new Condensed(fitting, condenser.usage));
    }

    private static int fixed(Material material) {
        return Tokens.of(material.heading().encode()) + Math.ceilDiv(Fence.bytes(), 2)
                + material.pictures().size() * (Tokens.PER_IMAGE + Tokens.of(material.heading().encode()) + Tokens.PER_MESSAGE);
    }

    /** The largest length to which longer inputs have to be shortened so that all of them fit. */
    static int share(List<Integer> lengths, int tokensMax) {
        long left = tokensMax;
        List<Integer> sorted = lengths.stream().sorted().toList();
        for (int i = 0; i < sorted.size(); i++) {
            long equal = left / (sorted.size() - i);
            if (sorted.get(i) > equal) {
                return (int) Math.max(0, equal);
            }
            left -= sorted.get(i);
        }
        return left < 0 ? 0 : Integer.MAX_VALUE;
    }

    private Future<List<Material>> summarise(List<Material> materials, int share) {
        return SequentialWork.each(materials, material -> Tokens.of(material.text()) <= share
                ? Future.succeededFuture(material)
                : summarise(material.heading(), material.text(), share, 1).map(material::summary));
    }

    private Future<String> summarise(JsonObject heading, String text, int share, int round) {
        if (round > ROUNDS_MAX) {
            return Future.failedFuture(new TooLong());
        }
        int context = model.settings().contextTokens();
        int answerMost = Math.min(model.settings().answerTokens(), context / 4);
        int pieceTokens = context - answerMost - Tokens.of(PROMPT.text()) - Tokens.of(heading.encode()) - Fence.bytes() - 2 * Tokens.PER_MESSAGE;
        if (pieceTokens < 4 * PIECE_SUMMARY_TOKENS_MIN) {
            return Future.failedFuture(new TooLong());
        }
        List<String> pieces = Split.of(text, Tokens.bytesOf(pieceTokens));
        int each = Math.clamp(share / pieces.size(), Math.min(share, PIECE_SUMMARY_TOKENS_MIN), answerMost);
        StringBuilder all = new StringBuilder();
        Future<Void> done = Future.succeededFuture();
        for (String piece : pieces) {
            done = done.compose(before -> summary(heading, piece, each, each / WORD_TOKENS))
                    .onSuccess(summary -> all.append(summary.strip()).append('\n'))
                    .mapEmpty();
        }
        return done.compose(ended -> Tokens.of(all.toString()) <= share
                ? Future.succeededFuture(all.toString())
                : summarise(heading, all.toString(), share, round + 1));
    }

    /** Summarises a piece. If the answer was cut off, the model is asked once more for a shorter one. */
    private Future<String> summary(JsonObject heading, String piece, int tokens, int words) {
        return ask(heading, piece, tokens, words).compose(answer -> answer.whole()
                ? Future.succeededFuture(answer)
                : ask(heading, piece, tokens, words / 2)).map(answer -> {
            if (!answer.whole()) {
                throw new ModelFailure(ModelFailure.Kind.UNUSABLE, "the model does not keep its summaries short enough");
            }
            return answer.text();
        });
    }

    private Future<ModelAnswer> ask(JsonObject heading, String piece, int tokens, int words) {
        Fence fence = Fence.of(random);
        String system = PROMPT.with("boundary", fence.boundary()).replace("{words}", String.valueOf(Math.max(8, words)));
        return model.ask(new ModelRequest(List.of(
                        ModelMessage.of(ModelMessage.Role.SYSTEM, system),
                        new ModelMessage(ModelMessage.Role.USER, fence.parts(Material.of(heading, piece)))), Optional.empty(), tokens),
                Duration.ofNanos(endNanos - System.nanoTime()))
                .onSuccess(answer -> usage = usage.plus(answer.usage()));
    }
}
