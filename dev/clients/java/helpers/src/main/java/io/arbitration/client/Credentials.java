package io.arbitration.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.arbitration.client.model.TokenSet;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * By what a {@link Platform} calls: a person's tokens, or those of a machine client. The first call that needs a token gets one; later ones
 * renew it. Callers who need a new token at once share one renewal. For one platform; thread-safe.
 */
public final class Credentials {

    /** The platform takes a refresh token a second time for 10 s; a repetition begins early enough to arrive by then. */
    private static final RetryPolicy RENEWAL = new RetryPolicy(5, 8, 0.25, 2);
    private static final Duration ATTEMPT_MAX = Duration.ofSeconds(20);
    /** A token is renewed when less than a tenth of its life is left, and no more than this. */
    private static final Duration LEFT_MAX = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();

    /** How the next token set is got. */
    private sealed interface Source permits IdToken, RefreshToken, Machine {}

    private record IdToken(String provider, String idToken) implements Source {}

    private record RefreshToken(String token) implements Source {}

    private record Machine(String clientID, String clientSecret) implements Source {}

    /** An access token until it should be renewed; {@code unstored} until {@code onTokens} has taken the set. */
    private record Held(String accessToken, Instant renewAt, TokenSet unstored) {

        Held stored() {
            return new Held(accessToken, renewAt, null);
        }

        Held refused() {
            return new Held(accessToken, Instant.MIN, unstored);
        }
    }

    private Source source;
    private Consumer<TokenSet> onTokens = tokens -> { };
    private Clock clock = Clock.systemUTC();
    private String platform;
    private Held held;
    private SessionEndedException ended;
    private CompletableFuture<Held> underWay;

    private Credentials(Source source) {
        this.source = source;
    }

    /** A person, by an ID token of an identity provider that the platform knows by this name. */
    public static Credentials signIn(String provider, String idToken) {
        return new Credentials(new IdToken(Objects.requireNonNull(provider), Objects.requireNonNull(idToken)));
    }

    /** A person who signed in before, by the refresh token that {@link #onTokens} got last. */
    public static Credentials resume(String refreshToken) {
        return new Credentials(new RefreshToken(Objects.requireNonNull(refreshToken)));
    }

    /** A machine client. */
    public static Credentials machine(String clientID, String clientSecret) {
        return new Credentials(new Machine(Objects.requireNonNull(clientID), Objects.requireNonNull(clientSecret)));
    }

    /**
     * Has each new token set stored before a call uses it. When the consumer throws, the calls that need the tokens fail with
     * an {@link ApiException} of that cause, and the next call offers the same set again.
     */
    public synchronized Credentials onTokens(Consumer<TokenSet> consumer) {
        this.onTokens = Objects.requireNonNull(consumer);
        return this;
    }

    /** By which clock a token's life is measured; the system's unless told. */
    public synchronized Credentials clock(Clock by) {
        this.clock = Objects.requireNonNull(by);
        return this;
    }

    /** Says nothing of the tokens. */
    @Override
    public String toString() {
        return "Credentials";
    }

    synchronized void belongTo(String url) {
        if (platform != null && !platform.equals(url)) {
            throw new IllegalArgumentException("these credentials belong to the platform at " + platform);
        }
        platform = url;
    }

    /** The present access token, renewed if need be. */
    String accessToken(HttpClient client) throws IOException, InterruptedException {
        while (true) {
            CompletableFuture<Held> renewal;
            boolean mine;
            synchronized (this) {
                if (ended != null) {
                    throw new RenewalException(ended);
                }
                if (fresh() && held.unstored() == null) {
                    return held.accessToken();
                }
                mine = underWay == null;
                if (mine) {
                    underWay = new CompletableFuture<>();
                }
                renewal = underWay;
            }
            if (mine) {
                renew(client, renewal);
            }
            try {
                return renewal.get().accessToken();
            } catch (ExecutionException failed) {
                // Whoever renews for all was interrupted, and it alone ends for that.
                if (failed.getCause() instanceof InterruptedException interrupted) {
                    if (mine) {
                        throw interrupted;
                    }
                    continue;
                }
                throw failed(failed.getCause());
            }
        }
    }

    /** The token to go on with after an answer of 401 with this one. */
    String accessTokenAfter(String refused, HttpClient client) throws IOException, InterruptedException {
        synchronized (this) {
            if (held != null && held.accessToken().equals(refused)) {
                held = held.refused();
            }
        }
        return accessToken(client);
    }

    private static IOException failed(Throwable cause) {
        if (cause instanceof RenewalException refused) {
            return new RenewalException(refused.refused());
        }
        return cause instanceof IOException noAnswer ? new IOException(noAnswer.toString(), noAnswer) : new RenewalException(new ApiException(cause));
    }

    private boolean fresh() {
        return held != null && clock.instant().isBefore(held.renewAt());
    }

    private void renew(HttpClient client, CompletableFuture<Held> renewal) {
        try {
            Held next;
            Source from;
            Consumer<TokenSet> store;
            synchronized (this) {
                next = fresh() ? held : null;
                from = source;
                store = onTokens;
            }
            if (next == null) {
                next = exchange(client, from);
                synchronized (this) {
                    held = next;
                }
            }
            if (next.unstored() != null) {
                store.accept(next.unstored());
            }
            synchronized (this) {
                held = next.stored();
                underWay = null;
            }
            renewal.complete(next);
        } catch (Throwable failed) {
            synchronized (this) {
                underWay = null;
                if (failed instanceof RenewalException refused && refused.refused() instanceof SessionEndedException over) {
                    ended = over;
                }
            }
            renewal.completeExceptionally(failed);
        }
    }

    private Held exchange(HttpClient client, Source from) throws IOException, InterruptedException {
        HttpRequest request = request(from);
        Instant asked = clock.instant();
        HttpResponse<String> answer = send(client, request);
        if (answer.statusCode() / 100 != 2) {
            boolean over = answer.statusCode() == 401 && from instanceof RefreshToken;
            throw new RenewalException(over ? new SessionEndedException(401, answer.headers(), answer.body())
                    : new PlatformException(answer.statusCode(), answer.headers(), answer.body()));
        }
        if (from instanceof Machine) {
            JsonNode token = JSON.readTree(answer.body());
            return held(token.path("access_token").asText(), token.path("expires_in").asLong(), asked, null);
        }
        TokenSet tokens = JSON.readValue(answer.body(), TokenSet.class);
        synchronized (this) {
            source = new RefreshToken(tokens.getRefreshToken());
        }
        return held(tokens.getAccessToken(), tokens.getValidForSeconds(), asked, tokens);
    }

    private static Held held(String accessToken, long seconds, Instant asked, TokenSet tokens) {
        Duration life = Duration.ofSeconds(seconds);
        Duration left = life.dividedBy(10).compareTo(LEFT_MAX) < 0 ? life.dividedBy(10) : LEFT_MAX;
        return new Held(accessToken, asked.plus(life).minus(left), tokens);
    }

    private HttpRequest request(Source from) throws JsonProcessingException {
        HttpRequest.Builder request = HttpRequest.newBuilder().timeout(ATTEMPT_MAX).header("Accept", "application/json");
        if (from instanceof Machine machine) {
            String pair = encoded(machine.clientID()) + ":" + encoded(machine.clientSecret());
            return request.uri(URI.create(platform + "/auth/oauth/token")).header("Content-Type", "application/x-www-form-urlencoded")
                    .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)))
                    .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials")).build();
        }
        boolean signIn = from instanceof IdToken;
        String path = signIn ? "/auth/authenticate/" + ApiClient.urlEncode(((IdToken) from).provider()) : "/auth/sessions/refresh";
        Map<String, String> body = signIn ? Map.of("idToken", ((IdToken) from).idToken()) : Map.of("refreshToken", ((RefreshToken) from).token());
        return request.uri(URI.create(platform + path)).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))).build();
    }

    /** RFC 6749, section 2.3.1: both are form-encoded before they are joined. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            IOException noAnswer = null;
            HttpResponse<String> answer = null;
            try {
                answer = client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
                if (!(answer.statusCode() == 408 || answer.statusCode() == 429 || answer.statusCode() >= 500)) {
                    return answer;
                }
            } catch (IOException failed) {
                noAnswer = failed;
            }
            Optional<Double> retryAfter = answer == null ? Optional.empty()
                    : RetryPolicy.retryAfterSeconds(answer.headers().firstValue("Retry-After"), Instant.now());
            if (!RENEWAL.pauses(attempt, retryAfter, begun)) {
                if (noAnswer != null) {
                    throw noAnswer;
                }
                return answer;
            }
        }
    }
}
