package io.arbitration.ai.model;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import java.time.Duration;
import java.util.Optional;

/**
 * An OpenAI-compatible model. Its text form leaves the key out.
 *
 * @param url of its chat completions
 * @param contextTokens what it takes and gives in one exchange
 * @param answerTokens of those, what is left for its answer
 * @param exchange time for one
 * @param inFlight exchanges at once from this node
 * @param queueMax exchanges waiting for one of those
 * @param pause how long it is left alone after it has failed several times
 */
public record ModelSettings(
        String url, Optional<String> name, Optional<String> apiKey, StructuredOutput structured, Images images, int contextTokens,
        int answerTokens, Duration exchange, int inFlight, int queueMax, Duration pause) {

    /** How a model is asked for JSON. */
    public enum StructuredOutput { AUTO, JSON_SCHEMA, JSON_OBJECT, NONE }

    /** Whether a model takes images; auto: the first one shows. */
    public enum Images { AUTO, YES, NO }

    /** Empty when none is configured; the bounds are checked all the same. */
    public static Optional<ModelSettings> read(Configuration c) {
        int contextTokens = c.whole("ai.contextTokens", 2048, 2_000_000);
        int answerTokens = c.whole("ai.answerTokens", 256, 131_072);
        if (answerTokens > contextTokens / 2) {
            throw ConfigurationError.outOfBounds("ai.answerTokens", answerTokens, "at most half of ai.contextTokens");
        }
        StructuredOutput structured = switch (c.oneOf("ai.structuredOutput", "auto", "jsonSchema", "jsonObject", "none")) {
            case "auto" -> StructuredOutput.AUTO;
            case "jsonSchema" -> StructuredOutput.JSON_SCHEMA;
            case "jsonObject" -> StructuredOutput.JSON_OBJECT;
            default -> StructuredOutput.NONE;
        };
        Images images = switch (c.oneOf("ai.images", "auto", "true", "false")) {
            case "auto" -> Images.AUTO;
            case "true" -> Images.YES;
            default -> Images.NO;
        };
        ModelSettings model = new ModelSettings(
                c.optional("ai.baseUrl", "http:// or https:// and a host, with or without a path", ModelSettings::completionsUrl).orElse(""),
                c.optional("ai.model"), c.optionalSecret("ai.apiKey"), structured, images, contextTokens, answerTokens,
                Duration.ofSeconds(c.whole("ai.exchangeSeconds", 1, 600)), c.whole("ai.inFlight", 1, 256), c.whole("ai.queueMax", 0, 10_000),
                Duration.ofSeconds(c.whole("ai.breakSeconds", 1, 600)));
        return Optional.of(model).filter(configured -> !configured.url.isEmpty());
    }

    /** Where chat completions are asked for: below a path that is given, else below {@code /v1}, as all such servers have it. */
    private static Optional<String> completionsUrl(String text) {
        String url = text.strip().replaceAll("/+$", "");
        if (!url.matches("https?://[^/?#@\\s]+(/[^?#\\s]*)?")) {
            return Optional.empty();
        }
        if (url.endsWith("/chat/completions")) {
            return Optional.of(url);
        }
        return Optional.of(url + (url.matches("https?://[^/]+") ? "/v1/chat/completions" : "/chat/completions"));
    }

    @Override
    public String toString() {
        return "ModelSettings[%s, %s]".formatted(url, name.orElse("(unnamed)"));
    }
}
