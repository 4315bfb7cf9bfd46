package io.arbitration.ai.model;

import io.arbitration.platform.outbound.RefusedCertificate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Optional;

/** Sends one request to the endpoint and reads its answer, bounded in time and size. The API key is used in a header only. */
final class ModelExchange {

    /** Far more than an answer of the allowed number of tokens takes. */
    static final int ANSWER_BYTES_MAX = 4 * 1024 * 1024;
    private static final int CONNECT_MILLIS_MAX = 10_000;

    /** @param retryAfter the header of that name, null when there is none */
    record Answer(int status, String contentType, String retryAfter, Buffer body) {}

    private final Vertx vertx;
    private final HttpClient client;
    private final String url;
    private final Optional<String> apiKey;

    ModelExchange(Vertx vertx, String url, Optional<String> apiKey, int connections) {
        this.vertx = vertx;
        this.url = url;
        this.apiKey = apiKey;
        this.client = vertx.createHttpClient(new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS_MAX),
                new PoolOptions().setHttp1MaxSize(connections));
    }

    /** Fails with {@link ModelFailure} when no whole answer comes. */
    Future<Answer> post(Buffer body, Duration within) {
        Promise<Answer> answer = Promise.promise();
        Exchange exchange = new Exchange(answer);
        long timer = vertx.setTimer(Math.max(1, within.toMillis()), late -> exchange.end(
                new ModelFailure(ModelFailure.Kind.TIMED_OUT, "the model did not answer within %d s".formatted(within.toSeconds()))));
        RequestOptions options = new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(url).setFollowRedirects(false)
                .putHeader("Content-Type", "application/json").putHeader("Accept", "application/json");
        apiKey.ifPresent(key -> options.putHeader("Authorization", "Bearer " + key));
        client.request(options)
                .compose(request -> exchange.send(request, body))
                .onFailure(failed -> exchange.end(broken(failed)));
        return answer.future().onComplete(ended -> vertx.cancelTimer(timer));
    }

    private static ModelFailure broken(Throwable failed) {
        return new ModelFailure(ModelFailure.Kind.AWAY, "the connection to the model failed: %s".formatted(
                RefusedCertificate.reason(failed).orElseGet(() -> failed.getClass().getSimpleName())));
    }

    Future<Void> close() {
        return client.close();
    }

    /** One request, which ends once: by its answer, its timeout, its size or a failure. */
    private static final class Exchange {

        private final Promise<Answer> answer;
        private final Buffer body = Buffer.buffer();
        private HttpClientRequest request;

        Exchange(Promise<Answer> answer) {
            this.answer = answer;
        }

        synchronized Future<Void> send(HttpClientRequest made, Buffer what) {
            if (answer.future().isComplete()) {
                made.reset();
                return Future.succeededFuture();
            }
            request = made;
            made.response().onSuccess(this::read);
            return made.send(what).mapEmpty();
        }

        private void read(HttpClientResponse response) {
            response.handler(part -> {
                body.appendBuffer(part);
                if (body.length() > ANSWER_BYTES_MAX) {
                    end(new ModelFailure(ModelFailure.Kind.UNUSABLE, "the model's answer is larger than %d bytes".formatted(ANSWER_BYTES_MAX)));
                }
            });
            response.exceptionHandler(failed -> end(broken(failed)));
            response.endHandler(ended -> answer.tryComplete(new Answer(response.statusCode(),
                    String.valueOf(response.getHeader("Content-Type")), response.getHeader("Retry-After"), body)));
        }

        synchronized void end(ModelFailure failure) {
            if (answer.tryFail(failure) && request != null) {
                request.reset();
            }
        }
    }
}
