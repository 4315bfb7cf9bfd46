package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.OAuthError;
import io.arbitration.platform.answer.ProblemDetails;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.body.BodyReader;
import io.arbitration.platform.body.UnreadBody;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TenantShareUsedUp;
import io.arbitration.platform.idempotency.Idempotency;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.RequestContext;
import io.arbitration.platform.request.RequestId;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renders all errors: status, headers, and the sentence as a JSON string, as text/plain, as problem details (RFC 9457) or in the form of
 * OAuth.
 */
public final class ErrorBodies implements Handler<RoutingContext> {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorBodies.class);
    private static final long LOG_PAUSE_NANOS = 1_000_000_000L;
    private static final AtomicLong LAST_LOGGED = new AtomicLong(System.nanoTime() - LOG_PAUSE_NANOS);
    /** Set on a context whose area answers errors as text/plain. */
    private static final String PLAIN_TEXT = "errorsAsText";
    private static final String TEXT = "text/plain";
    /** Set on a context whose operation answers errors in the form of RFC 6749. */
    static final String OAUTH = "errorsAsOAuth";

    /** The key of a context attribute: why a caller was refused. For the log only, not for the answer. */
    static final String REASON = "refusedBecause";
    /**
     * Refusals with status 400 that concern security: an answer to a sign-in that this browser did not begin, and a request that is not
     * valid HTTP.
     */
    private static final Set<String> SECURITY_CODES = Set.of("sign-in.not-begun-here", "request.invalid");

    private final SecurityEvents security;
    private final ReplySender sender;

    /** @param security records refusals that concern security */
    public ErrorBodies(SecurityEvents security, ReplySender sender) {
        this.sender = sender;
        this.security = security;
    }

    /** Makes the errors of this request text/plain. */
    static void asText(RoutingContext context) {
        context.put(PLAIN_TEXT, true);
        context.next();
    }

    @Override
    public void handle(RoutingContext context) {
        RequestContext.run(context, () -> answer(context));
    }

    private void answer(RoutingContext context) {
        HttpServerResponse response = context.response();
        Refusal refusal = refusal(context);
        if (concernsSecurity(refusal)) {
            security.refused(refusal.code(), Optional.ofNullable(context.<String>get(REASON)).orElse(""),
                    Optional.ofNullable(context.<String>get(OperationTimer.OPERATION)).orElse(""), ClientAddress.of(context));
        }
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            // The answer has begun, so only a broken connection shows the client that the rest is missing.
            response.reset();
            return;
        }
        render(context, refusal);
    }

    private static boolean concernsSecurity(Refusal refusal) {
        return switch (refusal.status()) {
            case 401, 403, 429 -> true;
            default -> SECURITY_CODES.contains(refusal.code());
        };
    }

    private void render(RoutingContext context, Refusal refusal) {
        UndeclaredErrors.check(context, refusal);
        HttpServerResponse response = context.response();
        String usual = Boolean.TRUE.equals(context.get(PLAIN_TEXT)) ? TEXT : Reply.JSON;
        boolean problem = ProblemDetails.areWanted(context.request().headers(), usual);
        response.setStatusCode(refusal.status())
                .putHeader("Error-Code", refusal.code())
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader(HttpHeaders.CONTENT_TYPE, problem ? ProblemDetails.CONTENT_TYPE : usual.equals(TEXT) ? "text/plain; charset=utf-8" : usual);
        refusal.retryAfterSeconds().ifPresent(seconds -> response.putHeader(HttpHeaders.RETRY_AFTER, String.valueOf(seconds)));
        if (refusal.isReplayed()) {
            response.putHeader(Idempotency.REPLAYED, "true");
        }
        if (refusal.status() == 401) {
            // Every 401 has a challenge (RFC 9110, section 15.5.2). It only names an invalid token if the request had one.
            boolean sent = refusal.code().equals(HttpError.TOKEN.code())
                    && context.request().getHeader(HttpHeaders.AUTHORIZATION) != null;
            response.putHeader("WWW-Authenticate", isOAuth(context) ? "Basic realm=\"arbitration-platform\"" :
                    "Bearer realm=\"arbitration-platform\"" + (sent ? ", error=\"invalid_token\"" : ""));
        }
        BodyReader.drop(context);
        UnreadBody.discard(context.vertx(), context.request());
        String requestId = context.get(RequestId.KEY);
        sender.refuse(context.vertx(), context.request(), requestId, OperationPipeline.owner(context),
                problem ? ProblemDetails.of(refusal, requestId) : body(context, refusal, usual.equals(TEXT)));
    }

    private static Buffer body(RoutingContext context, Refusal refusal, boolean text) {
        if (isOAuth(context)) {
            return new JsonObject().put("error", OAuthError.nameOf(refusal)).put("error_description", refusal.getMessage()).toBuffer();
        }
        return text ? Buffer.buffer(refusal.getMessage()) : Json.encodeToBuffer(refusal.getMessage());
    }

    private static boolean isOAuth(RoutingContext context) {
        return Boolean.TRUE.equals(context.get(OAUTH));
    }

    private static Refusal refusal(RoutingContext context) {
        Throwable failure = context.failure();
        if (failure instanceof Refusal refusal) {
            return refusal;
        }
        String request = context.get(RequestId.KEY);
        if (failure != null && Database.isUnavailable(failure)) {
            logAtMostOnceASecond(request, context, failure);
            return HttpError.DATABASE.refusal().retryAfter(1);
        }
        if (failure instanceof TenantShareUsedUp) {
            return HttpError.RATE.refusal().retryAfter(1);
        }
        if (failure != null && Database.isOverloaded(failure)) {
            logAtMostOnceASecond(request, context, failure);
            return HttpError.OVERLOADED.refusal().retryAfter(1);
        }
        return switch (context.statusCode()) {
            case 400 -> Refusal.badRequest("request: malformed");
            case 404 -> HttpError.PATH.refusal();
            case 405 -> HttpError.METHOD.refusal();
            default -> {
                LOG.error("request {} {} failed", request, what(context), failure);
                yield HttpError.INTERNAL.refusal();
            }
        };
    }

    /** One line a second for all such failures: while the database is not available, a line for each request would fill the disk. */
    private static void logAtMostOnceASecond(String request, RoutingContext context, Throwable failure) {
        long now = System.nanoTime();
        long last = LAST_LOGGED.get();
        if (now - last > LOG_PAUSE_NANOS && LAST_LOGGED.compareAndSet(last, now)) {
            LOG.warn("request {} {} failed, and perhaps others of the same second: {}", request, what(context), failure.getMessage());
        }
    }

    /** The operation if it is known, otherwise the path: a path can contain a secret, such as that of a calendar feed. */
    private static String what(RoutingContext context) {
        return context.get(OperationTimer.OPERATION, context.request().path());
    }
}
