package io.arbitration.ai.model;

import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.outbound.RetryAfter;
import io.arbitration.platform.telemetry.ObservedPart;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.circuitbreaker.CircuitBreaker;
import io.vertx.circuitbreaker.CircuitBreakerOptions;
import io.vertx.circuitbreaker.CircuitBreakerState;
import io.vertx.circuitbreaker.OpenCircuitException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of the configured model, by {@code /v1/chat/completions}. Every exchange is bounded in time and size, and a bulkhead
 * bounds how many run and wait. A passing failure is retried after a pause. A circuit breaker opens after several failures in a row,
 * and no request is sent while it is open. Failures are {@link ModelFailure}. May be used from any thread.
 */
public final class ModelClient {

    private static final int ATTEMPTS_MAX = 3;
    private static final int DIALECTS_MAX = 6;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    /** If the endpoint asks for a longer pause, the request fails as busy instead of waiting. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(20);
    private static final int FAILURES_MAX = 5;
    private static final String USE = "requests";
    private static final int REFUSAL_WORDS_MAX = 2000;
    /** How servers say that a model takes none: "image input is not supported", "is not a multimodal model", "unknown variant `image_url`". */
    private static final Pattern OF_IMAGES = Pattern.compile("image|multi-?modal|vision|expected `text`|content must be a string", Pattern.CASE_INSENSITIVE);
    private static final Logger LOG = LoggerFactory.getLogger(ModelClient.class);

    private final Vertx vertx;
    private final ModelSettings settings;
    private static final Duration[] BUCKETS = Stream.of(1, 2, 5, 10, 30, 60, 120, 300).map(Duration::ofSeconds).toArray(Duration[]::new);
    private final ModelExchange exchange;
    private final CircuitBreaker breaker;
    private final Bulkhead bulkhead;
    private final MeterRegistry meters;
    private final ObservedPart part;
    private final Clock clock;
    private final RandomGenerator random;
    private volatile Dialect dialect;
    private volatile boolean takesImages;

    public ModelClient(Vertx vertx, ModelSettings settings, MeterRegistry meters, ObservedPart part, Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.settings = settings;
        this.exchange = new ModelExchange(vertx, settings.url(), settings.apiKey(), settings.inFlight());
        this.bulkhead = Bulkhead.ofNode(settings.inFlight(), settings.queueMax(),
                () -> new ModelFailure(ModelFailure.Kind.BUSY, "too many requests wait for the model", settings.exchange().dividedBy(4)));
        this.meters = meters;
        this.part = part;
        this.clock = clock;
        this.random = random;
        this.dialect = Dialect.first(settings.structured());
        this.takesImages = settings.images() != ModelSettings.Images.NO;
        this.breaker = CircuitBreaker.create("ai.model", vertx, new CircuitBreakerOptions()
                // The exchange has a timeout of its own. Failures are counted in a window of ten exchanges.
                .setTimeout(-1).setMaxFailures(FAILURES_MAX).setFailuresRollingWindow(settings.exchange().multipliedBy(10).toMillis())
                .setResetTimeout(settings.pause().toMillis()).setNotificationPeriod(0));
        breaker.failurePolicy(done -> done.failed() && done.cause() instanceof ModelFailure failure && failure.kind().isOutage());
        breaker.openHandler(open -> LOG.warn("the model at {} failed {} times, no request is sent to it for {} s",
                settings.url(), FAILURES_MAX, settings.pause().toSeconds()));
        breaker.closeHandler(closed -> LOG.info("the model at {} answers again", settings.url()));
        exchanges("answered");
        Stream.of(ModelFailure.Kind.values()).map(ModelClient::result).forEach(this::exchanges);
        Gauge.builder("ai.model.in.flight", bulkhead, Bulkhead::running).description("Exchanges with the model under way").register(meters);
        Gauge.builder("ai.model.waiting", bulkhead, Bulkhead::waiting).description("Exchanges with the model that wait until others have ended").register(meters);
    }

    public ModelSettings settings() {
        return settings;
    }

    /** Whether requests may hold images: as configured, or else until the model has refused the first. */
    public boolean takesImages() {
        return takesImages;
    }

    /** Whether the circuit breaker is open: every request fails at once. */
    public boolean isBreakerOpen() {
        return breaker.state() == CircuitBreakerState.OPEN;
    }

    /** Sends a request. Waiting in the bulkhead and the pauses between attempts count towards the time. */
    public Future<ModelAnswer> ask(ModelRequest request, Duration within) {
        long endNanos = System.nanoTime() + within.toNanos();
        return bulkhead.run(() -> attempt(request, endNanos, 1, 0));
    }

    private Future<ModelAnswer> attempt(ModelRequest request, long endNanos, int attempt, int dialects) {
        Duration left = Duration.ofNanos(endNanos - System.nanoTime());
        if (left.toMillis() <= 0) {
            return Future.failedFuture(new ModelFailure(ModelFailure.Kind.TIMED_OUT, "the model was not asked in time"));
        }
        Dialect spoken = dialect;
        Duration time = left.compareTo(settings.exchange()) < 0 ? left : settings.exchange();
        return breaker.execute(() -> once(request, spoken, time)).recover(failed -> switch (failed) {
            case UnknownWords unknown when dialects < DIALECTS_MAX -> {
                dialect = unknown.instead;
                LOG.info("the model at {} does not take what it was asked in; asked from now on as {}", settings.url(), unknown.instead);
                yield attempt(request, endNanos, attempt, dialects + 1);
            }
            case OpenCircuitException open -> Future.failedFuture(
                    new ModelFailure(ModelFailure.Kind.BUSY, "the model failed several times and is not asked for a while", settings.pause()));
            case ModelFailure failure when attempt < ATTEMPTS_MAX && isWorthRepeating(failure) -> again(request, failure, endNanos, attempt, dialects);
            default -> Future.failedFuture(failed);
        });
    }

    private static boolean isWorthRepeating(ModelFailure failure) {
        return failure.kind() == ModelFailure.Kind.BUSY || failure.kind() == ModelFailure.Kind.AWAY;
    }

    private Future<ModelAnswer> again(ModelRequest request, ModelFailure failure, long endNanos, int attempt, int dialects) {
        Duration own = FIRST_PAUSE.multipliedBy(1L << attempt - 1);
        Duration pause = Duration.ofMillis(Math.round(Math.max(own.toMillis(), failure.retryAfter().toMillis()) * (1 + 0.2 * random.nextDouble())));
        if (pause.compareTo(PAUSE_MAX) > 0 || System.nanoTime() + pause.toNanos() > endNanos) {
            return Future.failedFuture(failure);
        }
        return vertx.timer(pause.toMillis(), TimeUnit.MILLISECONDS).compose(waited -> attempt(request, endNanos, attempt + 1, dialects));
    }

    /** The endpoint refused a member of the request that can be left out. */
    private static final class UnknownWords extends RuntimeException {

        private final transient Dialect instead;

        UnknownWords(Dialect instead) {
            super("unknown words", null, false, false);
            this.instead = instead;
        }
    }

    private Future<ModelAnswer> once(ModelRequest request, Dialect spoken, Duration time) {
        Timer.Sample sample = Timer.start(meters);
        return exchange.post(spoken.body(settings.name(), request).toBuffer(), time)
                .map(answer -> read(answer, spoken, request.hasImages()))
                .onComplete(ended -> {
                    String result = ended.succeeded() ? "answered"
                            : ended.cause() instanceof ModelFailure failure ? result(failure.kind()) : "refused";
                    sample.stop(exchanges(result));
                    observe(ended);
                });
    }

    /** A server that refuses one request, or has too many, may well answer others. */
    private void observe(AsyncResult<ModelAnswer> ended) {
        if (ended.succeeded()) {
            part.succeeded(USE);
        } else if (ended.cause() instanceof ModelFailure failure) {
            switch (failure.kind()) {
                case AWAY, TIMED_OUT, UNAUTHORIZED, UNUSABLE -> part.failed(USE, failure.getMessage());
                case REFUSED, NO_IMAGES -> part.succeeded(USE);
                case BUSY -> { }
            }
        }
    }

    private Timer exchanges(String result) {
        return Timer.builder("ai.model.exchanges").description("Exchanges with the model").serviceLevelObjectives(BUCKETS).tag("result", result).register(meters);
    }

    private static String result(ModelFailure.Kind kind) {
        return kind.name().toLowerCase(java.util.Locale.ROOT);
    }

    private ModelAnswer read(ModelExchange.Answer answer, Dialect spoken, boolean withImages) {
        // llama-cpp-python answers 500 to a member that it does not know, llama.cpp 500 to an image.
        if (answer.status() == 400 || answer.status() == 415 || answer.status() == 422 || answer.status() == 500) {
            // Not logged, because a server may repeat the request in it.
            String words = answer.body().getString(0, Math.min(answer.body().length(), REFUSAL_WORDS_MAX));
            if (withImages && settings.images() == ModelSettings.Images.AUTO && OF_IMAGES.matcher(words).find()) {
                if (takesImages) {
                    LOG.info("the model at {} takes no images; it is given none from now on", settings.url());
                }
                takesImages = false;
                throw new ModelFailure(ModelFailure.Kind.NO_IMAGES, "the model takes no images");
            }
            spoken.without(words, settings.structured()).ifPresent(instead -> {
                throw new UnknownWords(instead);
            });
        }
        Duration retryAfter = RetryAfter.of(answer.retryAfter(), clock.instant());
        return switch (answer.status()) {
            case 200 -> completion(answer);
            case 401, 403 -> throw new ModelFailure(ModelFailure.Kind.UNAUTHORIZED, "the model does not accept the key of the platform: status %d".formatted(answer.status()));
            case 429 -> throw new ModelFailure(ModelFailure.Kind.BUSY, "the model takes no more requests now", retryAfter);
            default -> throw answer.status() == 408 || answer.status() >= 500
                    ? new ModelFailure(ModelFailure.Kind.AWAY, "the model answered status %d".formatted(answer.status()), retryAfter)
                    : new ModelFailure(ModelFailure.Kind.REFUSED, "the model refused the request with status %d".formatted(answer.status()));
        };
    }

    private ModelAnswer completion(ModelExchange.Answer answer) {
        try {
            JsonObject body = answer.body().toJsonObject();
            ModelAnswer.Usage usage = usage(body.getJsonObject("usage"));
            count("prompt", usage.promptTokens());
            count("answer", usage.answerTokens());
            JsonArray choices = body.getJsonArray("choices", new JsonArray());
            JsonObject choice = choices.isEmpty() ? null : choices.getJsonObject(0);
            JsonObject message = choice == null ? null : choice.getJsonObject("message");
            String text = message == null ? null : message.getString("content");
            if (text == null || text.isBlank()) {
                throw new ModelFailure(ModelFailure.Kind.UNUSABLE, "the model answered nothing");
            }
            return new ModelAnswer(text, Optional.ofNullable(body.getString("model")).filter(name -> !name.isBlank()).or(settings::name).orElse("unnamed"),
                    !"length".equals(choice.getString("finish_reason")), usage);
        } catch (DecodeException | ClassCastException notTheProtocol) {
            throw new ModelFailure(ModelFailure.Kind.UNUSABLE, "the model's answer is not in the form of the protocol");
        }
    }

    private static ModelAnswer.Usage usage(JsonObject usage) {
        return usage == null ? ModelAnswer.Usage.NONE
                : new ModelAnswer.Usage(tokens(usage.getValue("prompt_tokens")), tokens(usage.getValue("completion_tokens")));
    }

    private static long tokens(Object value) {
        return value instanceof Number number && number.longValue() > 0 ? number.longValue() : 0;
    }

    private void count(String kind, long tokens) {
        Counter.builder("ai.model.tokens").description("Tokens as the model's server counts them").tag("kind", kind).register(meters).increment(tokens);
    }

    public Future<Void> close() {
        breaker.close();
        return exchange.close();
    }
}
