package io.arbitration.platform.server;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What clients have open on this node, counted for the node and for each network. May be used from any thread. */
final class OpenCounts {

    private final int most;
    private final int mostPerNetwork;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<String, Integer> openByNetwork = new ConcurrentHashMap<>();

    /** @param mostPerNetwork of these, from one network */
    OpenCounts(int most, int mostPerNetwork) {
        this.most = most;
        this.mostPerNetwork = mostPerNetwork;
    }

    AtomicInteger open() {
        return open;
    }

    /**
     * Whether there is room for one more, which it then takes.
     *
     * @param network of the client; empty for a trusted proxy, behind which are many clients
     */
    boolean admit(Optional<String> network) {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            return false;
        }
        if (network.isPresent() && openByNetwork.merge(network.get(), 1, Integer::sum) > mostPerNetwork) {
            leave(network);
            return false;
        }
        return true;
    }

    void leave(Optional<String> network) {
        open.decrementAndGet();
        network.ifPresent(one -> openByNetwork.computeIfPresent(one, (key, count) -> count == 1 ? null : count - 1));
    }
}
