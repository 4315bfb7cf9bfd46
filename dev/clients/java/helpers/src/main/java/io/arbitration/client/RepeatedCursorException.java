package io.arbitration.client;

/** A page answered the position that it was asked for: reading on would never end. */
public final class RepeatedCursorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RepeatedCursorException(Object position) {
        super("a page answered the position that it was asked for, " + position);
    }
}
