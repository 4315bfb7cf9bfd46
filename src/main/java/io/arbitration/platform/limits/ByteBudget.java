package io.arbitration.platform.limits;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A budget for bytes of one kind that this node holds, such as bodies of requests. Each caller, and each address without a token,
 * has a share. All callers of one tenant (an organization) together hold at most as much as is free. When the budget is used up,
 * something of the tenant that holds most is dropped, and within it of the owner that holds most. Kept items cannot be dropped
 * any more, so a tenant may keep at most as much as all tenants leave unkept. When little is left, it goes to tenants that keep
 * little. Thread-safe.
 */
public final class ByteBudget {

    /** The result of an attempt to hold more bytes. */
    public enum Reservation { HELD, SHARE_USED_UP, NODE_FULL }

    /**
     * @param most bytes held at once on this node
     * @param perCaller by one caller
     * @param perAddress by one address without a token
     */
    public record Bounds(long most, long perCaller, long perAddress) {}

    /**
     * The owner of held bytes.
     *
     * @param name id of a caller, or the network of an address
     * @param signedIn whether it is a caller, not an address
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
    private long pinned;

    private static final class Tenant {
        private final Set<Share> shares = new LinkedHashSet<>();
        private long bytes;
        private long pinned;
    }

    private static final class Share {
        private final long most;
        private final Tenant tenant;
        /** In the order in which they were opened. */
        private final Set<Allocation> all = new LinkedHashSet<>();
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
     * Begins to hold an item.
     *
     * @param onDropped called, from any thread, when it is dropped to free bytes for others
     */
    public synchronized Allocation open(Owner owner, Runnable onDropped) {
        Share share = shares.computeIfAbsent(owner, first -> new Share(owner.signedIn() ? bounds.perCaller : bounds.perAddress,
                tenants.computeIfAbsent(owner.tenant, none -> new Tenant())));
        Allocation opened = new Allocation(owner, share, onDropped);
        share.all.add(opened);
        return opened;
    }

    /** A held item, for instance a body. */
    public final class Allocation {

        private final Owner owner;
        private final Share share;
        private final Runnable onDropped;
        private long bytes;
        /** The part of its bytes that another item holds as well; they count there when this item is dropped. */
        private long sharedBytes;
        private boolean pinned;
        private boolean closed;

        private Allocation(Owner owner, Share share, Runnable onDropped) {
            this.owner = owner;
            this.share = share;
            this.onDropped = onDropped;
        }

        /** Holds more bytes, or states why not. The only item of an owner may be larger than its share. */
        public Reservation reserve(long more) {
            List<Allocation> others = new ArrayList<>();
            Reservation taken;
            synchronized (ByteBudget.this) {
                taken = closed ? Reservation.NODE_FULL : reserve(more, others);
            }
            others.forEach(other -> other.onDropped.run());
            return taken;
        }

        /** Holds more bytes in any case. The owner's oldest items are dropped if it exceeds its share. */
        public void reserveEvictingOwn(long more) {
            List<Allocation> others = new ArrayList<>();
            synchronized (ByteBudget.this) {
                if (!closed) {
                    for (Allocation oldest = oldestOther(); oldest != null && share.bytes + more > share.most; oldest = oldestOther()) {
                        oldest.end();
                        others.add(oldest);
                    }
                    if (reserve(more, others) != Reservation.HELD) {
                        add(more);
                    }
                }
            }
            others.forEach(other -> other.onDropped.run());
        }

        /** Holds further bytes that another item held before and that are still in memory. */
        public void reserveUnchecked(long more) {
            synchronized (ByteBudget.this) {
                if (!closed) {
                    add(more);
                }
            }
        }

        /** Releases this many bytes. */
        public void release(long less) {
            synchronized (ByteBudget.this) {
                if (!closed) {
                    add(-less);
                }
            }
        }

        private Reservation reserve(long more, List<Allocation> others) {
            if (share.all.size() > 1 && share.bytes + more > share.most) {
                return Reservation.SHARE_USED_UP;
            }
            Tenant tenant = share.tenant;
            if (tenant.bytes > share.bytes && tenant.bytes + more > Math.max(share.most, bounds.most - held)) {
                return Reservation.SHARE_USED_UP;
            }
            if (held + more > bounds.most) {
                List<Allocation> dropped = allocationsToDrop(held + more - bounds.most, share, more);
                if (dropped.isEmpty()) {
                    return Reservation.NODE_FULL;
                }
                dropped.forEach(Allocation::end);
                others.addAll(dropped);
            }
            add(more);
            return Reservation.HELD;
        }

        private Allocation oldestOther() {
            return share.all.stream().filter(one -> one != this && !one.pinned && one.bytes > 0).findFirst().orElse(null);
        }

        private void add(long more) {
            bytes += more;
            share.bytes += more;
            share.tenant.bytes += more;
            held += more;
            if (pinned) {
                addPinned(more);
            }
        }

        private void addPinned(long more) {
            share.tenant.pinned += more;
            ByteBudget.this.pinned += more;
        }

        /** Another item holds this many of its bytes as well: dropping it does not free them. */
        public void sharedBytes(long bytes) {
            synchronized (ByteBudget.this) {
                this.sharedBytes = bytes;
            }
        }

        /**
         * From now on it cannot be dropped to free bytes for others.
         *
         * @return false if its tenant keeps so much already that too little would be left for others; the first item may always
         * be kept
         */
        public boolean pin() {
            synchronized (ByteBudget.this) {
                if (closed || share.tenant.pinned > 0 && share.tenant.pinned + bytes > bounds.most - ByteBudget.this.pinned - bytes) {
                    return false;
                }
                if (!pinned) {
                    pinned = true;
                    addPinned(bytes);
                }
                return true;
            }
        }

        /** Whether it was closed or dropped. */
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
                if (pinned) {
                    addPinned(-bytes);
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
     * The items to drop for this many bytes: repeatedly the largest item of the owner that holds most. Empty if dropping all of
     * them would not be enough.
     *
     * @param share the share that needs the bytes: items of owners that hold no more than it will are not dropped
     */
    private List<Allocation> allocationsToDrop(long wanted, Share share, long more) {
        Map<Object, Long> left = new HashMap<>();
        Set<Allocation> chosen = new LinkedHashSet<>();
        long freed = 0;
        while (freed < wanted) {
            Allocation largest = largestToDrop(share, more, left, chosen);
            if (largest == null) {
                return List.of();
            }
            chosen.add(largest);
            freed += largest.bytes - largest.sharedBytes;
            left.merge(largest.share, largest.share.bytes - largest.bytes, (before, unused) -> before - largest.bytes);
            left.merge(largest.share.tenant, largest.share.tenant.bytes - largest.bytes, (before, unused) -> before - largest.bytes);
        }
        return List.copyOf(chosen);
    }

    /** @param left what the owners of items that were chosen already would hold afterwards */
    private Allocation largestToDrop(Share share, long more, Map<Object, Long> left, Set<Allocation> chosen) {
        Allocation largest = null;
        long most = share.tenant.bytes + more;
        for (Tenant tenant : tenants.values()) {
            long has = left.getOrDefault(tenant, tenant.bytes);
            if (tenant != share.tenant && has > most) {
                Allocation one = largest(tenant, 0, left, chosen);
                if (one != null) {
                    largest = one;
                    most = has;
                }
            }
        }
        return largest != null ? largest : largest(share.tenant, share.bytes + more, left, chosen);
    }

    private static Allocation largest(Tenant tenant, long beyond, Map<Object, Long> left, Set<Allocation> chosen) {
        Allocation largest = null;
        long most = beyond;
        for (Share share : tenant.shares) {
            long has = left.getOrDefault(share, share.bytes);
            if (has > most) {
                for (Allocation one : share.all) {
                    long frees = one.bytes - one.sharedBytes;
                    if (!one.pinned && frees > 0 && !chosen.contains(one)
                            && (largest == null || largest.share != share || frees > largest.bytes - largest.sharedBytes)) {
                        largest = one;
                        most = has;
                    }
                }
            }
        }
        return largest;
    }
}
