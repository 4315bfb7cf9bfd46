package io.arbitration.identity.signin;

import io.arbitration.platform.telemetry.ObservedPart;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A provider whose endpoints are read from its discovery document (OpenID Connect Discovery 1.0). The document is read again when
 * it is {@link #FRESH} old; if that fails, the former endpoints are still used. Used from every event loop.
 */
public final class DiscoveredServer implements AuthorizationServer {

    private static final Duration FRESH = Duration.ofMinutes(10);
    private static final int ANSWER_BYTES_MAX = 262_144;
    private static final Logger LOG = LoggerFactory.getLogger(DiscoveredServer.class);

    private final String issuer;
    private final String clientId;
    private final Optional<String> clientSecret;
    private final ProviderHttp http;
    private final ObservedPart part;
    private final Clock clock;
    private Optional<Published> known = Optional.empty();
    private Optional<Failure> lastFailure = Optional.empty();
    private Optional<Future<Published>> reading = Optional.empty();

    private record Failure(Throwable cause, Instant at) {}

    /** @param secretInBody whether the client sends its secret in the body, because the provider accepts it only there */
    private record Published(String authorizationEndpoint, String tokenEndpoint, boolean secretInBody, boolean namesIssuer, Instant readAt) {}

    public DiscoveredServer(Vertx vertx, String issuer, String clientId, Optional<String> clientSecret, ObservedPart part, Clock clock) {
        this.issuer = issuer;
        this.clientId = clientId;
        this.clientSecret = clientSecret;
        this.http = new ProviderHttp(vertx);
        this.part = part;
        this.clock = clock;
    }

    @Override
    public String clientId() {
        return clientId;
    }

    @Override
    public Future<String> authorizationEndpoint() {
        return published().map(Published::authorizationEndpoint);
    }

    @Override
    public Future<Boolean> namesIssuer() {
        return published().map(Published::namesIssuer);
    }

    /**
     * Reads the document once for all waiting callers. After a failure it is not read for {@link ProviderKeys#AFTER_FAILURE}, and
     * the former endpoints are used.
     */
    private synchronized Future<Published> published() {
        Instant now = clock.instant();
        if (known.filter(kept -> now.isBefore(kept.readAt.plus(FRESH))).isPresent()) {
            return Future.succeededFuture(known.get());
        }
        if (lastFailure.filter(failure -> now.isBefore(failure.at.plus(ProviderKeys.AFTER_FAILURE))).isPresent()) {
            return knownOr(lastFailure.get().cause);
        }
        if (reading.isPresent()) {
            return reading.get();
        }
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        Future<Published> read = http.get(base + "/.well-known/openid-configuration", "application/json", ANSWER_BYTES_MAX)
                .map(this::parse).transform(this::keep);
        reading = read.isComplete() ? Optional.empty() : Optional.of(read);
        return read;
    }

    private synchronized Future<Published> keep(AsyncResult<Published> read) {
        part.ended("addresses", read);
        reading = Optional.empty();
        if (read.succeeded()) {
            known = Optional.of(read.result());
            lastFailure = Optional.empty();
            return Future.succeededFuture(read.result());
        }
        LOG.warn("reading the addresses of the provider {} failed: {}", issuer, read.cause().getMessage());
        lastFailure = Optional.of(new Failure(read.cause(), clock.instant()));
        return knownOr(read.cause());
    }

    private Future<Published> knownOr(Throwable failure) {
        return known.map(Future::succeededFuture).orElse(Future.failedFuture(failure));
    }

    private Published parse(String text) {
        try {
            JsonObject json = new JsonObject(text);
            if (!issuer.equals(json.getString("issuer"))) {
                throw new IllegalArgumentException("it names another issuer");
            }
            JsonArray methods = json.getJsonArray("token_endpoint_auth_methods_supported", new JsonArray().add("client_secret_basic"));
            return new Published(address(json, "authorization_endpoint"), address(json, "token_endpoint"),
                    !methods.contains("client_secret_basic") && methods.contains("client_secret_post"),
                    json.getBoolean("authorization_response_iss_parameter_supported", false), clock.instant());
        } catch (DecodeException | ClassCastException malformed) {
            throw new IllegalArgumentException("no OpenID configuration", malformed);
        }
    }

    /** An endpoint of the document; it must have https if the issuer has. */
    private String address(JsonObject json, String name) {
        String address = json.getString(name);
        if (address == null || !address.startsWith(issuer.startsWith("https:") ? "https://" : "http")) {
            throw new IllegalArgumentException(name + " is missing or less safe than the issuer");
        }
        return address;
    }

    @Override
    public Future<String> idToken(String code, String verifier, String redirectUri) {
        return published().compose(published -> {
            Map<String, String> form = new LinkedHashMap<>();
            form.put("grant_type", "authorization_code");
            form.put("code", code);
            form.put("redirect_uri", redirectUri);
            form.put("code_verifier", verifier);
            MultiMap headers = MultiMap.caseInsensitiveMultiMap();
            if (clientSecret.isPresent() && !published.secretInBody) {
                String credentials = encoded(clientId) + ":" + encoded(clientSecret.get());
                headers.add("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
            } else {
                form.put("client_id", clientId);
                clientSecret.ifPresent(secret -> form.put("client_secret", secret));
            }
            return http.post(published.tokenEndpoint, form, headers, ANSWER_BYTES_MAX).onComplete(this::observe);
        }).map(answer -> {
            try {
                String token = new JsonObject(answer).getString("id_token");
                if (token == null) {
                    throw new IllegalArgumentException("the provider gave no ID token");
                }
                return token;
            } catch (DecodeException | ClassCastException malformed) {
                throw new IllegalArgumentException("the provider's answer to a code cannot be read", malformed);
            }
        });
    }

    /** A code that is refused is the fault of a browser, a client that is refused one of the configuration (RFC 6749, section 5.2). */
    private void observe(AsyncResult<String> exchange) {
        boolean ofCode = exchange.failed() && exchange.cause() instanceof ProviderHttp.Refused refused && refused.status() < 500 && refused.status() != 401;
        if (!ofCode) {
            part.ended("codes", exchange);
        }
    }

    /** RFC 6749, section 2.3.1. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
