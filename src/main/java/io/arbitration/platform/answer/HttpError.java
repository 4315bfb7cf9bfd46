package io.arbitration.platform.answer;

import io.arbitration.platform.idempotency.Idempotency;

/** The errors that belong to no area. */
public enum HttpError implements ApiError {
    TOKEN(401, "token.invalid", "missing or invalid access token"),
    ANOTHER_USER(401, "session.another-user", "another user is signed in"),
    ANOTHER_ORGANIZATION(403, "session.another-organization", "The session acts for another organization."),
    ORIGIN(403, "origin.not-allowed", "origin not allowed"),
    PERMISSION(403, "permission.required", "permission required: %s"),
    PATH(404, "path.unknown", "path not found"),
    METHOD(405, "method.not-allowed", "method not allowed"),
    MALFORMED(400, "request.malformed", "request: malformed"),
    HOST(400, "request.malformed", "Host: is missing or not a host name"),
    TRANSFER_ENCODING(400, "request.malformed", "Transfer-Encoding: must be chunked"),
    BROKEN_OFF(400, "request.broken-off", "request: broken off"),
    BODY_TOO_SLOW(408, "body.too-slow", "The body did not arrive within %d seconds."),
    BODY_TOO_LARGE(413, "body.too-large", "The body is larger than %d bytes."),
    BODIES_OF_CALLER(429, "bodies.share", "Too many bytes of your requests are held at once, try again later."),
    ADDRESS_TOO_LONG(414, "address.too-long", "The request line is longer than %d bytes."),
    FILE_TOO_LARGE(413, "file.too-large", "The file is larger than %d bytes."),
    CONTENT_TYPE(415, "content-type.unsupported", "The content type must be %s."),
    CONTENT_ENCODING(415, "content-encoding.unsupported", "A compressed body is not accepted."),
    RANGE(416, "range.not-satisfiable", "The range lies outside of the file."),
    IDEMPOTENCY_REUSED(422, "idempotency.key-reused", "Idempotency-Key was used with another body"),
    IDEMPOTENCY_IN_FLIGHT(409, "idempotency.in-flight", "a request with this Idempotency-Key is still in progress"),
    IDEMPOTENCY_ANSWER_LOST(409, "idempotency.answer-lost",
            "a request with this Idempotency-Key was carried out, but its answer was lost; look at what it made"),
    HEADERS_TOO_LARGE(431, "headers.too-large", "The headers are larger than %d bytes."),
    RATE(429, "rate.limited", "Too many requests."),
    INTERNAL(500, "internal", "internal error"),
    OUT_OF_SERVICE(503, "node.out-of-service", "This node is out of service, another may answer."),
    OVERLOADED(503, "overloaded", "The platform is overloaded, try again later."),
    DATABASE(503, "database.unavailable", "The database is not available.");

    private final Terms terms;

    HttpError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
