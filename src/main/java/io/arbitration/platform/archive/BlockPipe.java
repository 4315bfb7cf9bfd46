package io.arbitration.platform.archive;

import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded buffer between one thread that writes and an event loop that reads. A slow reader makes the writer wait
 * (back-pressure), and a reader that closes the pipe ends the writer.
 */
public final class BlockPipe extends OutputStream implements Blocks {

    private static final int BLOCK_BYTES = 64 * 1024;
    private static final int BLOCKS_MAX = 4;

    private final Vertx vertx;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Buffer> blocks = new ArrayDeque<>();
    private byte[] filling = new byte[BLOCK_BYTES];
    private int filled;
    private Promise<Buffer> awaited;
    private boolean closed;
    private boolean ended;
    private Throwable failure;

    /** @param patience how long the writer waits for the reader to take a block */
    public BlockPipe(Vertx vertx, Duration patience) {
        this.vertx = vertx;
        this.patience = patience;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        int at = offset;
        while (at < offset + length) {
            int part = Math.min(BLOCK_BYTES - filled, offset + length - at);
            System.arraycopy(from, at, filling, filled, part);
            filled += part;
            at += part;
            if (filled == BLOCK_BYTES) {
                flush();
            }
        }
    }

    /** Makes what has been written readable. Waits for the reader; fails when it has gone or reads nothing for too long. */
    @Override
    public void flush() throws IOException {
        if (filled == 0) {
            return;
        }
        Buffer block = Buffer.buffer(filled == BLOCK_BYTES ? filling : Arrays.copyOf(filling, filled));
        filling = new byte[BLOCK_BYTES];
        filled = 0;
        lock.lock();
        try {
            awaitSpace();
            if (awaited == null) {
                blocks.add(block);
            } else {
                take().complete(block);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        } finally {
            lock.unlock();
        }
    }

    private void awaitSpace() throws IOException, InterruptedException {
        long left = patience.toNanos();
        while (!closed && blocks.size() >= BLOCKS_MAX) {
            if (left <= 0) {
                throw new ReaderGone("the reader read nothing for %d s".formatted(patience.toSeconds()));
            }
            left = changed.awaitNanos(left);
        }
        if (closed) {
            throw new ReaderGone("the reader has gone");
        }
    }

    /** Ends the stream: everything was written. */
    public void end() throws IOException {
        flush();
        lock.lock();
        try {
            ended = true;
            if (awaited != null) {
                take().complete(Buffer.buffer());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream with a failure, which the reader gets after everything that was written before. */
    public void fail(Throwable reason) {
        lock.lock();
        try {
            failure = reason;
            if (awaited != null) {
                take().fail(reason);
            }
        } finally {
            lock.unlock();
        }
    }

    private Promise<Buffer> take() {
        Promise<Buffer> taken = awaited;
        awaited = null;
        return taken;
    }

    @Override
    public Future<Buffer> next() {
        lock.lock();
        try {
            Buffer block = blocks.poll();
            if (block != null) {
                changed.signal();
                return Future.succeededFuture(block);
            }
            if (failure != null) {
                return Future.failedFuture(failure);
            }
            if (ended) {
                return Future.succeededFuture(Buffer.buffer());
            }
            // Completed on the reader's context, wherever the writer is.
            awaited = ((ContextInternal) vertx.getOrCreateContext()).promise();
            return awaited.future();
        } finally {
            lock.unlock();
        }
    }

    /** Called by the reader: the writer's next block fails. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            blocks.clear();
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** The reader closed the stream, or read nothing for too long. */
    public static final class ReaderGone extends IOException {
        ReaderGone(String message) {
            super(message);
        }
    }
}
