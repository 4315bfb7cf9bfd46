package io.arbitration;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waits until a condition holds, within a bound, and fails with what was awaited when it does not. The only place of the tests
 * that lets time pass: a test that sleeps is slow where the machine is fast, and wrong where it is slow.
 */
public final class Await {
    /** Long enough for a busy machine; a condition that holds ends the wait at once. */
    public static final Duration BOUND = Duration.ofSeconds(60);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Await() {}

    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** What is awaited is said by the place in the test. */
    public static void until(Condition condition) {
        until(Await::callersPlace, BOUND, condition);
    }

    /** An exception of the condition ends the wait as a failure; see {@link #despiteFailures}. */
    public static void until(String what, Condition condition) {
        until(what, BOUND, condition);
    }

    public static void until(String what, Duration bound, Condition condition) {
        until(() -> what, bound, condition);
    }

    /** What was awaited is asked for only when it did not come, so that it may say how far it got. */
    public static void until(Supplier<String> what, Duration bound, Condition condition) {
        value(what, bound, () -> condition.holds() ? Boolean.TRUE : null);
    }

    /** Waits until there is a value that is not null. */
    public static <T> T value(String what, Callable<T> value) {
        return value(() -> what, BOUND, value);
    }

    public static <T> T value(String what, Duration bound, Callable<T> value) {
        return value(() -> what, bound, value);
    }

    public static <T> T value(Supplier<String> what, Duration bound, Callable<T> value) {
        return poll(what, bound, value, false);
    }

    /** As {@link #until}, for what is away meanwhile: an exception means not yet, and the last one is the cause of a failure. */
    public static void despiteFailures(String what, Duration bound, Condition condition) {
        poll(() -> what, bound, () -> condition.holds() ? Boolean.TRUE : null, true);
    }

    /** The result of a future; its failure is thrown as it is when it is unchecked. Not for the thread of an event loop. */
    public static <T> T result(Future<T> future) {
        return result(future, Duration.ofSeconds(60));
    }

    public static <T> T result(Future<T> future, Duration bound) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed.getCause());
        } catch (TimeoutException late) {
            throw new AssertionError("no result within %d ms".formatted(bound.toMillis()), late);
        } catch (InterruptedException interrupted) {
            throw interrupted(() -> "a result", interrupted);
        }
    }

    private static <T> T poll(Supplier<String> what, Duration bound, Callable<T> value, boolean despiteFailures) {
        long start = System.nanoTime();
        long pause = FIRST_PAUSE_NANOS;
        Exception last;
        do {
            last = null;
            try {
                T now = value.call();
                if (now != null) {
                    return now;
                }
            } catch (Exception failed) {
                if (!despiteFailures) {
                    throw new AssertionError("failed while awaited: " + what.get(), failed);
                }
                last = failed;
            }
            LockSupport.parkNanos(pause);
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(what, last);
            }
            pause = Math.min(LONGEST_PAUSE_NANOS, pause * 2);
        } while (System.nanoTime() - start < bound.toNanos());
        throw new AssertionError("not within %d ms: %s".formatted(bound.toMillis(), what.get()), last);
    }

    private static String callersPlace() {
        return "the condition at " + StackWalker.getInstance().walk(frames -> frames
                .filter(frame -> !frame.getClassName().equals(Await.class.getName())).findFirst().orElseThrow().toStackTraceElement());
    }

    /**
     * Lets time pass where time itself is what a test is about: the pace of a sender, a kill at any moment, a rate that counts
     * seconds. Whatever can be asked for is awaited instead.
     */
    public static void elapsed(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException interrupted) {
            throw interrupted(() -> "the time of %d ms".formatted(time.toMillis()), interrupted);
        }
    }

    private static AssertionError interrupted(Supplier<String> what, Exception cause) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted while awaited: " + what.get(), cause);
    }
}
