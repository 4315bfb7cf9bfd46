package io.arbitration.platform.pipeline;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.text.VisibleName;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.idempotency.Idempotency;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.RequestId;
import io.arbitration.platform.telemetry.LogContext;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** One request that has passed the pipeline: authenticated as the contract asks, its body valid against the contract. */
public final class Call {

    private final RoutingContext context;
    private final JsonObject body;
    private final Optional<RequestKey> key;

    /** @param key the claimed {@code Idempotency-Key}; empty if the request has none, or if it is not claimed yet */
    Call(RoutingContext context, JsonObject body, Optional<RequestKey> key) {
        this.context = context;
        this.body = body;
        this.key = key;
        if (body.getValue("caseID") instanceof String caseId) {
            // A text that is no UUID names no case and could be anything, so it is not logged.
            Identifiers.uuid(caseId).ifPresent(id -> LogContext.ofCase(id.toString()));
        }
    }

    /** Who calls; only operations with a bearer in the contract have a caller. */
    public Caller caller() {
        Caller caller = context.get(Authentication.CALLER);
        if (caller == null) {
            throw new IllegalStateException("an operation without a bearer has no caller");
        }
        return caller;
    }

    /** Whether the caller came with the session cookie of a browser, not with a bearer token. */
    public boolean isByCookie() {
        return Boolean.TRUE.equals(context.get(Authentication.BY_COOKIE));
    }

    /** The caller, with all that a service needs to act for the request. */
    public Requester requester() {
        return new Requester(caller(), requestId(), remoteAddress(), trace(), key, Optional.ofNullable(context.request().getHeader("Acting-Organization")));
    }

    /** The JSON body; empty when the request had none. */
    public JsonObject body() {
        return body;
    }

    public String text(String name) {
        return body.getString(name);
    }

    /** @throws Refusal 400 when it is blank */
    public String textNotBlank(String name) {
        String text = text(name);
        if (text.isBlank()) {
            throw Refusal.badRequest(name + ": must not be blank");
        }
        return text;
    }

    /**
     * A name or title that other people read.
     *
     * @throws Refusal 400 when it contains what {@link VisibleName} refuses
     */
    public String name(String field) {
        return optionalName(field).orElseThrow();
    }

    /** The same for an optional member. */
    public Optional<String> optionalName(String field) {
        return optionalText(field).map(text -> {
            VisibleName.problem(text).ifPresent(problem -> {
                throw Refusal.badRequest(field + ": " + problem);
            });
            return text;
        });
    }

    /** @throws Refusal 400 when it is no timestamp with its offset (RFC 3339) */
    public Instant time(String name) {
        return Timestamps.parse(text(name)).orElseThrow(() -> Refusal.badRequest(name + ": must be a time like 2026-11-21T09:30:00.000Z"));
    }

    /** The same for an optional member. */
    public Optional<Instant> optionalTime(String name) {
        return optionalText(name).map(present -> time(name));
    }

    public Optional<String> optionalText(String name) {
        return Optional.ofNullable(body.getString(name));
    }

    /**
     * A whole number, or the given default if the body has none.
     *
     * @throws Refusal 400 when it is larger than the platform supports
     */
    public int integer(String name, int otherwise) {
        Number value = body.getNumber(name);
        if (value == null) {
            return otherwise;
        }
        // The contract accepts 1.0 and 1e2 as whole numbers, and without a bound also 2147483648.
        long number = value.longValue();
        if (number != (int) number || new BigDecimal(value.toString()).compareTo(BigDecimal.valueOf(number)) != 0) {
            throw Refusal.badRequest("%s: from %d to %d".formatted(name, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        return (int) number;
    }

    /** A flag, or the given default if the body has none. */
    public boolean flag(String name, boolean otherwise) {
        return body.getBoolean(name, otherwise);
    }

    /** Whether the body has at least one of these members. */
    public boolean hasAny(String... names) {
        return Stream.of(names).anyMatch(body::containsKey);
    }

    public List<String> texts(String name) {
        JsonArray items = body.getJsonArray(name);
        return items == null ? List.of() : items.stream().map(String.class::cast).toList();
    }

    /** A parameter of the query, as it was written first; empty when absent. */
    public Optional<String> query(String name) {
        return context.queryParam(name).stream().findFirst();
    }

    public Optional<String> cookie(String name) {
        return Optional.ofNullable(context.request().getCookie(name)).map(Cookie::getValue);
    }

    /** The header {@code Authorization}, for an operation that accepts another scheme than a bearer token. */
    public Optional<String> authorization() {
        return Optional.ofNullable(context.request().getHeader(HttpHeaders.AUTHORIZATION));
    }

    public String pathParameter(String name) {
        return context.pathParam(name);
    }

    /** Trace context of the request; empty if it is not traced. */
    public Optional<String> trace() {
        return Optional.ofNullable(context.get(OperationPipeline.TRACE));
    }

    public String requestId() {
        return context.get(RequestId.KEY);
    }

    /**
     * The header {@code Idempotency-Key}; empty when absent. Its form was checked only if the operation's contract accepts the
     * header.
     */
    public Optional<String> idempotencyKey() {
        return Optional.ofNullable(context.request().getHeader(Idempotency.HEADER));
    }

    /** The last event that the client of an event stream has received (HTML standard, section 9.2.4); empty for a new stream. */
    public Optional<String> lastEventId() {
        return Optional.ofNullable(context.request().getHeader("Last-Event-ID")).filter(id -> !id.isEmpty());
    }

    /** Whether a page of another site caused the request, according to the browser (Fetch Metadata). */
    public boolean isFromAnotherSite() {
        return "cross-site".equals(context.request().getHeader("Sec-Fetch-Site"));
    }

    /** The IP address of the client, for the audit trail; behind a trusted proxy, the address that the proxy names. */
    public String remoteAddress() {
        return ClientAddress.of(context);
    }

    /**
     * The time in {@code If-Match}, for records whose revision is the time of their last change; empty if absent or {@code *}.
     *
     * @throws Refusal 400 when the header is not such a time in double quotes
     */
    public Optional<Instant> ifMatchTime() {
        String header = context.request().getHeader("If-Match");
        if (header == null || header.equals("*")) {
            return Optional.empty();
        }
        try {
            if (header.length() >= 2 && header.startsWith("\"") && header.endsWith("\"")) {
                return Optional.of(Instant.parse(header.substring(1, header.length() - 1)));
            }
        } catch (DateTimeParseException broken) {
            // Falls through to the refusal below.
        }
        throw Refusal.badRequest("If-Match: must be the time of the last change in double quotes, as the ETag gave it");
    }

    /**
     * The revision in {@code If-Match} (RFC 9110, section 13.1.1); empty when absent or {@code *}.
     *
     * @throws Refusal 400 when the header is not a revision this platform gave
     */
    public OptionalLong ifMatch() {
        String header = context.request().getHeader("If-Match");
        if (header == null || header.equals("*")) {
            return OptionalLong.empty();
        }
        if (!header.matches("\"[0-9]{1,18}\"")) {
            throw Refusal.badRequest("If-Match: must be a revision in double quotes, as the ETag gave it");
        }
        return OptionalLong.of(Long.parseLong(header.substring(1, header.length() - 1)));
    }
}
