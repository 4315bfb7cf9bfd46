package io.arbitration.mainapi.evidence;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/** Bounds how many files are on their way at once: each holds memory, and a slow one holds it long. */
final class Transfers {

    private static final int RETRY_SECONDS = 2;

    private final int most;
    private final int mostPerCaller;
    private final Map<UUID, Integer> countByCaller = new HashMap<>();
    private int count;

    Transfers(int most, int mostPerCaller) {
        this.most = most;
        this.mostPerCaller = mostPerCaller;
    }

    /** Admits one more, or refuses with 429 or 503. What this returns ends it; again it does nothing. */
    synchronized Runnable begin(UUID caller) {
        if (countByCaller.getOrDefault(caller, 0) >= mostPerCaller) {
            throw EvidenceError.TRANSFERS_OF_CALLER.refusal(mostPerCaller).retryAfter(RETRY_SECONDS);
        }
        if (count >= most) {
            throw EvidenceError.TRANSFERS.refusal().retryAfter(RETRY_SECONDS);
        }
        count++;
        countByCaller.merge(caller, 1, Integer::sum);
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                end(caller);
            }
        };
    }

    private synchronized void end(UUID caller) {
        count--;
        countByCaller.compute(caller, (id, before) -> before == 1 ? null : before - 1);
    }
}
