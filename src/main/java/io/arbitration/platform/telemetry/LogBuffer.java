package io.arbitration.platform.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes log lines to a stream on a thread of its own, so that no event loop waits while the stream accepts nothing: a pipe whose
 * reader stands still, or a file on a busy disk. Lines that find the buffer full are dropped and counted.
 */
final class LogBuffer extends OutputStream {

    /** Learns how many lines were dropped, once the stream accepts bytes again. */
    interface DropListener {
        void dropped(long lines);
    }

    private final OutputStream target;
    private final int bytesMax;
    private final DropListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private long bytesWaiting;
    private long dropped;
    private boolean writing;

    /** @param bytesMax of the lines that wait */
    LogBuffer(OutputStream target, int bytesMax, DropListener listener) {
        this.target = target;
        this.bytesMax = bytesMax;
        this.listener = listener;
    }

    /** Starts the thread that writes. It is a daemon: {@link #flush(Duration)} before the process ends. */
    LogBuffer start() {
        Thread.ofPlatform().daemon().name("log-writer").start(this::writeAll);
        return this;
    }

    @Override
    public void write(int single) {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] line, int offset, int length) {
        lock.lock();
        try {
            if (bytesWaiting + length > bytesMax) {
                dropped++;
                return;
            }
            waiting.addLast(Arrays.copyOfRange(line, offset, offset + length));
            bytesWaiting += length;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void writeAll() {
        while (true) {
            byte[] line = next();
            try {
                target.write(line);
                target.flush();
                reportDropped();
            } catch (IOException gone) {
                // There is no other place to report it: the stream of the log itself is gone.
                count();
            }
        }
    }

    private void count() {
        lock.lock();
        try {
            dropped++;
        } finally {
            lock.unlock();
        }
    }

    /** The report is a line of the log itself, so it comes after a line that was written: one that fails would cause the next. */
    private void reportDropped() {
        long lines;
        lock.lock();
        try {
            lines = dropped;
            dropped = 0;
        } finally {
            lock.unlock();
        }
        if (lines > 0) {
            listener.dropped(lines);
        }
    }

    private byte[] next() {
        lock.lock();
        try {
            writing = false;
            changed.signalAll();
            while (waiting.isEmpty()) {
                changed.awaitUninterruptibly();
            }
            writing = true;
            byte[] line = waiting.removeFirst();
            bytesWaiting -= line.length;
            return line;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all lines are written, for so long at most. */
    void flush(Duration limit) {
        long nanos = limit.toNanos();
        lock.lock();
        try {
            while ((writing || !waiting.isEmpty()) && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
