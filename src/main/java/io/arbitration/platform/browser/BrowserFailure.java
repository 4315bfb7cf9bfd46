package io.arbitration.platform.browser;

/** Why a browser did not do what it was told. Travels as a failed future, without a stack trace. */
public final class BrowserFailure extends RuntimeException {

    BrowserFailure(String message) {
        super(message, null, false, false);
    }
}
