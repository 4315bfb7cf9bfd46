package io.arbitration.domain;

/**
 * The result of applying the rules to a command: the change to write, or the reason of the refusal.
 *
 * @param <T> the change to write
 * @param <R> the reasons of refusals
 */
public sealed interface Decision<T, R> {

    record Decided<T, R>(T value) implements Decision<T, R> {}

    record Refused<T, R>(R reason) implements Decision<T, R> {}
}
