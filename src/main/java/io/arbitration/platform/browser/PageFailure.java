package io.arbitration.platform.browser;

/** The reason why a page cannot be shown, in words for a log or a person. Passed as a failed future, without a stack trace. */
public final class PageFailure extends RuntimeException {

    PageFailure(String message) {
        super(message, null, false, false);
    }
}
