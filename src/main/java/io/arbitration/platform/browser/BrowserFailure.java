package io.arbitration.platform.browser;

/** The reason why a browser did not execute a command. Passed as a failed future, without a stack trace. */
public final class BrowserFailure extends RuntimeException {

    BrowserFailure(String message) {
        super(message, null, false, false);
    }
}
