package io.arbitration.platform;

import java.util.Optional;
import java.util.Set;

/**
 * The state of a part of a node, as health reports it.
 *
 * @param word {@code UP}, {@code OFF}, {@code DOWN} or another word in capitals
 * @param trouble what is wrong, without secrets; empty when nothing is
 */
public record PartState(String word, Optional<String> trouble) {

    /** Words of a part that does what it is there for, or that nobody has configured. */
    private static final Set<String> WELL = Set.of("UP", "OFF", "UNUSED", "NEWER");

    public boolean isWell() {
        return WELL.contains(word);
    }

    public static PartState of(String word) {
        return new PartState(word, Optional.empty());
    }
}
