package io.arbitration;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How long event loops could not run although they wanted to, because the machine gave this process no processor. A thread of its
 * own looks once a second: how late it was itself, and how long the kernel had every event loop wait in its run queue
 * ({@code schedstat}, which is Linux's; elsewhere the first alone).
 */
final class Stalls {

    private static final long EVERY_MILLIS = 1000;
    private static final int KEPT = 120;
    private static final int LOOKS_REMEMBERED = 60;
    private static final int NAMES_READ = 2;
    private static final Path THREADS = Path.of("/proc/self/task");
    /** As the kernel cuts the names of Vert.x' event loops. */
    private static final String EVENT_LOOP = "vert.x-eventloo";

    /** What had been waited at a moment, all in nanoseconds: by the watching thread, and by each event loop in the run queue. */
    private record Look(long at, long late, Map<String, Long> queued) {}

    private final Deque<Look> looks = new ArrayDeque<>();
    /** How often each thread that is no event loop was asked for its name. */
    private final Map<String, Integer> others = new HashMap<>();
    private int looked;
    private long late;
    /** When the watching thread is to look next. */
    private long due = Long.MAX_VALUE;

    private Stalls() {}

    static Stalls watch() {
        Stalls stalls = new Stalls();
        stalls.look();
        Thread.ofPlatform().daemon().name("stalls").start(() -> {
            while (true) {
                stalls.sleepsUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS));
                stalls.woke();
            }
        });
        return stalls;
    }

    private synchronized void sleepsUntil(long at) {
        due = at;
    }

    private synchronized void woke() {
        late += lateNow();
        due = Long.MAX_VALUE;
        look();
    }

    /** Of the watching thread, which has not woken yet: after a pause of the whole process another thread may be the first to run. */
    private long lateNow() {
        return due == Long.MAX_VALUE ? 0 : Math.max(0, System.nanoTime() - due);
    }

    private synchronized Look look() {
        Look look = new Look(System.nanoTime(), late + lateNow(), queued());
        looks.addLast(look);
        if (looks.size() > KEPT) {
            looks.removeFirst();
        }
        return look;
    }

    /** Of the last so many milliseconds, those in which the machine did not let the event loop run that it kept waiting longest. */
    synchronized long within(long millis) {
        Look now = look();
        Look then = looks.getFirst();
        for (Look earlier : looks) {
            if (earlier.at() <= now.at() - TimeUnit.MILLISECONDS.toNanos(millis)) {
                then = earlier;
            }
        }
        long stalled = now.late() - then.late();
        for (Map.Entry<String, Long> thread : now.queued().entrySet()) {
            stalled = Math.max(stalled, thread.getValue() - then.queued().getOrDefault(thread.getKey(), 0L));
        }
        return TimeUnit.NANOSECONDS.toMillis(stalled);
    }

    private Map<String, Long> queued() {
        Map<String, Long> queued = new HashMap<>();
        // The kernel gives the number of a thread that is gone to another one, some day.
        if (looked++ % LOOKS_REMEMBERED == 0) {
            others.clear();
        }
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                queued(thread, queued);
            }
        } catch (IOException notLinux) {
            return queued;
        }
        return queued;
    }

    /** A process of tests has hundreds of threads, of which few are event loops: reading all names every second took one percent of it. */
    private void queued(Path thread, Map<String, Long> queued) {
        String id = thread.getFileName().toString();
        int asked = others.getOrDefault(id, 0);
        // One that has just begun still has the name of another.
        if (asked >= NAMES_READ) {
            return;
        }
        try {
            if (Files.readString(thread.resolve("comm")).startsWith(EVENT_LOOP)) {
                queued.put(id, Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[1]));
            } else {
                others.put(id, asked + 1);
            }
        } catch (IOException ended) {
            // A thread that is gone has no say.
        }
    }
}
