package io.arbitration.platform.pipeline;

import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.limits.ByteBudget.Owner;
import io.arbitration.platform.limits.ByteBudget.Taken;
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

    /** What an answer takes in memory beside its body: its headers and its request. */
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

    /** Begins an answer. @param breakOff called on this context if the answer is broken off to free memory for others */
    UnderWay open(Owner owner, Context own, Runnable breakOff) {
        return new UnderWay(owner, own, breakOff);
    }

    /** One answer, from the moment when its body exists until the client has read it. */
    final class UnderWay {

        private final ByteBudget.Held held;
        private Buffer body;
        /** How many bytes of the body count for this answer. */
        private long counted;
        private volatile boolean ended;

        private UnderWay(Owner owner, Context own, Runnable breakOff) {
            this.held = budget.open(owner, () -> {
                // Done at once, so that a shared body counts for another answer before further answers are broken off.
                synchronized (sharing) {
                    leave();
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
         * @param anyway whether it is sent in any case; then older answers of the same owner are broken off instead
         */
        Taken hold(Buffer wanted, boolean anyway) {
            synchronized (sharing) {
                long counts = counts(wanted);
                Taken taken = Taken.HELD;
                if (anyway) {
                    held.takeFirst(HEAD_BYTES + counts);
                } else {
                    taken = held.take(HEAD_BYTES + counts);
                }
                if (taken == Taken.HELD) {
                    begin(wanted, counts);
                }
                return taken;
            }
        }

        /** Counts further bytes, in any case. */
        void holdBeside(long bytes) {
            held.takeOver(bytes);
        }

        /** Replaces the body by another form of it, such as the compressed one. */
        void replace(Buffer other) {
            synchronized (sharing) {
                leave();
                long counts = counts(other);
                held.takeOver(counts);
                begin(other, counts);
            }
        }

        /** Whether it was broken off. */
        boolean isOver() {
            return held.isClosed();
        }

        void close() {
            ended = true;
            synchronized (sharing) {
                leave();
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
            first.held.heldElsewhere(all.size() > 1 ? first.counted : 0);
        }

        /** Stops counting the body here. If another answer has the same body, its bytes count there from now on. */
        private void leave() {
            if (body == null) {
                return;
            }
            SequencedSet<UnderWay> others = sharing.get(body);
            others.remove(this);
            held.give(counted);
            if (others.isEmpty()) {
                sharing.remove(body);
            } else {
                if (counted > 0) {
                    others.getFirst().counted = counted;
                    others.getFirst().held.takeOver(counted);
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
