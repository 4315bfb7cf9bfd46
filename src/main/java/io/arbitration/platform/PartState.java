package io.arbitration.platform;

import java.util.Optional;

/**
 * How a part of a node is, as health tells it.
 *
 * @param word {@code UP}, {@code OFF}, {@code DOWN} or another word in capitals
 * @param trouble what is wrong, without secrets; empty when nothing is
 */
public record PartState(String word, Optional<String> trouble) {

    public static PartState of(String word) {
        return new PartState(word, Optional.empty());
    }
}
