package io.arbitration.platform.browser;

/** The page went through no fault of its own that is known: it, or the whole browser, died. Worth another try. */
final class PageLost extends RuntimeException {

    PageLost(String message) {
        super(message, null, false, false);
    }
}
