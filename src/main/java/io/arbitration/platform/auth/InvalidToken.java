package io.arbitration.platform.auth;

/** A token that is not accepted. Why is for the log alone; the caller only learns that it is not. */
public final class InvalidToken extends Exception {

    public InvalidToken(String reason) {
        super(reason, null, false, false);
    }
}
