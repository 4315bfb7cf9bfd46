package io.arbitration.platform.pipeline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.answer.Gzip;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.request.OwnContext;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Compresses answers: short ones on the event loop, long ones on a worker thread, because compressing megabytes would block the event loop.
 * The compressed form of a body that many readers share is cached.
 */
final class Compressor {

    /** The longest body that is compressed on the event loop; it takes a fifth of a millisecond. */
    static final int INLINE_BYTES_MAX = 16_384;
    private static final int PER_CALLER = 16;
    private static final int WAITING_MAX = 256;

    private final Bulkhead longOnes = new Bulkhead(new Bulkhead.Bounds(Runtime.getRuntime().availableProcessors(), PER_CALLER, WAITING_MAX),
            HttpError.OVERLOADED::refusal, HttpError.RATE::refusal);
    /** Compressed forms by the identity of the plain body. An entry is removed when the plain body is garbage. */
    private final Cache<Buffer, Buffer> kept;
    private final Map<Buffer, Future<Buffer>> making = new IdentityHashMap<>();
    private final Counter compressed;
    private final Counter fromKept;

    /** @param keptBytesMax of compressed forms in the cache */
    Compressor(long keptBytesMax, MeterRegistry meters) {
        this.kept = Caffeine.newBuilder().weakKeys().maximumWeight(keptBytesMax).weigher((Buffer plain, Buffer small) -> small.length())
                .executor(Runnable::run).build();
        this.compressed = Counter.builder("acp.http.compressed").description("Answers that were compressed while they were sent").register(meters);
        this.fromKept = Counter.builder("acp.http.compressed.kept").description("Answers whose compressed form was kept from an earlier one").register(meters);
    }

    /**
     * The compressed form of a body; empty if too many are waiting: then the plain body is sent.
     *
     * @param caller whose answer it is
     * @param shared whether the same bytes are sent to others, too
     */
    Future<Optional<Buffer>> gzip(Vertx vertx, Object caller, Buffer plain, boolean shared) {
        if (plain.length() <= INLINE_BYTES_MAX) {
            compressed.increment();
            return Future.succeededFuture(Optional.of(Gzip.fast(plain)));
        }
        if (!shared) {
            return orPlain(compressOnWorker(vertx, caller, plain));
        }
        Buffer present = kept.getIfPresent(plain);
        if (present != null) {
            fromKept.increment();
            return Future.succeededFuture(Optional.of(present));
        }
        return orPlain(OwnContext.of(vertx, made(vertx, caller, plain)));
    }

    private static Future<Optional<Buffer>> orPlain(Future<Buffer> small) {
        return small.map(Optional::of).otherwise(full -> Optional.empty());
    }

    private Future<Buffer> compressOnWorker(Vertx vertx, Object caller, Buffer plain) {
        return longOnes.run(caller, () -> vertx.executeBlocking(() -> {
            compressed.increment();
            return Gzip.fast(plain);
        }, false));
    }

    /** Compresses a shared body once for all who request it meanwhile. */
    private Future<Buffer> made(Vertx vertx, Object caller, Buffer plain) {
        Promise<Buffer> first = Promise.promise();
        synchronized (making) {
            Future<Buffer> already = making.putIfAbsent(plain, first.future());
            if (already != null) {
                return already;
            }
        }
        compressOnWorker(vertx, caller, plain).onComplete(small -> {
            if (small.succeeded()) {
                kept.put(plain, small.result());
            }
            synchronized (making) {
                making.remove(plain);
            }
            first.handle(small);
        });
        return first.future();
    }
}
