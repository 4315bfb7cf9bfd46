package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.util.ArrayDeque;

/**
 * Reads an object as blocks; between two blocks the store waits (back-pressure). If a connection ends too early, another one
 * reads the rest. This happens often: when a store closes a connection after its last byte, the client loses the unread part of a
 * paused response.
 */
final class S3Reader implements Blocks {

    private final S3Requests requests;
    private final WorkerExecutor worker;
    private final String path;
    private final long to;
    private final ObjectStore.Check check;
    private final ArrayDeque<Buffer> arrived = new ArrayDeque<>();
    private long position;
    private HttpClientResponse response;
    private byte[] block = new byte[0];
    private int filled;
    private Promise<byte[]> asked;
    private Throwable broken;
    private int fruitless;
    private boolean ended;
    private boolean closed;

    S3Reader(S3Requests requests, WorkerExecutor worker, String path, long from, long to, ObjectStore.Check check) {
        this.requests = requests;
        this.worker = worker;
        this.path = path;
        this.position = from;
        this.to = to;
        this.check = check;
    }

    /** Requests the bytes from the position on. */
    Future<Void> open() {
        return requests.range(path, position, to).map(opened -> {
            response = opened;
            broken = null;
            if (closed) {
                opened.request().reset();
            } else {
                opened.exceptionHandler(failure -> stop(opened, failure)).endHandler(all -> end(opened)).handler(bytes -> take(opened, bytes));
            }
            return null;
        });
    }

    @Override
    public Future<Buffer> next() {
        if (position == to) {
            return Future.succeededFuture(Buffer.buffer(0));
        }
        asked = Promise.promise();
        Future<byte[]> coming = asked.future();
        block = new byte[(int) Math.min(to - position, Fingerprint.BLOCK_BYTES)];
        filled = 0;
        fill();
        return coming.compose(bytes -> worker.executeBlocking(() -> {
            check.check(bytes);
            return Buffer.buffer(bytes);
        }, false));
    }

    /**
     * Drops bytes beyond the requested range, and bytes that a broken connection still delivers: the next connection begins
     * before them.
     */
    private void take(HttpClientResponse from, Buffer bytes) {
        if (position < to && from == response && broken == null) {
            arrived.add(bytes);
            fill();
        }
    }

    private void fill() {
        while (asked != null && !arrived.isEmpty()) {
            Buffer bytes = arrived.remove();
            int count = Math.min(bytes.length(), block.length - filled);
            bytes.getBytes(0, count, block, filled);
            filled += count;
            position += count;
            fruitless = 0;
            if (count < bytes.length()) {
                arrived.addFirst(bytes.slice(count, bytes.length()));
            }
            if (filled == block.length) {
                if (position < to) {
                    response.pause();
                } else {
                    response.resume();
                }
                answer().complete(block);
            }
        }
        if (asked != null) {
            if (broken == null) {
                response.resume();
            } else {
                goOn();
            }
        }
    }

    private void end(HttpClientResponse of) {
        ended = true;
        // The reader gets this failure only when it requests more than has arrived.
        stop(of, new ObjectFailure(ObjectFailure.Kind.ALTERED, requests.url(path) + " is shorter than it was"));
    }

    private Promise<byte[]> answer() {
        Promise<byte[]> answering = asked;
        asked = null;
        return answering;
    }

    /** The end of a connection is reported more than once, and late: only the first report of the present connection counts. */
    private void stop(HttpClientResponse of, Throwable failure) {
        if (of != response || broken != null) {
            return;
        }
        broken = failure instanceof ObjectFailure ? failure
                : new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, requests.url(path) + ": " + failure.getMessage(), failure);
        if (asked != null && arrived.isEmpty()) {
            goOn();
        }
    }

    /** Continues with another connection, unless the last ones delivered nothing. */
    private void goOn() {
        if (ended || closed || ++fruitless > S3Requests.ATTEMPTS) {
            answer().fail(broken);
            return;
        }
        open().onComplete(opened -> fill(), failed -> answer().fail(failed));
    }

    @Override
    public void close() {
        if (!closed && response != null) {
            closed = true;
            if (!ended) {
                // The rest is not needed, so the connection is closed.
                response.request().reset();
            }
        }
    }
}
