package io.arbitration.identity.signin;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The HTTP client for identity providers. Their URLs come from the configuration, or from the discovery document of a configured provider.
 */
final class ProviderHttp {

    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** The bound of the whole exchange, because a person who signs in waits for it. */
    private static final Duration EXCHANGE = Duration.ofSeconds(8);

    private final HttpClient client;

    ProviderHttp(Vertx vertx) {
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setConnectTimeout((int) CONNECT.toMillis())
                        .setVerifyHost(true)
                        .setDecompressionSupported(false),
                new PoolOptions().setHttp1MaxSize(2).setMaxWaitQueueSize(20));
    }

    /** The provider answered with another status than 200. */
    static final class Refused extends RuntimeException {

        private final int status;

        Refused(String url, int status) {
            super("%s answered %d".formatted(url, status), null, false, false);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    /** @param bytesMax a longer answer is a failure */
    Future<String> get(String url, String accept, int bytesMax) {
        return exchange(HttpMethod.GET, url, MultiMap.caseInsensitiveMultiMap().add("Accept", accept), Buffer.buffer(), bytesMax);
    }

    Future<String> post(String url, Map<String, String> form, MultiMap headers, int bytesMax) {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return exchange(HttpMethod.POST, url, headers.add("Accept", "application/json").add("Content-Type", "application/x-www-form-urlencoded"),
                Buffer.buffer(body), bytesMax);
    }

    /** Follows no redirects, because only the configured or discovered URL is trusted. */
    private Future<String> exchange(HttpMethod method, String url, MultiMap headers, Buffer body, int bytesMax) {
        RequestOptions request = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(url)
                .setFollowRedirects(false)
                .setTimeout(EXCHANGE.toMillis())
                .setHeaders(headers);
        return client.request(request)
                .compose(sending -> sending.send(body).compose(response -> {
                    if (response.statusCode() != 200) {
                        // The answer is not needed; a reset of it is not a further failure.
                        response.exceptionHandler(reset -> {});
                        sending.reset();
                        return Future.failedFuture(new Refused(url, response.statusCode()));
                    }
                    return text(response, bytesMax);
                }))
                .timeout(EXCHANGE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Future<String> text(HttpClientResponse response, int bytesMax) {
        Promise<String> text = Promise.promise();
        Buffer read = Buffer.buffer();
        response.exceptionHandler(text::tryFail);
        response.handler(part -> {
            if (read.length() + part.length() > bytesMax) {
                text.tryFail("the answer is longer than %d bytes".formatted(bytesMax));
                response.request().reset();
            } else {
                read.appendBuffer(part);
            }
        });
        response.endHandler(end -> text.tryComplete(read.toString(StandardCharsets.UTF_8)));
        return text.future();
    }
}
