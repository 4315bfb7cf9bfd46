package io.arbitration.mainapi.files;

import io.arbitration.domain.cases.FileRule;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.telemetry.DiskProbe;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Transfers of files to the object store and from it: bounded in number, and only while the disk has space. */
public final class Transfers {

    private static final int DISK_RETRY_SECONDS = 60;
    private static final int RETRY_SECONDS = 2;

    private final Vertx vertx;
    private final ObjectStores objects;
    private final ReadingTrail trail;
    private final DiskProbe disk;
    private final Bucket bucket;
    private final Bulkhead transfers;
    private final Map<UUID, Long> stagedByCaller = new ConcurrentHashMap<>();

    /**
     * @param bucket the bucket for files
     * @param transfersMax on this node at once
     * @param transfersPerCaller by one caller
     */
    public Transfers(Vertx vertx, ObjectStores objects, ReadingTrail trail, DiskProbe disk, Bucket bucket, int transfersMax, int transfersPerCaller) {
        this.vertx = vertx;
        this.objects = objects;
        this.trail = trail;
        this.disk = disk;
        this.bucket = bucket;
        this.transfers = new Bulkhead(new Bulkhead.Bounds(transfersMax, transfersPerCaller, 0),
                () -> TransferError.TRANSFERS.refusal().retryAfter(RETRY_SECONDS),
                () -> TransferError.TRANSFERS_OF_CALLER.refusal(transfersPerCaller).retryAfter(RETRY_SECONDS));
    }

    /**
     * Whether at least as many files are being transferred as there are processors, so that background work would take processor
     * time from users who wait.
     */
    public boolean isBusy() {
        return transfers.running() >= Runtime.getRuntime().availableProcessors();
    }

    /**
     * Begins to store a file.
     *
     * @param folder in the bucket
     * @param checks may refuse the file before it is complete
     */
    public Future<UploadedFile> begin(UUID callerId, String folder, FormPart part, Supplier<Future<UploadedFile.Checks>> checks) {
        Bulkhead.Permit permit = transfers.acquire(callerId);
        return checkDisk()
                .compose(hasSpace -> checks.get())
                .compose(found -> objects.stage(bucket, folder).map(object -> new UploadedFile(vertx, object, part, found, new Staging(callerId, permit))))
                .recover(failure -> {
                    permit.close();
                    return Future.failedFuture(StoreFailures.refusal(failure));
                });
    }

    /** Checks the bytes of a file so far, and those of all uploads of its user in progress on this node; throws to refuse. */
    @FunctionalInterface
    public interface Growth {
        void check(long ofFile, long ofCaller);
    }

    /** A file that is being staged. Simultaneous uploads must not each use up the same quota. */
    private final class Staging implements UploadedFile.UnderWay {

        private final UUID callerId;
        private final Bulkhead.Permit permit;
        private long bytes;

        Staging(UUID callerId, Bulkhead.Permit permit) {
            this.callerId = callerId;
            this.permit = permit;
        }

        @Override
        public synchronized long add(long more) {
            bytes += more;
            return stagedByCaller.merge(callerId, more, Long::sum);
        }

        @Override
        public synchronized void close() {
            long staged = bytes;
            bytes = 0;
            stagedByCaller.computeIfPresent(callerId, (id, all) -> all == staged ? null : all - staged);
            permit.close();
        }
    }

    /**
     * The checks that may refuse a file before it is complete, in addition to that of the disk.
     *
     * @param rule the rule for the file, to be used again at the end; empty if it is looked up again
     * @param content refuses by the type of the file; called when its first bytes have arrived
     * @param growth refuses by the number of bytes so far
     */
    public UploadedFile.Checks checks(Optional<FileRule> rule, Consumer<UploadedFile> content, Growth growth) {
        return new UploadedFile.Checks() {
            @Override
            public Optional<FileRule> rule() {
                return rule;
            }

            @Override
            public void begun(UploadedFile file) {
                content.accept(file);
            }

            @Override
            public Future<Void> grown(long ofFile, long ofCaller) {
                growth.check(ofFile, ofCaller);
                return checkDisk();
            }
        };
    }

    /** Refuses while the disk has less free space than the node reserves for its own work. */
    public Future<Void> checkDisk() {
        return disk.hasSpace().map(hasSpace -> {
            if (!hasSpace) {
                throw TransferError.DISK.refusal(disk.freeBytesMin()).retryAfter(DISK_RETRY_SECONDS);
            }
            return null;
        });
    }

    /**
     * Releases a file after the transaction that was to take it over. After a failure that is no refusal it is unknown whether
     * the row exists; the sweeper of the store checks this later.
     */
    public static <T> Future<T> releaseAfter(Future<T> transaction, UploadedFile file) {
        return transaction.transform(result -> {
            Future<Void> done = result.cause() instanceof Refusal ? file.abandon() : file.release();
            return done.otherwiseEmpty().compose(left -> result.succeeded()
                    ? Future.succeededFuture(result.result())
                    : Future.failedFuture(StoreFailures.refusal(result.cause())));
        });
    }

    /**
     * Opens a part of a stored file. Each block is verified before it is passed on, and none is passed on before the reader's
     * audit line is committed.
     *
     * @param read the audit line, requested when the first block has been read: a refused, missing or altered file was not read
     */
    public Future<Blocks> open(UUID callerId, ObjectAddress address, Fingerprint fingerprint, long from, long length, Supplier<AuditTrail.Line> read) {
        Bulkhead.Permit permit = transfers.acquire(callerId);
        return objects.read(address, fingerprint, from, length)
                .compose(blocks -> blocks.next()
                        .compose(first -> {
                            Future<Void> audited = trail.add(read.get());
                            // The next block is read while the line is committed.
                            Future<Buffer> second = first.length() == 0 ? Future.succeededFuture(first) : blocks.next();
                            return audited.map(committed -> StoreFailures.asRefusals(first, second, blocks, permit::close));
                        })
                        .onFailure(failed -> blocks.close()))
                .recover(failure -> {
                    permit.close();
                    return Future.failedFuture(StoreFailures.refusal(failure));
                });
    }
}
