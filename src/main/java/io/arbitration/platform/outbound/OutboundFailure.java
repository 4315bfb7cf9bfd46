package io.arbitration.platform.outbound;

/** Why a call got no answer. Has no stack trace, because it is an expected outcome. */
public final class OutboundFailure extends RuntimeException {

    public enum Kind { REFUSED_ADDRESS, OWN_PORT, NAME_NOT_RESOLVED, CONNECT, TLS, BROKEN, TIMEOUT }

    private final Kind kind;

    OutboundFailure(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
