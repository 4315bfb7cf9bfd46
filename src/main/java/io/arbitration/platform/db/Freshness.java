package io.arbitration.platform.db;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How lately a node has read what it keeps a copy of in memory. A copy is trusted for {@link #TRUSTED} after the beginning of the
 * read that it comes from: a node that has not read for longer, because it was stopped or cut off, reads what it missed before the
 * copy decides anything again ({@link #catchUp}). There is one read at a time, so that none overwrites what a later one found.
 */
public final class Freshness {

    public static final Duration TRUSTED = Duration.ofSeconds(1);
    /** How often a node reads, so that a copy is always trusted while the database answers. */
    public static final long POLL_MILLIS = 500;
    private static final Logger LOG = LoggerFactory.getLogger(Freshness.class);

    private final String what;
    private final Supplier<Future<Void>> read;
    private final Clock clock;
    private volatile Optional<Begun> last = Optional.empty();
    private Optional<Promise<Void>> underWay = Optional.empty();
    private Optional<Promise<Void>> following = Optional.empty();

    /** By the clock of the nodes, and by one of this machine that nobody sets; the latter stands still while the machine sleeps. */
    private record Begun(Instant at, long nanos) {}

    /**
     * @param what is read, for logs
     * @param read reads it and keeps it
     */
    public Freshness(String what, Supplier<Future<Void>> read, Clock clock) {
        this.what = what;
        this.read = read;
        this.clock = clock;
    }

    /** Whether this node has read lately; also before its first read, which its start awaits. From any thread. */
    public boolean isFresh() {
        return last.map(begun -> System.nanoTime() - begun.nanos <= TRUSTED.toNanos()
                && Duration.between(begun.at, clock.instant()).compareTo(TRUSTED) <= 0).orElse(true);
    }

    /** Done when this node knows what was committed until it was asked, or has read lately; fails when the database does not answer. */
    public Future<Void> catchUp() {
        return isFresh() ? Future.succeededFuture() : next();
    }

    /** Reads, unless a read is under way. */
    public void poll() {
        synchronized (this) {
            if (underWay.isPresent()) {
                return;
            }
        }
        next();
    }

    /** Done by a read that begins from now on: one that is under way may have begun too early. */
    public Future<Void> next() {
        Promise<Void> mine = Promise.promise();
        synchronized (this) {
            if (underWay.isPresent()) {
                following = following.or(() -> Optional.of(mine));
                return following.get().future();
            }
            underWay = Optional.of(mine);
        }
        run(mine);
        return mine.future();
    }

    private void run(Promise<Void> mine) {
        Begun begun = new Begun(clock.instant(), System.nanoTime());
        // A read that throws has failed like any other: were it still under way, none would begin any more.
        Future.succeededFuture().compose(nothing -> read.get()).onComplete(done -> {
            Optional<Promise<Void>> after;
            synchronized (this) {
                if (done.succeeded()) {
                    last = Optional.of(begun);
                }
                after = following;
                following = Optional.empty();
                underWay = after;
            }
            if (done.failed()) {
                LOG.warn("reading {} failed: {}", what, done.cause().getMessage());
            }
            mine.handle(done);
            after.ifPresent(this::run);
        });
    }
}
