package io.arbitration.platform.objects;

import io.arbitration.platform.batching.SequentialWork;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * A bucket behind the S3 protocol: Amazon S3, Google Cloud Storage by its interoperable interface, or another server. Objects are
 * uploaded in parts of {@value S3Writer#PART_BYTES} bytes and exist at their path only when all parts are completed.
 */
final class S3Store implements ObjectStore {

    /** A path that no object ever has. */
    private static final String NO_OBJECT = "health";

    private final S3Requests requests;
    private final WorkerExecutor worker;
    private final Semaphore uploads;

    /** @param uploads bounds the uploads that hold parts in memory; see {@link S3Writer#uploadsWithin} */
    S3Store(Vertx vertx, HttpClient client, S3Settings settings, String bucket, WorkerExecutor worker, Semaphore uploads) {
        this.requests = new S3Requests(vertx, client, settings, bucket, worker);
        this.worker = worker;
        this.uploads = uploads;
    }

    @Override
    public Future<ObjectWriter> write(String path) {
        return uploads.tryAcquire()
                ? Future.succeededFuture(new S3Writer(requests, worker, uploads, path))
                : Future.failedFuture(new ObjectFailure(ObjectFailure.Kind.BUSY, "uploads to the store hold all the memory they may"));
    }

    @Override
    public Future<Blocks> read(String path, long from, long length, Check check) {
        S3Reader reader = new S3Reader(requests, worker, path, from, from + length, check);
        return length == 0 ? Future.succeededFuture(reader) : reader.open().map(reader);
    }

    @Override
    public Future<Long> length(String path) {
        return requests.length(path);
    }

    /**
     * A store that answers "no such object" has accepted the credentials. Without the right to list, Amazon answers 403 for both
     * cases.
     */
    @Override
    public Future<Void> reachable() {
        return length(NO_OBJECT).<Void>mapEmpty().recover(failed -> failed instanceof ObjectFailure failure && failure.kind() == ObjectFailure.Kind.MISSING
                ? Future.succeededFuture() : Future.failedFuture(failed));
    }

    /** Also aborts incomplete uploads: their parts are no object, but the store keeps them. */
    @Override
    public Future<Void> delete(String path) {
        return requests.answered(HttpMethod.DELETE, path, "", Map.of(), new byte[0], 200, 204, 404)
                .compose(deleted -> requests.answered(HttpMethod.GET, "", "uploads=&prefix=" + S3Signer.encoded(path), Map.of(), new byte[0], 200))
                .compose(listed -> SequentialWork.each(S3Writer.UPLOAD_ID.matcher(listed.body().toString()).results().map(id -> S3Writer.unescaped(id.group(1))).toList(),
                        id -> abort(path, id)))
                .mapEmpty();
    }

    private Future<Void> abort(String path, String uploadId) {
        return requests.answered(HttpMethod.DELETE, path, "uploadId=" + S3Signer.encoded(uploadId), Map.of(), new byte[0], 204, 404).mapEmpty();
    }
}
