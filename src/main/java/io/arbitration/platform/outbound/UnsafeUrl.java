package io.arbitration.platform.outbound;

/** A URL that the platform does not call. The message says why, and may be shown to the user who gave the URL. */
public final class UnsafeUrl extends RuntimeException {

    UnsafeUrl(String message) {
        super(message, null, false, false);
    }
}
