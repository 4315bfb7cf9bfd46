package io.arbitration.mainapi.files;

import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.ObjectFailure;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answers to clients when the object store fails. */
public final class StoreFailures {

    private static final int RETRY_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(StoreFailures.class);

    private StoreFailures() {}

    /** The refusal for a failure of the store, which is logged; any other failure is returned unchanged. */
    public static Throwable refusal(Throwable failure) {
        if (!(failure instanceof ObjectFailure known)) {
            return failure;
        }
        LOG.error("files: {}", known.getMessage());
        return switch (known.kind()) {
            case MISSING -> TransferError.FILE_MISSING.refusal();
            case ALTERED -> TransferError.FILE_ALTERED.refusal();
            case UNAVAILABLE -> TransferError.STORE.refusal().retryAfter(RETRY_SECONDS);
            case BUSY -> TransferError.TRANSFERS.refusal().retryAfter(RETRY_SECONDS);
        };
    }

    /**
     * A first block that has been read, the second, which is being read, and the following ones, with failures of the store as
     * refusals.
     *
     * @param ended called when they are closed
     */
    static Blocks asRefusals(Buffer first, Future<Buffer> second, Blocks blocks, Runnable ended) {
        return new Blocks() {
            private Buffer ahead = first;
            private Future<Buffer> beingRead = second;
            private boolean closed;

            @Override
            public Future<Buffer> next() {
                if (ahead != null) {
                    Buffer block = ahead;
                    ahead = null;
                    return Future.succeededFuture(block);
                }
                Future<Buffer> next = beingRead == null ? blocks.next() : beingRead;
                beingRead = null;
                // A read in progress fails when the blocks are closed; this is no failure of the store.
                return next.recover(failure -> Future.failedFuture(closed ? failure : refusal(failure)));
            }

            @Override
            public void close() {
                closed = true;
                blocks.close();
                ended.run();
            }
        };
    }
}
