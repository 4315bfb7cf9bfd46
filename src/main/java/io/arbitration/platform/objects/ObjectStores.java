package io.arbitration.platform.objects;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.PartState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The object stores of the configured buckets. Objects at other addresses are treated as missing. */
public final class ObjectStores {

    /** A pending object that was not renewed for this long belongs to an aborted upload. */
    static final Duration ABANDONED_AFTER = Duration.ofHours(1);
    private static final Duration SWEEP_PERIOD = Duration.ofMinutes(10);
    private static final int WORKERS = 8;
    private static final int CONNECTIONS = 32;
    private static final Logger LOG = LoggerFactory.getLogger(ObjectStores.class);

    private final Vertx vertx;
    private final Map<Bucket, ObjectStore> stores;
    private final PendingObjectRepository pending;
    private final Clock clock;
    private final RandomGenerator random;

    private ObjectStores(
            Vertx vertx, Map<Bucket, ObjectStore> stores, PendingObjectRepository pending, Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.stores = stores;
        this.pending = pending;
        this.clock = clock;
        this.random = random;
    }

    /** Opens the stores; a bucket is contacted at its first use. Sweeps periodically until Vert.x closes. */
    public static ObjectStores open(
            Vertx vertx, ObjectSettings settings, PendingObjectRepository pending, Clock clock, RandomGenerator random) {
        WorkerExecutor worker = vertx.createSharedWorkerExecutor("objects", WORKERS);
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout(5000).setReadIdleTimeout(30).setIdleTimeoutUnit(TimeUnit.SECONDS),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        Semaphore uploads = S3Writer.uploadsWithin(Runtime.getRuntime().maxMemory());
        Map<Bucket, ObjectStore> stores = new LinkedHashMap<>();
        settings.buckets().forEach(bucket -> stores.put(bucket, switch (bucket.scheme()) {
            case FILE -> new FolderStore(settings.folder().resolve(bucket.name()), worker);
            case S3 -> new S3Store(vertx, client, settings.s3().orElseThrow(), bucket.name(), worker, uploads);
            case GS -> new S3Store(vertx, client, settings.gs().orElseThrow(), bucket.name(), worker, uploads);
        }));
        ObjectStores all = new ObjectStores(vertx, stores, pending, clock, random);
        vertx.setPeriodic(SWEEP_PERIOD.toMillis(), due -> all.sweep()
                .onFailure(failed -> LOG.warn("removing unfinished uploads failed: {}", failed.getMessage())));
        return all;
    }

    public boolean isConfigured(Bucket bucket) {
        return stores.containsKey(bucket);
    }

    /** Starts an object at a new address below a folder of a configured bucket. */
    public Future<StagedObject> stage(Bucket bucket, String folder) {
        ObjectStore store = store(bucket);
        String name = Identifiers.random(random).toString();
        ObjectAddress address = new ObjectAddress(bucket, "%s/%s/%s".formatted(folder, name.substring(0, 2), name));
        return pending.add(address, clock.instant())
                .compose(added -> store.write(address.path()))
                .map(writer -> new StagedObject(vertx, address, writer, store, pending, clock))
                .recover(failed -> pending.remove(address).transform(removed -> Future.failedFuture(failed)));
    }

    /** The repository with which the transaction that references a staged object deletes its pending row. */
    public PendingObjectRepository pending() {
        return pending;
    }

    /**
     * Reads a part of an object and verifies each block by the fingerprint before passing it on, so altered bytes are never sent.
     * Fails before the first block if the object is missing or has another length.
     */
    public Future<Blocks> read(ObjectAddress address, Fingerprint fingerprint, long from, long length) {
        VerifiedRange range = new VerifiedRange(address, fingerprint, from, length);
        return store(address.bucket()).read(address.path(), fingerprint.bytes(), range.alignedFrom(), range.alignedLength(), range).map(range::cut);
    }

    /** Reads a complete object into memory and verifies it; for objects that are known to be small. */
    public Future<Buffer> readWhole(ObjectAddress address, Fingerprint fingerprint) {
        return read(address, fingerprint, 0, fingerprint.bytes())
                .compose(blocks -> rest(blocks, Buffer.buffer((int) fingerprint.bytes())).eventually(() -> {
                    blocks.close();
                    return Future.succeededFuture();
                }));
    }

    private static Future<Buffer> rest(Blocks blocks, Buffer soFar) {
        return blocks.next().compose(block -> block.length() == 0 ? Future.succeededFuture(soFar) : rest(blocks, soFar.appendBuffer(block)));
    }

    /** A stored object that no row references yet. */
    public record Kept(StagedObject object, Fingerprint fingerprint) {}

    /** Stages an object whose bytes are all in memory. After a failure, the sweeper deletes the remains. */
    public Future<Kept> keep(Bucket bucket, String folder, byte[] bytes) {
        return stage(bucket, folder).compose(object -> write(object, bytes, 0)
                .compose(written -> object.finish())
                .map(fingerprint -> new Kept(object, fingerprint))
                .recover(failed -> object.abandon().transform(abandoned -> Future.failedFuture(failed))));
    }

    private static Future<Void> write(StagedObject object, byte[] bytes, int from) {
        if (from >= bytes.length) {
            return Future.succeededFuture();
        }
        int to = Math.min(bytes.length, from + Fingerprint.BLOCK_BYTES);
        return object.write(List.of(Arrays.copyOfRange(bytes, from, to))).compose(written -> write(object, bytes, to));
    }

    /** The length in bytes of an object at a configured address. */
    public Future<Long> length(ObjectAddress address) {
        return store(address.bucket()).length(address.path());
    }

    /** Reads a part of an object that has no fingerprint. */
    public Future<Blocks> read(ObjectAddress address, long from, long length) {
        return store(address.bucket()).read(address.path(), from, length, unproved -> { });
    }

    /** The file on this machine that contains an object, if its bucket is a folder; for reading only. */
    public Optional<Path> localFile(ObjectAddress address) {
        return store(address.bucket()) instanceof FolderStore folder ? Optional.of(folder.file(address.path())) : Optional.empty();
    }

    /** Whether all configured buckets are reachable; names the first that is not. */
    public Future<PartState> check() {
        return Future.join(stores.entrySet().stream().map(store -> store.getValue().reachable()
                        .recover(failed -> Future.failedFuture("%s: %s".formatted(store.getKey(), failed.getMessage())))).toList())
                .map(PartState.of("UP"))
                .otherwise(failed -> new PartState("DOWN", Optional.of(failed.getMessage())));
    }

    /** Deletes the remains of aborted uploads; answers how many there were. Failed deletions are tried again an hour later. */
    public Future<Integer> sweep() {
        Instant now = clock.instant();
        return pending.claimAbandoned(now.minus(ABANDONED_AFTER), now).compose(addresses -> {
            Future<Void> swept = Future.succeededFuture();
            for (String address : addresses) {
                swept = swept.compose(before -> sweep(address));
            }
            return swept.map(addresses.size());
        });
    }

    /** Deletes the objects that a committed transaction has released. Failed deletions are repeated by the sweeper. */
    public void sweepReleased() {
        sweep().onFailure(failed -> LOG.warn("removing objects that no record names any more failed: {}", failed.getMessage()));
    }

    private Future<Void> sweep(String text) {
        ObjectAddress address = ObjectAddress.parse(text).orElseThrow();
        ObjectStore store = stores.get(address.bucket());
        if (store == null) {
            LOG.warn("{} cannot be removed, because objects.buckets no longer names its bucket", address);
            return Future.succeededFuture();
        }
        return store.delete(address.path())
                .compose(deleted -> pending.remove(address))
                .onSuccess(removed -> LOG.info("removed {}, which no record names any more", address))
                .otherwise(failed -> {
                    LOG.warn("removing {} failed and is tried again: {}", address, failed.getMessage());
                    return null;
                });
    }

    private ObjectStore store(Bucket bucket) {
        ObjectStore store = stores.get(bucket);
        if (store == null) {
            throw new IllegalArgumentException("bucket %s is not configured".formatted(bucket));
        }
        return store;
    }
}
