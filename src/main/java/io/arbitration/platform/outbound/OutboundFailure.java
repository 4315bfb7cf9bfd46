package io.arbitration.platform.outbound;

/** Why a call had no usable answer. Travels as a failed future, without a stack trace. */
public final class OutboundFailure extends RuntimeException {

    public enum Kind { REFUSED_ADDRESS, NAME_NOT_RESOLVED, CONNECT, TLS, BROKEN, TIMEOUT }

    private final Kind kind;

    OutboundFailure(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
