package io.arbitration.platform.pipeline;

import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.limits.ByteBudget.Owner;
import io.arbitration.platform.limits.ByteBudget.Reservation;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Bounds the bytes of answers that clients have not read yet. A body that several answers share, such as the docket list of a case, is in
 * memory once, so it counts once: for the first of these answers. May be used from any thread.
 */
public final class AnswerBudget {

    /** The memory of an answer in addition to its body: its headers and its request. */
    static final int HEAD_BYTES = 1024;

    private final long most;
    private final ByteBudget budget;
    private final Map<Buffer, SequencedSet<UnderWay>> sharing = new IdentityHashMap<>();

    public AnswerBudget(ByteBudget.Bounds bounds) {
        this.most = bounds.most();
        this.budget = new ByteBudget(bounds);
    }

    /** All bytes that are held. */
    public long held() {
        return budget.held();
    }

    /** Whether the unread answers of an owner have used up its share. */
    boolean isUsedUp(Owner owner) {
        return budget.isUsedUp(owner);
    }

    /** Begins an answer. @param breakOff called on this context if the answer is aborted to free memory for others */
    UnderWay open(Owner owner, Context own, Runnable breakOff) {
        return new UnderWay(owner, own, breakOff);
    }

    /** One answer, from the moment when its body exists until the client has read it. */
    final class UnderWay {

        private final ByteBudget.Allocation held;
        private Buffer body;
        /** How many bytes of the body count for this answer. */
        private long counted;
        private volatile boolean ended;

        private UnderWay(Owner owner, Context own, Runnable breakOff) {
            this.held = budget.open(owner, () -> {
                // Done at once, so that a shared body counts for another answer before further answers are aborted.
                synchronized (sharing) {
                    stopCounting();
                }
                own.runOnContext(full -> {
                    if (!ended) {
                        breakOff.run();
                    }
                });
            });
        }

        /**
         * Counts the body, or answers why it cannot be sent.
         *
         * @param anyway whether it is sent in any case; then older answers of the same owner are aborted instead
         */
        Reservation reserve(Buffer wanted, boolean anyway) {
            synchronized (sharing) {
                long counts = counts(wanted);
                Reservation taken = Reservation.HELD;
                if (anyway) {
                    held.reserveEvictingOwn(HEAD_BYTES + counts);
                } else {
                    taken = held.reserve(HEAD_BYTES + counts);
                }
                if (taken == Reservation.HELD) {
                    begin(wanted, counts);
                }
                return taken;
            }
        }

        /** Counts further bytes, in any case. */
        void reserveMore(long bytes) {
            held.reserveUnchecked(bytes);
        }

        /** Replaces the body by another form of it, such as the compressed one. */
        void replace(Buffer other) {
            synchronized (sharing) {
                stopCounting();
                long counts = counts(other);
                held.reserveUnchecked(counts);
                begin(other, counts);
            }
        }

        /** Whether it was aborted. */
        boolean isAborted() {
            return held.isClosed();
        }

        void close() {
            ended = true;
            synchronized (sharing) {
                stopCounting();
                held.close();
            }
        }

        private void begin(Buffer wanted, long counts) {
            body = wanted;
            counted = counts;
            SequencedSet<UnderWay> all = sharing.computeIfAbsent(wanted, first -> new LinkedHashSet<>());
            all.add(this);
            updateShared(all);
        }

        private static void updateShared(SequencedSet<UnderWay> all) {
            UnderWay first = all.getFirst();
            first.held.sharedBytes(all.size() > 1 ? first.counted : 0);
        }

        /** Stops counting the body here. If another answer has the same body, its bytes count there from now on. */
        private void stopCounting() {
            if (body == null) {
                return;
            }
            SequencedSet<UnderWay> others = sharing.get(body);
            others.remove(this);
            held.release(counted);
            if (others.isEmpty()) {
                sharing.remove(body);
            } else {
                if (counted > 0) {
                    others.getFirst().counted = counted;
                    others.getFirst().held.reserveUnchecked(counted);
                }
                updateShared(others);
            }
            body = null;
            counted = 0;
        }
    }

    /**
     * The bytes that count for a body: 0 if another answer has the same one. A body beyond the whole budget counts as the whole, so it is
     * sent alone.
     */
    private long counts(Buffer body) {
        return sharing.containsKey(body) ? 0 : Math.min(body.length(), most - HEAD_BYTES);
    }
}
