package io.arbitration.platform.http;

/** The errors that belong to no area. */
public enum HttpError implements ApiError {
    TOKEN(401, "token.invalid", "missing or invalid access token"),
    PERMISSION(403, "permission.required", "permission required: %s"),
    PATH(404, "path.unknown", "path not found"),
    METHOD(405, "method.not-allowed", "method not allowed"),
    BODY_TOO_LARGE(413, "body.too-large", "The body is larger than %d bytes."),
    CONTENT_TYPE(415, "content-type.unsupported", "The content type must be %s."),
    IDEMPOTENCY_REUSED(422, "idempotency.key-reused", "Idempotency-Key was used with another body"),
    IDEMPOTENCY_IN_FLIGHT(409, "idempotency.in-flight", "a request with this Idempotency-Key is still in progress"),
    RATE(429, "rate.limited", "Too many requests."),
    INTERNAL(500, "internal", "internal error"),
    OVERLOADED(503, "overloaded", "The platform is overloaded, try again later."),
    DATABASE(503, "database.unavailable", "The database is not available.");

    private final int status;
    private final String code;
    private final String text;

    HttpError(int status, String code, String text) {
        this.status = status;
        this.code = code;
        this.text = text;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public String code() {
        return code;
    }

    @Override
    public String text() {
        return text;
    }
}
