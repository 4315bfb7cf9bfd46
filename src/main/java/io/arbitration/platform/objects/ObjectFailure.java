package io.arbitration.platform.objects;

/** An object that cannot be read or written as it should; {@link #kind} says in which way. */
public final class ObjectFailure extends RuntimeException {

    public enum Kind {
        /** There is nothing at the address. */
        MISSING,
        /** What is there is not what was written. */
        ALTERED,
        /** The store does not answer, refuses, or is full. */
        UNAVAILABLE,
        /** As many transfers as this node takes are under way; one that is repeated later will pass. */
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
