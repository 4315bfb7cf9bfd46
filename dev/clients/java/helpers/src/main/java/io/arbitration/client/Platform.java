package io.arbitration.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;

/**
 * A platform, and by what it is called: every API class is made of one, {@code new CasesApi(platform)}. Its calls send an access token that
 * is renewed in time, send an {@code Idempotency-Key} with each POST, and are repeated as {@link RetryPolicy} says:
 *
 * <ul>
 *   <li>after 429, and where no connection could be made, always: nothing was done;
 *   <li>without an answer, after 408, 500, 502, 503, 504 and {@code idempotency.in-flight}: a GET, and a POST that has a key;
 *   <li>after 401, once, with a renewed token.
 * </ul>
 *
 * Settings of {@link ApiClient} are made before the first API class is; the API classes are thread-safe, and share one HTTP client.
 */
public class Platform extends ApiClient {

    private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
    /** What takes longest is the draft of an award, 280 s at most. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(300);

    private final String url;
    private final Credentials credentials;
    private final RetryPolicy retries;
    private HttpClient plain;
    private HttpClient repeating;

    /** A platform for calls without credentials, such as filling templates. */
    public Platform(String url) {
        this(url, null, RetryPolicy.DEFAULT);
    }

    /** A platform with {@link RetryPolicy#DEFAULT}. */
    public Platform(String url, Credentials credentials) {
        this(url, Objects.requireNonNull(credentials), RetryPolicy.DEFAULT);
    }

    /**
     * A platform at the address of its host, such as {@code https://cases.example.org}.
     *
     * @param credentials null for calls without any
     * @throws IllegalArgumentException when the address is none, or the credentials belong to another one
     */
    public Platform(String url, Credentials credentials, RetryPolicy retries) {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        URI address = URI.create(this.url);
        if (address.getHost() == null || !("https".equals(address.getScheme()) || "http".equals(address.getScheme()))) {
            throw new IllegalArgumentException("url: http or https and a host");
        }
        this.credentials = credentials;
        this.retries = Objects.requireNonNull(retries);
        if (credentials != null) {
            credentials.belongTo(this.url);
        }
        updateBaseUri(this.url);
        // Without TLS, an upgrade to HTTP/2 would have to be asked for with each connection.
        HttpClient.Builder client = createDefaultHttpClientBuilder();
        setHttpClientBuilder("http".equals(address.getScheme()) ? client.version(HttpClient.Version.HTTP_1_1) : client);
        setConnectTimeout(CONNECT_MAX);
        setReadTimeout(ANSWER_MAX);
    }

    /**
     * The present access token, renewed if need be: for what is not called through this client.
     *
     * @throws ApiException {@link SessionEndedException} when the person has to sign in again
     * @throws IllegalStateException without credentials
     */
    public String bearerToken() throws ApiException {
        if (credentials == null) {
            throw new IllegalStateException("this platform is called without credentials");
        }
        try {
            return credentials.accessToken(plain());
        } catch (IOException failed) {
            throw PlatformException.of(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiException(interrupted);
        }
    }

    /** The client that repeats and renews: one for all API classes. Synchronous calls of bodies as streams are what it is made for. */
    @Override
    public synchronized HttpClient getHttpClient() {
        if (repeating == null) {
            repeating = new RepeatingHttpClient(plain(), URI.create(url).getRawPath(), credentials, retries);
        }
        return repeating;
    }

    @Override
    public synchronized ApiClient setHttpClientBuilder(HttpClient.Builder builder) {
        plain = null;
        repeating = null;
        return super.setHttpClientBuilder(builder);
    }

    /** Says nothing of the credentials. */
    @Override
    public String toString() {
        return "Platform " + url;
    }

    private synchronized HttpClient plain() {
        if (plain == null) {
            plain = builder.build();
        }
        return plain;
    }
}
