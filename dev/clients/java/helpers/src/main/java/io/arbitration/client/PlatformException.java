package io.arbitration.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.arbitration.client.model.ErrorCode;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.Optional;

/** A refusal by the platform. Programs go by {@link #getErrorCode}, which never changes; {@link #getReason} is for people. */
public class PlatformException extends ApiException {

    private static final long serialVersionUID = 1L;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int REASON_MAX = 2_000;

    private final String errorCodeText;
    private final String reason;
    private final String requestID;
    private final Double retryAfterSeconds;

    PlatformException(int status, HttpHeaders headers, String body) {
        this(status, headers, body, errorCodeText(headers, body), reason(body), headers.firstValue("X-Request-Id").orElse(null));
    }

    private PlatformException(int status, HttpHeaders headers, String body, String errorCodeText, String reason, String requestID) {
        super(status, status + (errorCodeText == null ? "" : " " + errorCodeText) + (reason == null ? "" : ": " + reason)
                + (requestID == null ? "" : " (request " + requestID + ")"), headers, body);
        this.errorCodeText = errorCodeText;
        this.reason = reason;
        this.requestID = requestID;
        this.retryAfterSeconds = RetryPolicy.retryAfterSeconds(headers.firstValue("Retry-After"), Instant.now()).orElse(null);
    }

    /** The failure of a call: what {@link Credentials} were refused, else that there was no answer. Called by the API classes. */
    public static ApiException of(Exception failed) {
        return failed instanceof RenewalException renewal ? renewal.refused() : new ApiException(failed);
    }

    /** An answer other than 2xx. Called by the API classes. */
    public static PlatformException of(int status, HttpHeaders headers, String body) {
        return new PlatformException(status, headers, body);
    }

    private static String errorCodeText(HttpHeaders headers, String body) {
        return oauth(body).map(error -> error.path("error").asText()).or(() -> headers.firstValue("Error-Code")).orElse(null);
    }

    /** An error of RFC 6749. */
    private static Optional<JsonNode> oauth(String body) {
        return tree(body).filter(tree -> tree.path("error").isTextual());
    }

    private static Optional<JsonNode> tree(String body) {
        if (body == null || !(body.startsWith("\"") || body.startsWith("{"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readTree(body));
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }

    private static String reason(String body) {
        if (body == null || body.isBlank()) {
            return null;
        }
        String text = tree(body).map(tree -> {
            for (String member : new String[] {"error_description", "detail", "title", "error"}) {
                if (tree.path(member).isTextual()) {
                    return tree.path(member).asText();
                }
            }
            return tree.isTextual() ? tree.asText() : body;
        }).orElse(body);
        return text.length() > REASON_MAX ? text.substring(0, REASON_MAX) : text;
    }

    /** The HTTP status. */
    public int getStatus() {
        return getCode();
    }

    /** The stable name of the error; {@code UNKNOWN_DEFAULT_OPEN_API} for one that is newer than this client, and where there is none. */
    public ErrorCode getErrorCode() {
        return ErrorCode.fromValue(errorCodeText);
    }

    /** The header {@code Error-Code} as it came ({@code error} of an answer by RFC 6749); null where something before the platform answered. */
    public String getErrorCodeText() {
        return errorCodeText;
    }

    /** One sentence for people, at most 2,000 characters; null where the answer was empty. */
    public String getReason() {
        return reason;
    }

    /** The {@code X-Request-Id} by which an operator finds the call in the log; null where something before the platform answered. */
    public String getRequestID() {
        return requestID;
    }

    /** After how many seconds the call may be repeated; empty where the answer does not say. */
    public Optional<Double> getRetryAfterSeconds() {
        return Optional.ofNullable(retryAfterSeconds);
    }
}
