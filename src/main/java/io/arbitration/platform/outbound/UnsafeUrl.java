package io.arbitration.platform.outbound;

/** A URL that this platform will not call; the message says what is wrong with it and can be shown to who gave it. */
public final class UnsafeUrl extends RuntimeException {

    UnsafeUrl(String message) {
        super(message, null, false, false);
    }
}
