package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes an object in parts: sends one while the next is filled. An object that fits into one part needs one request. */
final class S3Writer extends ObjectWriter {

    /** The minimum of the protocol for every part except the last. */
    static final int PART_BYTES = 5_242_880;
    /** One part that is being filled and one that is being sent. */
    private static final int PARTS_HELD = 2;
    static final Pattern UPLOAD_ID = Pattern.compile("<UploadId>([^<]+)</UploadId>");

    private final S3Requests requests;
    private final Semaphore uploads;
    private final String path;
    private final List<String> partTags = new ArrayList<>();
    private ByteArrayOutputStream part = new ByteArrayOutputStream();
    private Future<Void> sending = Future.succeededFuture();
    private String uploadId;
    private boolean closed;

    /** @param uploads from which a permit was taken for this writer, which returns it */
    S3Writer(S3Requests requests, WorkerExecutor worker, Semaphore uploads, String path) {
        super(worker);
        this.requests = requests;
        this.uploads = uploads;
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
        // All parts except the last have the same length, as some stores require.
        byte[] kept = part.toByteArray();
        byte[] full = Arrays.copyOf(kept, PART_BYTES);
        part = new ByteArrayOutputStream();
        part.write(kept, PART_BYTES, kept.length - PART_BYTES);
        Future<Void> before = sending;
        sending = before.compose(sent -> begun()).compose(begun -> send(full));
        return before;
    }

    private Future<Void> begun() {
        if (uploadId != null) {
            return Future.succeededFuture();
        }
        return requests.answered(HttpMethod.POST, path, "uploads=", Map.of(), new byte[0], 200).map(answer -> {
            Matcher id = UPLOAD_ID.matcher(answer.body().toString());
            if (!id.find()) {
                throw new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, requests.url(path) + " began an upload without an id");
            }
            uploadId = unescaped(id.group(1));
            return null;
        });
    }

    private Future<Void> send(byte[] bytes) {
        String query = "partNumber=%d&uploadId=%s".formatted(partTags.size() + 1, S3Signer.encoded(uploadId));
        return requests.answered(HttpMethod.PUT, path, query, Map.of(), bytes, 200).map(answer -> {
            partTags.add(answer.response().getHeader("ETag"));
            return null;
        });
    }

    @Override
    Future<Void> complete() {
        return sending.compose(sent -> {
            byte[] last = part.toByteArray();
            part = new ByteArrayOutputStream();
            if (uploadId == null) {
                return requests.answered(HttpMethod.PUT, path, "", Map.of(), last, 200).<Void>mapEmpty();
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
        return requests.answered(HttpMethod.POST, path, "uploadId=" + S3Signer.encoded(uploadId), Map.of("Content-Type", "application/xml"), body, 200)
                .compose(answer -> answer.body().toString().contains("<Error>")
                        // The store answers 200 before it knows the result (CompleteMultipartUpload).
                        ? Future.failedFuture(new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, requests.url(path) + ": " + answer.body()))
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

    /** The number of writers that may hold their parts in memory at once, within a quarter of the heap. */
    static Semaphore uploadsWithin(long heapBytesMax) {
        return new Semaphore((int) Math.max(1, heapBytesMax / 4 / (PARTS_HELD * (long) PART_BYTES)));
    }

    static String unescaped(String xml) {
        return xml.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&");
    }
}
