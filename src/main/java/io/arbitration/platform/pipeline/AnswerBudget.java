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
 * The bytes of answers that clients have not taken yet. A body that several answers share, such as the docket list of a case, is held
 * once, so it counts once: for the first of these answers. May be used from any thread.
 */
public final class AnswerBudget {

    /** What an answer holds beside its body: its head, and what describes its request. */
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

    /** Whether an owner has its whole share of answers that it has not taken. */
    boolean isUsedUp(Owner owner) {
        return budget.isUsedUp(owner);
    }

    /** @param breakOff called on this context when the answer is given up to make room for others before the client has taken it */
    UnderWay open(Owner owner, Context own, Runnable breakOff) {
        return new UnderWay(owner, own, breakOff);
    }

    /** One answer, from when its body is there until the client has taken it. */
    final class UnderWay {

        private final ByteBudget.Held held;
        private Buffer body;
        /** What counts of the body for this answer. */
        private long counted;
        private volatile boolean ended;

        private UnderWay(Owner owner, Context own, Runnable breakOff) {
            this.held = budget.open(owner, () -> {
                // At once: what others hold of it counts there before more room is looked for.
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
         * Holds the body, or says why not.
         *
         * @param anyway holds it in any case, and breaks off older answers of the same owner instead
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

        /** Holds so many bytes more, in any case. */
        void holdBeside(long bytes) {
            held.takeOver(bytes);
        }

        /** Holds another form of the body instead, as it is when it was compressed. */
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
            tellHeldElsewhere(all);
        }

        private static void tellHeldElsewhere(SequencedSet<UnderWay> all) {
            UnderWay first = all.getFirst();
            first.held.heldElsewhere(all.size() > 1 ? first.counted : 0);
        }

        /** Another answer with the same body goes on: what counted of it here counts there. */
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
                tellHeldElsewhere(others);
            }
            body = null;
            counted = 0;
        }
    }

    /** Nothing for a body that another answer has. One that is larger than all that may be held is sent alone. */
    private long counts(Buffer body) {
        return sharing.containsKey(body) ? 0 : Math.min(body.length(), most - HEAD_BYTES);
    }
}
