package io.arbitration.platform.objects;

import io.arbitration.Settings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket behind the S3 protocol: Amazon S3, Google Cloud Storage by its interoperable interface, or a server of one's own.
 * Objects go up in parts of {@value #PART_BYTES} bytes and stand at their path only when all parts have been completed.
 */
final class S3Store implements ObjectStore {

    /** Stands at no address that is ever given out. */
    private static final String NO_OBJECT = "health";
    /** The least that the protocol takes for any part but the last. */
    static final int PART_BYTES = 5_242_880;
    /** A part that is filled and one that is sent. */
    private static final int PARTS_HELD = 2;
    private static final int ATTEMPTS = 4;
    private static final long RETRY_MILLIS = 200;
    private static final Pattern UPLOAD_ID = Pattern.compile("<UploadId>([^<]+)</UploadId>");

    private final Vertx vertx;
    private final HttpClient client;
    private final S3Signer signer;
    private final String bucketUrl;
    private final WorkerExecutor worker;
    private final Semaphore uploads;

    S3Store(Vertx vertx, HttpClient client, S3Settings settings, String bucket, WorkerExecutor worker, Semaphore uploads) {
        this.vertx = vertx;
        this.client = client;
        this.signer = new S3Signer(settings);
        this.bucketUrl = settings.endpoint() + "/" + bucket;
        this.worker = worker;
        this.uploads = uploads;
    }

    /** So many uploads may hold their parts in memory at once: a quarter of the heap. */
    static Semaphore uploadsWithin(long heapBytesMax) {
        return new Semaphore((int) Math.max(1, heapBytesMax / 4 / (PARTS_HELD * (long) PART_BYTES)));
    }

    @Override
    public Future<ObjectWriter> write(String path) {
        return uploads.tryAcquire()
                ? Future.succeededFuture(new Writer(path))
                : Future.failedFuture(new ObjectFailure(ObjectFailure.Kind.BUSY, "uploads to the store hold all the memory they may"));
    }

    @Override
    public Future<Blocks> read(String path, long from, long length, Check check) {
        if (length == 0) {
            return Future.succeededFuture(new Reader(path, from, 0, check));
        }
        Reader reader = new Reader(path, from, from + length, check);
        return reader.open().map(reader);
    }

    private Future<HttpClientResponse> range(String path, long from, long to) {
        Map<String, String> range = Map.of("Range", "bytes=%d-%d".formatted(from, to - 1));
        return attempt(1, () -> signed(HttpMethod.GET, path, "", range, new byte[0]).compose(this::sent).compose(response -> switch (response.statusCode()) {
            case 206 -> Future.succeededFuture(response);
            case 416 -> drained(response, new ObjectFailure(ObjectFailure.Kind.ALTERED, url(path) + " is shorter than it was"));
            default -> unexpected(path, response);
        }));
    }

    @Override
    public Future<Long> length(String path) {
        return attempt(1, () -> signed(HttpMethod.HEAD, path, "", Map.of(), new byte[0]).compose(this::sent).compose(response ->
                response.statusCode() == 200
                        ? ended(response).map(Long.parseLong(response.getHeader("Content-Length")))
                        : unexpected(path, response)));
    }

    /** A store that knows of no such object has understood who asks. It needs the right to list, or it says 403 (to Amazon, of both). */
    @Override
    public Future<Void> reachable() {
        return length(NO_OBJECT).<Void>mapEmpty().recover(failed -> failed instanceof ObjectFailure failure && failure.kind() == ObjectFailure.Kind.MISSING
                ? Future.succeededFuture() : Future.failedFuture(failed));
    }

    /** Parts of an upload that died are no object yet, but they take room: such uploads are aborted too. */
    @Override
    public Future<Void> delete(String path) {
        return answered(HttpMethod.DELETE, path, "", Map.of(), new byte[0], 200, 204, 404)
                .compose(deleted -> answered(HttpMethod.GET, "", "uploads=&prefix=" + S3Signer.encoded(path), Map.of(), new byte[0], 200))
                .compose(listed -> {
                    Future<Void> all = Future.succeededFuture();
                    Matcher ids = UPLOAD_ID.matcher(listed.body().toString());
                    while (ids.find()) {
                        String id = unescaped(ids.group(1));
                        all = all.compose(before -> abort(path, id));
                    }
                    return all;
                });
    }

    private Future<Void> abort(String path, String uploadId) {
        return answered(HttpMethod.DELETE, path, "uploadId=" + S3Signer.encoded(uploadId), Map.of(), new byte[0], 204, 404).mapEmpty();
    }

    private record Answer(HttpClientResponse response, Buffer body) {}

    /** A request with a small answer, repeated while the store is not well. Every request here may be repeated. */
    private Future<Answer> answered(
            HttpMethod method, String path, String query, Map<String, String> headers, byte[] body, Integer... expected) {
        return attempt(1, () -> signed(method, path, query, headers, body)
                .compose(this::sent)
                .compose(response -> whole(response).map(bytes -> new Answer(response, bytes)))
                .compose(answer -> List.of(expected).contains(answer.response.statusCode())
                        ? Future.succeededFuture(answer)
                        // No object is missing when one is written or deleted, but the bucket may be.
                        : Future.failedFuture(refused(path, answer.response.statusCode(), answer.body, ObjectFailure.Kind.UNAVAILABLE))));
    }

    private <T> Future<T> attempt(int number, java.util.function.Supplier<Future<T>> work) {
        return work.get().recover(failure -> number < ATTEMPTS && failure instanceof ObjectFailure known && known.kind() == ObjectFailure.Kind.BUSY
                ? vertx.timer(RETRY_MILLIS << number, TimeUnit.MILLISECONDS).compose(waited -> attempt(number + 1, work))
                : Future.failedFuture(failure instanceof ObjectFailure known && known.kind() == ObjectFailure.Kind.BUSY
                        ? new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, known.getMessage(), known) : failure));
    }

    private Future<S3Signer.Signed> signed(HttpMethod method, String path, String query, Map<String, String> headers, byte[] body) {
        return worker.executeBlocking(() -> signer.sign(method, url(path) + (query.isEmpty() ? "" : "?" + query), headers, body), false)
                .recover(noKeys -> Future.failedFuture(new ObjectFailure(ObjectFailure.Kind.BUSY, noKeys.getMessage(), noKeys)));
    }

    private String url(String path) {
        return path.isEmpty() ? bucketUrl : bucketUrl + "/" + S3Signer.encodedPath(path);
    }

    private Future<HttpClientResponse> sent(S3Signer.Signed request) {
        return client.request(request.options())
                .compose(out -> out.send(Buffer.buffer(request.body())))
                // The body is asked for later: until then it must wait.
                .onSuccess(HttpClientResponse::pause)
                .recover(failure -> Future.failedFuture(new ObjectFailure(ObjectFailure.Kind.BUSY,
                        "%s does not answer: %s".formatted(bucketUrl, failure.getMessage()), failure)));
    }

    private <T> Future<T> unexpected(String path, HttpClientResponse response) {
        return whole(response).compose(body -> Future.failedFuture(refused(path, response.statusCode(), body, ObjectFailure.Kind.MISSING)));
    }

    private static <T> Future<T> drained(HttpClientResponse response, ObjectFailure failure) {
        return whole(response).compose(body -> Future.failedFuture(failure));
    }

    private static Future<Void> ended(HttpClientResponse response) {
        Future<Void> end = response.end();
        response.resume();
        return end;
    }

    private static Future<Buffer> whole(HttpClientResponse response) {
        Future<Buffer> body = response.body();
        response.resume();
        return body;
    }

    private ObjectFailure refused(String path, int status, Buffer body, ObjectFailure.Kind notFound) {
        String told = body.toString();
        String message = "%s answered %d %s".formatted(url(path), status, told.length() > 500 ? told.substring(0, 500) : told);
        return switch (status) {
            case 404 -> new ObjectFailure(notFound, message);
            case 429, 500, 502, 503, 504 -> new ObjectFailure(ObjectFailure.Kind.BUSY, message);
            default -> new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, message);
        };
    }

    private static String unescaped(String xml) {
        return xml.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&");
    }

    /** Sends a part while the next one fills. */
    final class Writer extends ObjectWriter {

        private final String path;
        private final List<String> partTags = new ArrayList<>();
        private ByteArrayOutputStream part = new ByteArrayOutputStream();
        private Future<Void> sending = Future.succeededFuture();
        private String uploadId;
        private boolean closed;

        Writer(String path) {
            super(worker);
            this.path = path;
        }

        @Override
        void keep(byte[] bytes) {
            part.writeBytes(bytes);
        }

        @Override
        Future<Void> settle() {
            if (part.size() < PART_BYTES) {
                return Future.succeededFuture();
            }
            byte[] full = part.toByteArray();
            part = new ByteArrayOutputStream();
            Future<Void> before = sending;
            sending = before.compose(sent -> begun()).compose(begun -> send(full));
            return before;
        }

        private Future<Void> begun() {
            if (uploadId != null) {
                return Future.succeededFuture();
            }
            return answered(HttpMethod.POST, path, "uploads=", Map.of(), new byte[0], 200).map(answer -> {
                Matcher id = UPLOAD_ID.matcher(answer.body.toString());
                if (!id.find()) {
                    throw new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, url(path) + " began an upload without an id");
                }
                uploadId = unescaped(id.group(1));
                return null;
            });
        }

        private Future<Void> send(byte[] bytes) {
            String query = "partNumber=%d&uploadId=%s".formatted(partTags.size() + 1, S3Signer.encoded(uploadId));
            return answered(HttpMethod.PUT, path, query, Map.of(), bytes, 200).map(answer -> {
                partTags.add(answer.response.getHeader("ETag"));
                return null;
            });
        }

        @Override
        Future<Void> complete() {
            return sending.compose(sent -> {
                byte[] last = part.toByteArray();
                part = new ByteArrayOutputStream();
                if (uploadId == null) {
                    return answered(HttpMethod.PUT, path, "", Map.of(), last, 200).<Void>mapEmpty();
                }
                return (last.length == 0 ? Future.<Void>succeededFuture() : send(last)).compose(all -> joined());
            }).onComplete(done -> release());
        }

        private Future<Void> joined() {
            StringBuilder parts = new StringBuilder("<CompleteMultipartUpload>");
            for (int i = 0; i < partTags.size(); i++) {
                parts.append("<Part><PartNumber>").append(i + 1).append("</PartNumber><ETag>")
                        .append(partTags.get(i).replace("&", "&amp;").replace("\"", "&quot;")).append("</ETag></Part>");
            }
            byte[] body = parts.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
            return answered(HttpMethod.POST, path, "uploadId=" + S3Signer.encoded(uploadId), Map.of("Content-Type", "application/xml"), body, 200)
                    .compose(answer -> answer.body.toString().contains("<Error>")
                            // The store answers 200 before it knows how it ends (CompleteMultipartUpload).
                            ? Future.failedFuture(new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, url(path) + ": " + answer.body))
                            : Future.succeededFuture());
        }

        @Override
        Future<Void> close() {
            part = new ByteArrayOutputStream();
            return sending.<Void>transform(ended -> Future.succeededFuture()).onComplete(ended -> release());
        }

        private synchronized void release() {
            if (!closed) {
                closed = true;
                uploads.release();
            }
        }
    }

    /**
     * Gathers what the store sends into blocks, and lets it wait between them. A connection that ends too early is followed by
     * another one for the rest. That is no rare accident: what a connection holds for a response that waits is lost when the
     * store closes it behind its last byte.
     */
    private final class Reader implements Blocks {

        private final String path;
        private final long to;
        private final Check check;
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

        Reader(String path, long from, long to, Check check) {
            this.path = path;
            this.position = from;
            this.to = to;
            this.check = check;
        }

        /** Asks for the bytes from the position on. */
        Future<Void> open() {
            return range(path, position, to).map(opened -> {
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

        /** More than was asked for is dropped, and what a broken connection still brings: the next one begins before it. */
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
            // Told only to a reader that wants more than has come.
            stop(of, new ObjectFailure(ObjectFailure.Kind.ALTERED, url(path) + " is shorter than it was"));
        }

        private Promise<byte[]> answer() {
            Promise<byte[]> answering = asked;
            asked = null;
            return answering;
        }

        /** Only the first word of the connection read now counts: it is told of its end more than once, and late. */
        private void stop(HttpClientResponse of, Throwable failure) {
            if (of != response || broken != null) {
                return;
            }
            broken = failure instanceof ObjectFailure ? failure
                    : new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, url(path) + ": " + failure.getMessage(), failure);
            if (asked != null && arrived.isEmpty()) {
                goOn();
            }
        }

        /** With another connection, unless the last ones brought nothing. */
        private void goOn() {
            if (ended || closed || ++fruitless > ATTEMPTS) {
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
                    // The rest is not wanted: the connection ends with it.
                    response.request().reset();
                }
            }
        }
    }
}
