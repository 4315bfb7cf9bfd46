package io.arbitration.webhooks.urls;

import io.arbitration.platform.answer.ApiError;

/** The errors of the operations on callback URLs. */
enum UrlError implements ApiError {
    INVALID_URL(400, "request.invalid", "url: %s"),
    NOT_FOUND(404, "webhook-url.not-found", "webhook URL not found"),
    TOO_MANY(409, "webhook-url.too-many", "An organization can register at most %d URLs."),
    TEST_UNDER_WAY(429, "webhook-test.under-way", "A test of your organization is still under way.");

    private final Terms terms;

    UrlError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
