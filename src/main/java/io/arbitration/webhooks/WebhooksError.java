package io.arbitration.webhooks;

import io.arbitration.platform.answer.ApiError;

/** The errors of this area. */
enum WebhooksError implements ApiError {
    NO_ORGANIZATION(403, "webhooks.no-organization", "You belong to no organization, and webhooks belong to organizations."),
    NOT_ADMINISTRATOR(403, "webhooks.not-administrator", "Only administrators of your organization can do this."),
    INVALID_URL(400, "request.invalid", "url: %s"),
    INVALID_CURSOR(400, "request.invalid", "cursor: must be the deliveryID of a delivery listed before"),
    INVALID_SINCE(400, "request.invalid", "since: must be a timestamp, e.g. 2026-11-21T09:30:00.000Z"),
    ONE_OR_SINCE(400, "request.invalid", "body: give either deliveryID, or url and since"),
    URL_NOT_FOUND(404, "webhook-url.not-found", "webhook URL not found"),
    DELIVERY_NOT_FOUND(404, "delivery.not-found", "delivery not found"),
    TOO_MANY_URLS(409, "webhook-url.too-many", "An organization can register at most %d URLs."),
    URL_CLOSED(409, "webhook-url.disabled", "webhook URL is deleted or disabled"),
    DELIVERY_PENDING(409, "delivery.pending", "delivery is still pending");

    private final Terms terms;

    WebhooksError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
