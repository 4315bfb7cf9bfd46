package io.arbitration.platform.queue;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The right of this node to work on one item of a queue, until the lease ends.
 *
 * @param key the key of the row that the item refers to
 * @param claim the token of the claim; the lease is valid while the queue has the same one
 * @param attempts how many attempts were recorded before
 * @param lane the group that the item belongs to, in a queue that serves such groups in turn; empty in others
 */
public record Lease(long key, UUID claim, int attempts, String lane) {

    public static Map<Long, Lease> byKey(List<Lease> leases) {
        return leases.stream().collect(Collectors.toMap(Lease::key, Function.identity()));
    }

    public static Long[] keys(List<Lease> leases) {
        return leases.stream().map(Lease::key).toArray(Long[]::new);
    }
}
