package io.arbitration.identity.signin;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Where the key sets of identity providers are read from; the configuration names the places, never a request. */
public final class KeySetSource {

    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** For the whole exchange: a sign-in waits for it. */
    private static final Duration EXCHANGE = Duration.ofSeconds(8);

    private final Vertx vertx;
    private final HttpClient client;

    public KeySetSource(Vertx vertx) {
        this.vertx = vertx;
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setConnectTimeout((int) CONNECT.toMillis())
                        .setVerifyHost(true)
                        .setDecompressionSupported(false),
                new PoolOptions().setHttp1MaxSize(2).setMaxWaitQueueSize(20));
    }

    public Supplier<Future<String>> file(Path file) {
        return () -> vertx.fileSystem().props(file.toString())
                .compose(properties -> properties.size() > ProviderKeys.SET_LENGTH_MAX
                        ? Future.failedFuture("%s is longer than %d bytes".formatted(file, ProviderKeys.SET_LENGTH_MAX))
                        : vertx.fileSystem().readFile(file.toString()))
                .map(bytes -> bytes.toString(StandardCharsets.UTF_8));
    }

    /** Redirects are not followed: the address that the configuration names is the one that is trusted. */
    public Supplier<Future<String>> url(String url) {
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(url)
                .setFollowRedirects(false)
                .setTimeout(EXCHANGE.toMillis())
                .putHeader("Accept", "application/jwk-set+json, application/json");
        return () -> client.request(request)
                .compose(sending -> sending.send().compose(response -> {
                    if (response.statusCode() != 200) {
                        // The answer is of no use; its reset is no failure of its own.
                        response.exceptionHandler(reset -> {});
                        sending.reset();
                        return Future.failedFuture("%s answered %d".formatted(url, response.statusCode()));
                    }
                    return text(response);
                }))
                .timeout(EXCHANGE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Future<String> text(HttpClientResponse response) {
        Promise<String> text = Promise.promise();
        Buffer read = Buffer.buffer();
        response.exceptionHandler(text::tryFail);
        response.handler(part -> {
            if (read.length() + part.length() > ProviderKeys.SET_LENGTH_MAX) {
                text.tryFail("the key set is longer than %d bytes".formatted(ProviderKeys.SET_LENGTH_MAX));
                response.request().reset();
            } else {
                read.appendBuffer(part);
            }
        });
        response.endHandler(end -> text.tryComplete(read.toString(StandardCharsets.UTF_8)));
        return text.future();
    }
}
