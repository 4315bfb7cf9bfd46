package io.arbitration.webhooks.sending;

import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.outbound.OutboundAnswer;
import io.arbitration.platform.outbound.OutboundFailure;
import io.arbitration.platform.outbound.OutboundRequest;
import io.arbitration.platform.outbound.TargetUrl;
import io.arbitration.platform.outbound.UnsafeUrl;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Sends a signed POST (Standard Webhooks 1.0) and answers how the attempt ended; a failed attempt is a result, not a failed future. */
public final class WebhookMessage {

    private static final int RESPONSE_BYTES_MAX = 65_536;
    private static final int ERROR_LENGTH_MAX = 500;
    private static final String USER_AGENT = "Arbitration-Case-Platform-Webhooks/1.0";

    private final GuardedClient client;
    private final Clock clock;
    private final Duration exchange;

    /** @param retryAfter the header {@code Retry-After} of the answer, which is not stored with the attempt */
    record Sent(DeliveryAttempt attempt, Optional<String> retryAfter) {}

    public WebhookMessage(GuardedClient client, Clock clock, Duration exchange) {
        this.client = client;
        this.clock = clock;
        this.exchange = exchange;
    }

    Future<Sent> send(String url, String eventId, String envelope, List<SigningSecret> secrets, Map<String, String> moreHeaders) {
        return send(url, eventId, envelope, secrets, moreHeaders, Future.future(never -> {}));
    }

    /** @param end ends the attempt when it completes, with the reason */
    Future<Sent> send(String url, String eventId, String envelope, List<SigningSecret> secrets, Map<String, String> moreHeaders, Future<String> end) {
        Instant at = clock.instant();
        long start = System.nanoTime();
        try {
            byte[] body = envelope.getBytes(StandardCharsets.UTF_8);
            Map<String, String> headers = new HashMap<>(moreHeaders);
            headers.put("content-type", "application/json");
            headers.put("user-agent", USER_AGENT);
            headers.put("webhook-id", eventId);
            headers.put("webhook-timestamp", String.valueOf(at.getEpochSecond()));
            headers.put("webhook-signature", secrets.stream()
                    .map(secret -> secret.signature(eventId, at.getEpochSecond(), body))
                    .collect(Collectors.joining(" ")));
            OutboundRequest request = new OutboundRequest(
                    TargetUrl.parse(url), HttpMethod.POST, headers, Buffer.buffer(body), exchange, RESPONSE_BYTES_MAX);
            return client.send(request, end)
                    .map(answer -> new Sent(answered(at, start, answer), Optional.ofNullable(answer.headers().get("Retry-After"))))
                    .otherwise(failed -> new Sent(notAnswered(at, start, failed), Optional.empty()));
        } catch (UnsafeUrl refused) {
            return Future.succeededFuture(new Sent(notAnswered(at, start, refused), Optional.empty()));
        }
    }

    private static DeliveryAttempt answered(Instant at, long start, OutboundAnswer answer) {
        // The bytes are cut before they are decoded. A character takes at least one byte, so the cut leaves enough characters.
        Buffer body = answer.body();
        String text = body.slice(0, Math.min(body.length(), DeliveryAttempt.RESPONSE_LENGTH_MAX)).toString(StandardCharsets.UTF_8);
        return DeliveryAttempt.answered(at, answer.status(), millisSince(start), text.replace('\0', '\ufffd'));
    }

    private static DeliveryAttempt notAnswered(Instant at, long start, Throwable failed) {
        String error = failed instanceof OutboundFailure || failed instanceof UnsafeUrl ? failed.getMessage() : failed.toString();
        String shown = error.length() > ERROR_LENGTH_MAX ? error.substring(0, ERROR_LENGTH_MAX) : error;
        return DeliveryAttempt.unanswered(at, shown.replace('\0', '\ufffd'), millisSince(start));
    }

    private static int millisSince(long start) {
        return (int) Duration.ofNanos(System.nanoTime() - start).toMillis();
    }
}
