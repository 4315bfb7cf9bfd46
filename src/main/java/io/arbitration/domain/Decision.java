package io.arbitration.domain;

/**
 * What the rules say of a command: what is to be written, or why nothing is.
 *
 * @param <T> what is to be written
 * @param <R> the reasons for which the rules refuse
 */
public sealed interface Decision<T, R> {

    record Decided<T, R>(T value) implements Decision<T, R> {}

    record Refused<T, R>(R reason) implements Decision<T, R> {}
}
