package io.arbitration.platform.objects;

/** A failure to read or write an object; {@link #kind} gives its kind. */
public final class ObjectFailure extends RuntimeException {

    public enum Kind {
        /** There is no object at the address. */
        MISSING,
        /** The object differs from what was written. */
        ALTERED,
        /** The store does not answer, refuses the request, or is full. */
        UNAVAILABLE,
        /** This node has its maximum number of transfers; a later attempt can succeed. */
        BUSY
    }

    private final Kind kind;

    ObjectFailure(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    ObjectFailure(Kind kind, String message) {
        this(kind, message, null);
    }

    public Kind kind() {
        return kind;
    }
}
