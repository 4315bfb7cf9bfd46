package io.arbitration.platform.objects;

import io.arbitration.platform.outbound.RefusedCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Signed requests to one bucket, each repeated while the store is busy or unavailable. Every request here may be repeated. */
final class S3Requests {

    static final int ATTEMPTS = 4;
    private static final long RETRY_MILLIS = 200;
    private static final long SILENT_SECONDS = 20;

    private final Vertx vertx;
    private final HttpClient client;
    private final S3Signer signer;
    private final String bucketUrl;
    private final WorkerExecutor worker;

    S3Requests(Vertx vertx, HttpClient client, S3Settings settings, String bucket, WorkerExecutor worker) {
        this.vertx = vertx;
        this.client = client;
        this.signer = new S3Signer(settings);
        this.bucketUrl = settings.endpoint() + "/" + bucket;
        this.worker = worker;
    }

    /** Opens the bytes in [from, to) of an object; the response is paused. */
    Future<HttpClientResponse> range(String path, long from, long to) {
        Map<String, String> range = Map.of("Range", "bytes=%d-%d".formatted(from, to - 1));
        return attempt(1, () -> signed(HttpMethod.GET, path, "", range, new byte[0]).compose(this::sent).compose(response -> switch (response.statusCode()) {
            case 206 -> Future.succeededFuture(response);
            case 416 -> drained(response, new ObjectFailure(ObjectFailure.Kind.ALTERED, url(path) + " is shorter than it was"));
            default -> unexpected(path, response);
        }));
    }

    /** The length of an object in bytes. */
    Future<Long> length(String path) {
        return attempt(1, () -> signed(HttpMethod.HEAD, path, "", Map.of(), new byte[0]).compose(this::sent).compose(response ->
                response.statusCode() == 200
                        ? ended(response).map(Long.parseLong(response.getHeader("Content-Length")))
                        : unexpected(path, response)));
    }

    record Answer(HttpClientResponse response, Buffer body) {}

    /** A request with a small answer. */
    Future<Answer> answered(
            HttpMethod method, String path, String query, Map<String, String> headers, byte[] body, Integer... expected) {
        return attempt(1, () -> signed(method, path, query, headers, body)
                .compose(this::sent)
                .compose(response -> whole(response).map(bytes -> new Answer(response, bytes)))
                .compose(answer -> List.of(expected).contains(answer.response.statusCode())
                        ? Future.succeededFuture(answer)
                        // A missing object is no failure when one is written or deleted, but a missing bucket is.
                        : Future.failedFuture(refused(path, answer.response.statusCode(), answer.body, ObjectFailure.Kind.UNAVAILABLE))));
    }

    private <T> Future<T> attempt(int number, Supplier<Future<T>> work) {
        return work.get().recover(failure -> number < ATTEMPTS && failure instanceof ObjectFailure known && known.kind() == ObjectFailure.Kind.BUSY
                ? vertx.timer(RETRY_MILLIS << number, TimeUnit.MILLISECONDS).compose(waited -> attempt(number + 1, work))
                : Future.failedFuture(failure instanceof ObjectFailure known && known.kind() == ObjectFailure.Kind.BUSY
                        ? new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, known.getMessage(), known) : failure));
    }

    private Future<S3Signer.Signed> signed(HttpMethod method, String path, String query, Map<String, String> headers, byte[] body) {
        return worker.executeBlocking(() -> signer.sign(method, url(path) + (query.isEmpty() ? "" : "?" + query), headers, body), false)
                .recover(noKeys -> Future.failedFuture(new ObjectFailure(ObjectFailure.Kind.BUSY, noKeys.getMessage(), noKeys)));
    }

    /** The URL of an object, or of the bucket for an empty path. */
    String url(String path) {
        return path.isEmpty() ? bucketUrl : bucketUrl + "/" + S3Signer.encodedPath(path);
    }

    private Future<HttpClientResponse> sent(S3Signer.Signed request) {
        long begun = System.nanoTime();
        return client.request(request.options())
                .compose(out -> out.send(Buffer.buffer(request.body())))
                // The body is read later, so it must wait until then.
                .onSuccess(HttpClientResponse::pause)
                .recover(failure -> Future.failedFuture(unsent(failure, System.nanoTime() - begun)));
    }

    /** A server whose certificate is not accepted has no other in a second, and of one that was silent for so long each attempt would take as long. */
    private ObjectFailure unsent(Throwable failure, long nanos) {
        return RefusedCertificate.reason(failure).map(refused -> new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, "%s: %s".formatted(bucketUrl, refused), failure))
                .orElseGet(() -> new ObjectFailure(nanos < TimeUnit.SECONDS.toNanos(SILENT_SECONDS) ? ObjectFailure.Kind.BUSY : ObjectFailure.Kind.UNAVAILABLE,
                        "%s does not answer: %s".formatted(bucketUrl, failure.getMessage()), failure));
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
        String text = body.toString();
        String message = "%s answered %d %s".formatted(url(path), status, text.length() > 500 ? text.substring(0, 500) : text);
        return switch (status) {
            case 404 -> new ObjectFailure(notFound, message);
            case 429, 500, 502, 503, 504 -> new ObjectFailure(ObjectFailure.Kind.BUSY, message);
            default -> new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, message);
        };
    }
}
