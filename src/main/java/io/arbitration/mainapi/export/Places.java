package io.arbitration.mainapi.export;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/** Bounds how many exports are made at once: each takes processor time, and a slow reader keeps one long. */
final class Places {

    private static final int RETRY_SECONDS = 5;

    private final int most;
    private final int mostPerCaller;
    private final Map<UUID, Integer> takenByCaller = new HashMap<>();
    private int taken;

    Places(int most, int mostPerCaller) {
        this.most = most;
        this.mostPerCaller = mostPerCaller;
    }

    /** Takes a place, or refuses with 429 or 503. What this returns gives it back; again it does nothing. */
    synchronized Runnable take(UUID caller) {
        if (takenByCaller.getOrDefault(caller, 0) >= mostPerCaller) {
            throw ExportError.BUSY_OF_CALLER.refusal(mostPerCaller).retryAfter(RETRY_SECONDS);
        }
        if (taken >= most) {
            throw ExportError.BUSY.refusal().retryAfter(RETRY_SECONDS);
        }
        taken++;
        takenByCaller.merge(caller, 1, Integer::sum);
        AtomicBoolean given = new AtomicBoolean();
        return () -> {
            if (given.compareAndSet(false, true)) {
                giveBack(caller);
            }
        };
    }

    private synchronized void giveBack(UUID caller) {
        taken--;
        takenByCaller.compute(caller, (id, before) -> before == 1 ? null : before - 1);
    }
}
