package io.arbitration.platform.server;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the open connections or requests of clients, for the node and for each network. Thread-safe. */
final class OpenCounts {

    private final int most;
    private final int mostPerNetwork;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<String, Integer> openByNetwork = new ConcurrentHashMap<>();

    /** @param mostPerNetwork from one network */
    OpenCounts(int most, int mostPerNetwork) {
        this.most = most;
        this.mostPerNetwork = mostPerNetwork;
    }

    AtomicInteger open() {
        return open;
    }

    /**
     * Takes a place for one more, if there is one.
     *
     * @param network of the client; empty for a trusted proxy, behind which are many clients
     */
    boolean admit(Optional<String> network) {
        return admit(network, 1);
    }

    /** @param count as how many it counts */
    boolean admit(Optional<String> network, int count) {
        if (open.addAndGet(count) > most) {
            open.addAndGet(-count);
            return false;
        }
        if (network.isPresent() && openByNetwork.merge(network.get(), count, Integer::sum) > mostPerNetwork) {
            leave(network, count);
            return false;
        }
        return true;
    }

    void leave(Optional<String> network) {
        leave(network, 1);
    }

    void leave(Optional<String> network, int count) {
        open.addAndGet(-count);
        network.ifPresent(one -> openByNetwork.computeIfPresent(one, (key, before) -> before == count ? null : before - count));
    }
}
