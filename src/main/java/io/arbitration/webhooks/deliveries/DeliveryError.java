package io.arbitration.webhooks.deliveries;

import io.arbitration.platform.answer.ApiError;

/** The errors of the operations on deliveries. */
enum DeliveryError implements ApiError {
    INVALID_CURSOR(400, "request.invalid", "cursor: must be the nextCursor of a page before"),
    ONE_OR_SINCE(400, "request.invalid", "body: give either deliveryID, or url and since"),
    URL_NOT_FOUND(404, "webhook-url.not-found", "webhook URL not found"),
    NOT_FOUND(404, "delivery.not-found", "delivery not found"),
    URL_CLOSED(409, "webhook-url.disabled", "webhook URL is deleted or disabled"),
    PENDING(409, "delivery.pending", "delivery is still pending"),
    PAGES_OF_CALLER(429, "delivery.caller-busy", "At most %d pages of deliveries of one caller are read at once.");

    private final Terms terms;

    DeliveryError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
