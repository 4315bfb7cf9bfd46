package io.arbitration.mainapi.files;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is being sent to a reader whose rights are checked again between blocks, at most once a second: a user who is
 * removed from the case gets no further bytes. If the database does not answer, the former rights count until it does.
 */
public final class WatchedBlocks implements Blocks {

    private static final Duration ASKED_EVERY = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(WatchedBlocks.class);

    private final Blocks blocks;
    private final Supplier<Future<Void>> mayRead;
    private final Clock clock;
    private Instant asked;

    /** @param mayRead fails with a {@link Refusal} if the reader may no longer read the file */
    public WatchedBlocks(Blocks blocks, Supplier<Future<Void>> mayRead, Clock clock) {
        this.blocks = blocks;
        this.mayRead = mayRead;
        this.clock = clock;
        this.asked = clock.instant();
    }

    @Override
    public Future<Buffer> next() {
        Instant now = clock.instant();
        if (now.isBefore(asked.plus(ASKED_EVERY))) {
            return blocks.next();
        }
        asked = now;
        return mayRead.get().recover(failed -> {
            if (failed instanceof Refusal) {
                return Future.failedFuture(failed);
            }
            LOG.warn("checking whether a reader may still read a file failed: {}", failed.getMessage());
            return Future.succeededFuture();
        }).compose(still -> blocks.next());
    }

    @Override
    public void close() {
        blocks.close();
    }
}
