package io.arbitration.platform.pipeline;

import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * The deprecation of an operation. Every answer of it, also a refusal, has the headers {@code Deprecation} (RFC 9745) and {@code
 * Sunset} (RFC 8594), and {@code Link} refers to the page that names the replacement.
 */
final class Retirement implements Handler<RoutingContext> {

    /** Promised by the versioning policy. */
    private static final Period NOTICE_MIN = Period.ofMonths(12);
    private static final String SINCE = "x-deprecated";
    private static final String SUNSET = "x-sunset";

    private final String deprecation;
    private final String sunset;

    private Retirement(Instant since, Instant ends) {
        deprecation = "@" + since.getEpochSecond();
        sunset = DateTimeFormatter.RFC_1123_DATE_TIME.format(ends.atOffset(ZoneOffset.UTC));
    }

    /**
     * Reads {@code x-deprecated} and {@code x-sunset}, days of UTC, of an operation that is marked {@code deprecated}.
     *
     * @throws IllegalStateException if one of the three is present without the others, or the sunset is too soon
     */
    static Optional<Retirement> of(JsonObject operation) {
        boolean deprecated = operation.getBoolean("deprecated", false);
        if (operation.containsKey(SINCE) != deprecated || operation.containsKey(SUNSET) != deprecated) {
            throw new IllegalStateException("operation %s: deprecated, %s and %s go together".formatted(operation.getString("operationId"), SINCE, SUNSET));
        }
        if (!deprecated) {
            return Optional.empty();
        }
        LocalDate since = LocalDate.parse(operation.getString(SINCE));
        LocalDate ends = LocalDate.parse(operation.getString(SUNSET));
        if (ends.isBefore(since.plus(NOTICE_MIN))) {
            throw new IllegalStateException("operation %s: %s is less than 12 months after %s".formatted(operation.getString("operationId"), SUNSET, SINCE));
        }
        return Optional.of(new Retirement(since.atStartOfDay().toInstant(ZoneOffset.UTC), ends.atStartOfDay().toInstant(ZoneOffset.UTC)));
    }

    @Override
    public void handle(RoutingContext context) {
        context.response().putHeader("Deprecation", deprecation).putHeader("Sunset", sunset).putHeader("Link", "</docs>; rel=\"deprecation\"; type=\"text/html\"");
        context.next();
    }
}
