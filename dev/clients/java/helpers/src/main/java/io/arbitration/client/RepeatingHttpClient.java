package io.arbitration.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Sends by another client: with an access token and an idempotency key, and again as {@link Platform} says. */
final class RepeatingHttpClient extends HttpClient {

    private static final Set<Integer> PASSING = Set.of(408, 500, 502, 503, 504);
    /** What proves by its body who calls. */
    private static final Set<String> WITHOUT_TOKEN = Set.of("/auth/sessions/refresh", "/auth/clients/token", "/auth/oauth/token");
    /** Takes no key, so it is not repeated: each call occupies a browser. */
    private static final String KEYLESS = "/api/service-of-notice/attachments/create";
    /** What is read of an answer that is not wanted, so that its connection can be used again. */
    private static final int DRAINED_BYTES_MAX = 64 * 1024;

    private final HttpClient client;
    private final String basePath;
    private final Credentials credentials;
    private final RetryPolicy retries;

    /** The paths of a platform may begin with one of its host. */
    RepeatingHttpClient(HttpClient client, String basePath, Credentials credentials, RetryPolicy retries) {
        this.client = client;
        this.basePath = basePath;
        this.credentials = credentials;
        this.retries = retries;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) throws IOException, InterruptedException {
        String path = request.uri().getRawPath().substring(basePath.length());
        boolean known = credentials != null && !WITHOUT_TOKEN.contains(path) && !path.startsWith("/auth/authenticate/")
                && request.headers().firstValue("Authorization").isEmpty();
        boolean post = "POST".equals(request.method());
        boolean keyed = post && request.headers().firstValue("Idempotency-Key").isPresent();
        HttpRequest.Builder prepared = HttpRequest.newBuilder(request, (name, value) -> true);
        if (post && known && !keyed && !path.equals(KEYLESS)) {
            prepared.setHeader("Idempotency-Key", UUID.randomUUID().toString());
            keyed = true;
        }
        boolean again = sendable(request);
        boolean safe = again && (keyed || "GET".equals(request.method()));
        String token = known ? credentials.accessToken(client) : null;
        boolean renewed = !known || !again;
        long begun = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            if (token != null) {
                prepared.setHeader("Authorization", "Bearer " + token);
            }
            HttpResponse<T> answer;
            try {
                answer = client.send(prepared.build(), handler);
            } catch (IOException noAnswer) {
                if (!(safe || again && unreached(noAnswer)) || !retries.pauses(attempt, Optional.empty(), begun)) {
                    throw noAnswer;
                }
                continue;
            }
            int status = answer.statusCode();
            if (status == 401 && !renewed) {
                drain(answer);
                token = credentials.accessTokenAfter(token, client);
                renewed = true;
                attempt--;
                continue;
            }
            boolean inFlight = status == 409 && answer.headers().firstValue("Error-Code").filter("idempotency.in-flight"::equals).isPresent();
            boolean passes = status == 429 && again || safe && (inFlight || PASSING.contains(status));
            if (!passes || !retries.pauses(attempt, RetryPolicy.retryAfterSeconds(answer.headers().firstValue("Retry-After"), Instant.now()), begun)) {
                return answer;
            }
            drain(answer);
        }
    }

    /** Whether the body can be sent again: not a form of the generated code, which is read from a pipe. */
    private static boolean sendable(HttpRequest request) {
        return request.bodyPublisher().isEmpty() || request.bodyPublisher().get() instanceof FileForm
                || !request.headers().firstValue("Content-Type").orElse("").startsWith("multipart/form-data");
    }

    /** Whether there was no connection, so that nothing was done. */
    private static boolean unreached(IOException noAnswer) {
        return noAnswer instanceof ConnectException || noAnswer instanceof HttpConnectTimeoutException;
    }

    private static void drain(HttpResponse<?> answer) throws IOException {
        if (answer.body() instanceof InputStream body) {
            try (body) {
                body.readNBytes(DRAINED_BYTES_MAX);
            }
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return send(request, handler);
            } catch (IOException failed) {
                throw new CompletionException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new CompletionException(interrupted);
            }
        }, executor().orElse(ForkJoinPool.commonPool()));
    }

    /** The platform pushes nothing. */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler,
            HttpResponse.PushPromiseHandler<T> pushed) {
        return sendAsync(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
