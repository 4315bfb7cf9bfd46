package io.arbitration.platform.auth;

/** A token that is not accepted. The reason is only for the log; the caller does not learn it. */
public final class InvalidToken extends Exception {

    public InvalidToken(String reason) {
        super(reason, null, false, false);
    }
}
