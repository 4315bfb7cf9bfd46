package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounds what something costs by the time it has on a processor: a busy machine lets it wait, and that is not counted. */
public final class ProcessorTime {

    private static final long LOOK_MILLIS = 50;

    private ProcessorTime() {}

    /** Runs it in a thread of its own, and fails as soon as it has had more than that time. */
    public static void assertLessThan(Duration bound, Runnable tried) throws InterruptedException, ExecutionException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        FutureTask<Long> task = new FutureTask<>(() -> {
            tried.run();
            return threads.getCurrentThreadCpuTime();
        });
        Thread thread = Thread.ofPlatform().daemon().start(task);
        long used = 0;
        while (used < bound.toNanos() && !task.isDone()) {
            try {
                task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException still) {
                used = threads.getThreadCpuTime(thread.threadId());
            }
        }
        assertThat(Duration.ofNanos(task.isDone() ? task.get() : used)).as("time on a processor").isLessThan(bound);
    }
}
