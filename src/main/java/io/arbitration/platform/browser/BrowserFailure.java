package io.arbitration.platform.browser;

/** Why a browser did not carry out a command. Travels as a failed future, without a stack trace. */
public final class BrowserFailure extends RuntimeException {

    BrowserFailure(String message) {
        super(message, null, false, false);
    }
}
