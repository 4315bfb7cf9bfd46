package io.arbitration.platform.limits;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bytes of one kind that this node holds, such as bodies of requests. Each caller, and each address without a token, has a share
 * of them. The callers of one tenant, which is an organization, together have no more than are free; when all are held, what is given up
 * is something of the tenant, and of this of the owner, that holds most. May be used from any thread.
 */
public final class ByteBudget {

    /** What became of an attempt to hold more bytes. */
    public enum Taken { HELD, SHARE_USED_UP, NODE_FULL }

    /**
     * @param most bytes held at once on this node
     * @param perCaller of these, by one caller
     * @param perAddress of these, by one address without a token
     */
    public record Bounds(long most, long perCaller, long perAddress) {}

    /**
     * Who holds bytes.
     *
     * @param name of a caller, or of the network of an address
     * @param signedIn whether it is a caller
     * @param tenant the organization of a caller, else the same as the name
     */
    public record Owner(String name, boolean signedIn, String tenant) {

        public Owner(String name, boolean signedIn) {
            this(name, signedIn, name);
        }
    }

    private final Bounds bounds;
    private final Map<Owner, Share> shares = new HashMap<>();
    private final Map<String, Tenant> tenants = new HashMap<>();
    private long held;

    private static final class Tenant {
        private final Set<Share> shares = new LinkedHashSet<>();
        private long bytes;
    }

    private static final class Share {
        private final long most;
        private final Tenant tenant;
        /** In the order in which they were opened. */
        private final Set<Held> all = new LinkedHashSet<>();
        private long bytes;

        Share(long most, Tenant tenant) {
            this.most = most;
            this.tenant = tenant;
            tenant.shares.add(this);
        }
    }

    public ByteBudget(Bounds bounds) {
        this.bounds = bounds;
    }

    /** All bytes that are held. */
    public synchronized long held() {
        return held;
    }

    /** Whether an owner holds its whole share. */
    public synchronized boolean isUsedUp(Owner owner) {
        Share share = shares.get(owner);
        return share != null && share.bytes >= share.most;
    }

    /**
     * Begins to hold something.
     *
     * @param givenUp called, from any thread, when it is given up to make room for others
     */
    public synchronized Held open(Owner owner, Runnable givenUp) {
        Share share = shares.computeIfAbsent(owner, first -> new Share(owner.signedIn() ? bounds.perCaller : bounds.perAddress,
                tenants.computeIfAbsent(owner.tenant, none -> new Tenant())));
        Held opened = new Held(owner, share, givenUp);
        share.all.add(opened);
        return opened;
    }

    /** One thing that is held, for instance a body. */
    public final class Held {

        private final Owner owner;
        private final Share share;
        private final Runnable givenUp;
        private long bytes;
        private boolean kept;
        private boolean closed;

        private Held(Owner owner, Share share, Runnable givenUp) {
            this.owner = owner;
            this.share = share;
            this.givenUp = givenUp;
        }

        /** Holds more bytes, or says why not. The only thing that an owner holds may be larger than its share. */
        public Taken take(long more) {
            List<Held> others = new ArrayList<>();
            Taken taken;
            synchronized (ByteBudget.this) {
                taken = closed ? Taken.NODE_FULL : take(more, others);
            }
            others.forEach(other -> other.givenUp.run());
            return taken;
        }

        /** Holds more bytes in any case. What this owner holds beyond its share is given up for it, the oldest first. */
        public void takeFirst(long more) {
            List<Held> others = new ArrayList<>();
            synchronized (ByteBudget.this) {
                if (!closed) {
                    for (Held oldest = oldestBeside(); oldest != null && share.bytes + more > share.most; oldest = oldestBeside()) {
                        oldest.end();
                        others.add(oldest);
                    }
                    if (take(more, others) != Taken.HELD) {
                        add(more);
                    }
                }
            }
            others.forEach(other -> other.givenUp.run());
        }

        /** Holds more bytes that were held before, by somebody else, and are so still. */
        public void takeOver(long more) {
            synchronized (ByteBudget.this) {
                if (!closed) {
                    add(more);
                }
            }
        }

        /** Holds so many bytes less. */
        public void give(long less) {
            synchronized (ByteBudget.this) {
                if (!closed) {
                    add(-less);
                }
            }
        }

        private Taken take(long more, List<Held> others) {
            if (share.all.size() > 1 && share.bytes + more > share.most) {
                return Taken.SHARE_USED_UP;
            }
            Tenant tenant = share.tenant;
            if (tenant.bytes > share.bytes && tenant.bytes + more > Math.max(share.most, bounds.most - held)) {
                return Taken.SHARE_USED_UP;
            }
            while (held + more > bounds.most) {
                Held largest = largestOfWhoHoldsMore(share, more);
                if (largest == null) {
                    return Taken.NODE_FULL;
                }
                largest.end();
                others.add(largest);
            }
            add(more);
            return Taken.HELD;
        }

        private Held oldestBeside() {
            return share.all.stream().filter(one -> one != this && !one.kept && one.bytes > 0).findFirst().orElse(null);
        }

        private void add(long more) {
            bytes += more;
            share.bytes += more;
            share.tenant.bytes += more;
            held += more;
        }

        /** From now on it is not given up to make room. */
        public void keep() {
            synchronized (ByteBudget.this) {
                kept = true;
            }
        }

        /** Whether it was closed or given up. */
        public boolean isClosed() {
            synchronized (ByteBudget.this) {
                return closed;
            }
        }

        public void close() {
            synchronized (ByteBudget.this) {
                end();
            }
        }

        private void end() {
            if (!closed) {
                closed = true;
                held -= bytes;
                share.bytes -= bytes;
                share.tenant.bytes -= bytes;
                share.all.remove(this);
                if (share.all.isEmpty()) {
                    shares.remove(owner, share);
                    share.tenant.shares.remove(share);
                    if (share.tenant.shares.isEmpty()) {
                        tenants.remove(owner.tenant, share.tenant);
                    }
                }
            }
        }
    }

    /** Of the tenant that holds most, and more than that of this share would with so many bytes more; within the same tenant by the owners. */
    private Held largestOfWhoHoldsMore(Share share, long more) {
        Held largest = null;
        long most = share.tenant.bytes + more;
        for (Tenant tenant : tenants.values()) {
            if (tenant != share.tenant && tenant.bytes > most) {
                Held one = largest(tenant, 0);
                if (one != null) {
                    largest = one;
                    most = tenant.bytes;
                }
            }
        }
        return largest != null ? largest : largest(share.tenant, share.bytes + more);
    }

    private static Held largest(Tenant tenant, long beyond) {
        Held largest = null;
        long most = beyond;
        for (Share share : tenant.shares) {
            if (share.bytes > most) {
                for (Held one : share.all) {
                    if (!one.kept && one.bytes > 0 && (largest == null || largest.share != share || one.bytes > largest.bytes)) {
                        largest = one;
                        most = share.bytes;
                    }
                }
            }
        }
        return largest;
    }
}
