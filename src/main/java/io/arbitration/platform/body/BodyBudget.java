package io.arbitration.platform.body;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The bytes of JSON bodies that this node holds, from their first byte until the answer is sent. Each caller, and each address
 * without a token, has a share of them; when all are held, the body that is refused is one of whoever holds most. May be used
 * from any thread.
 */
public final class BodyBudget {

    /** What became of an attempt to hold more bytes. */
    enum Taken { HELD, SHARE_USED_UP, NODE_FULL }

    private final BodySettings settings;
    private final Map<String, Holder> holders = new HashMap<>();
    private long held;

    private static final class Holder {
        private final long share;
        private final Set<Body> bodies = new HashSet<>();
        private long bytes;

        Holder(long share) {
            this.share = share;
        }
    }

    public BodyBudget(BodySettings settings) {
        this.settings = settings;
    }

    /** Bytes of all bodies. */
    public synchronized long held() {
        return held;
    }

    /**
     * Begins to hold a body.
     *
     * @param holder a caller, or the network of an address
     * @param signedIn whether it is a caller
     * @param refused called, from any thread, when the body is refused to make room for others
     */
    synchronized Body open(String holder, boolean signedIn, Runnable refused) {
        Holder its = holders.computeIfAbsent(holder, first -> new Holder(signedIn ? settings.heldBytesPerCaller() : settings.heldBytesPerAddress()));
        Body body = new Body(holder, its, refused);
        its.bodies.add(body);
        return body;
    }

    /** One body. */
    final class Body {

        private final String name;
        private final Holder holder;
        private final Runnable refused;
        private long bytes;
        private boolean whole;
        private boolean closed;

        private Body(String name, Holder holder, Runnable refused) {
            this.name = name;
            this.holder = holder;
            this.refused = refused;
        }

        /** Holds more bytes, or says why not. The only body of a holder may be larger than its share. */
        Taken take(int more) {
            List<Runnable> evicted = new ArrayList<>();
            Taken taken;
            synchronized (BodyBudget.this) {
                taken = closed ? Taken.NODE_FULL : take(more, evicted);
            }
            evicted.forEach(Runnable::run);
            return taken;
        }

        private Taken take(int more, List<Runnable> evicted) {
            if (holder.bodies.size() > 1 && holder.bytes + more > holder.share) {
                return Taken.SHARE_USED_UP;
            }
            while (held + more > settings.heldBytesMax()) {
                Body largest = largestOfWhoHoldsMore(holder.bytes + more);
                if (largest == null) {
                    return Taken.NODE_FULL;
                }
                largest.end();
                evicted.add(largest.refused);
            }
            bytes += more;
            holder.bytes += more;
            held += more;
            return Taken.HELD;
        }

        /** All of it has come: from now on it is worked on, and not refused to make room. */
        void whole() {
            synchronized (BodyBudget.this) {
                whole = true;
            }
        }

        void close() {
            synchronized (BodyBudget.this) {
                end();
            }
        }

        private void end() {
            if (!closed) {
                closed = true;
                held -= bytes;
                holder.bytes -= bytes;
                holder.bodies.remove(this);
                if (holder.bodies.isEmpty()) {
                    holders.remove(name, holder);
                }
            }
        }
    }

    private Body largestOfWhoHoldsMore(long bytes) {
        Body largest = null;
        long most = bytes;
        for (Holder holder : holders.values()) {
            if (holder.bytes > most) {
                for (Body body : holder.bodies) {
                    if (!body.whole && body.bytes > 0 && (largest == null || largest.holder != holder || body.bytes > largest.bytes)) {
                        largest = body;
                        most = holder.bytes;
                    }
                }
            }
        }
        return largest;
    }
}
