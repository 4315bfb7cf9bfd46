package io.arbitration.platform.queue;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The right of this node to work on one item of a queue until its lease ends.
 *
 * @param key of the row that the item is about
 * @param claim counts as long as the queue holds the same one
 * @param attempts recorded before
 * @param lane whose item it is in a queue that is claimed fairly; empty in others
 */
public record Lease(long key, UUID claim, int attempts, String lane) {

    public static Map<Long, Lease> byKey(List<Lease> leases) {
        return leases.stream().collect(Collectors.toMap(Lease::key, Function.identity()));
    }

    public static Long[] keys(List<Lease> leases) {
        return leases.stream().map(Lease::key).toArray(Long[]::new);
    }
}
