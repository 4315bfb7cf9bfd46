package io.arbitration.platform.limits;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bytes of one kind that this node holds, such as bodies of requests. Each caller, and each address without a token, has a share
 * of them, and the callers of one tenant, which is an organization, together have no more than is free. When all are held, what is given
 * up is something of the tenant, and of this of the owner, that holds most. What is kept cannot be given up any more, so no tenant may
 * keep more than what all leave unkept: when little is left, it is for those who keep little. May be used from any thread.
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
    private long kept;

    private static final class Tenant {
        private final Set<Share> shares = new LinkedHashSet<>();
        private long bytes;
        private long kept;
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
        /** Of its bytes, those that something else holds as well, and that count there when this one is given up. */
        private long heldElsewhere;
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
            if (held + more > bounds.most) {
                List<Held> room = roomFor(held + more - bounds.most, share, more);
                if (room.isEmpty()) {
                    return Taken.NODE_FULL;
                }
                room.forEach(Held::end);
                others.addAll(room);
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
            if (kept) {
                addKept(more);
            }
        }

        private void addKept(long more) {
            share.tenant.kept += more;
            ByteBudget.this.kept += more;
        }

        /** So many of its bytes are held by something else as well: giving it up does not free them. */
        public void heldElsewhere(long bytes) {
            synchronized (ByteBudget.this) {
                this.heldElsewhere = bytes;
            }
        }

        /**
         * From now on it is not given up to make room.
         *
         * @return false when its tenant keeps so much already that too little would be left for others; the first thing may always be kept
         */
        public boolean keep() {
            synchronized (ByteBudget.this) {
                if (closed || share.tenant.kept > 0 && share.tenant.kept + bytes > bounds.most - ByteBudget.this.kept - bytes) {
                    return false;
                }
                if (!kept) {
                    kept = true;
                    addKept(bytes);
                }
                return true;
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
                if (kept) {
                    addKept(-bytes);
                }
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

    /**
     * What is given up for so many bytes: the largest of whoever holds most, again and again. Nothing when that would not be enough: it would
     * be given up in vain.
     *
     * @param share whose room it is for: of those who hold no more than it will, nothing is given up
     */
    private List<Held> roomFor(long wanted, Share share, long more) {
        Map<Object, Long> left = new HashMap<>();
        Set<Held> room = new LinkedHashSet<>();
        long freed = 0;
        while (freed < wanted) {
            Held largest = largestOfWhoHoldsMore(share, more, left, room);
            if (largest == null) {
                return List.of();
            }
            room.add(largest);
            freed += largest.bytes - largest.heldElsewhere;
            left.merge(largest.share, largest.share.bytes - largest.bytes, (before, unused) -> before - largest.bytes);
            left.merge(largest.share.tenant, largest.share.tenant.bytes - largest.bytes, (before, unused) -> before - largest.bytes);
        }
        return List.copyOf(room);
    }

    /** @param left what those of whom something was chosen already would hold then */
    private Held largestOfWhoHoldsMore(Share share, long more, Map<Object, Long> left, Set<Held> besides) {
        Held largest = null;
        long most = share.tenant.bytes + more;
        for (Tenant tenant : tenants.values()) {
            long has = left.getOrDefault(tenant, tenant.bytes);
            if (tenant != share.tenant && has > most) {
                Held one = largest(tenant, 0, left, besides);
                if (one != null) {
                    largest = one;
                    most = has;
                }
            }
        }
        return largest != null ? largest : largest(share.tenant, share.bytes + more, left, besides);
    }

    private static Held largest(Tenant tenant, long beyond, Map<Object, Long> left, Set<Held> besides) {
        Held largest = null;
        long most = beyond;
        for (Share share : tenant.shares) {
            long has = left.getOrDefault(share, share.bytes);
            if (has > most) {
                for (Held one : share.all) {
                    long frees = one.bytes - one.heldElsewhere;
                    if (!one.kept && frees > 0 && !besides.contains(one)
                            && (largest == null || largest.share != share || frees > largest.bytes - largest.heldElsewhere)) {
                        largest = one;
                        most = has;
                    }
                }
            }
        }
        return largest;
    }
}
