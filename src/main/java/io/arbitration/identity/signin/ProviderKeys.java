package io.arbitration.identity.signin;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import io.arbitration.platform.telemetry.ObservedPart;
import io.vertx.core.Future;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of the public keys of one identity provider. They are read again when they are {@link #FRESH} old, or when a token names an
 * unknown key. Reads are at least {@link #BETWEEN_READS} apart, so that tokens with invented key IDs cannot make the platform flood the
 * provider. While the provider cannot be reached, the cached keys are used until they are {@link #STALE_MAX} old. Used from every event
 * loop.
 */
public final class ProviderKeys {

    static final Duration FRESH = Duration.ofMinutes(10);
    static final Duration STALE_MAX = Duration.ofHours(1);
    /**
     * Short, because some providers sign with a new key as soon as it is created (Keycloak does): until the key is read, nobody
     * can sign in.
     */
    static final Duration BETWEEN_READS = Duration.ofSeconds(5);
    static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
    static final int SET_LENGTH_MAX = 262_144;
    private static final int KEYS_MAX = 100;
    private static final int RSA_BITS_MIN = 2048;
    private static final Logger LOG = LoggerFactory.getLogger(ProviderKeys.class);

    private final String provider;
    private final Supplier<Future<String>> source;
    private final ObservedPart part;
    private final Clock clock;

    private List<JWK> keys = List.of();
    private Instant readAt = Instant.MIN;
    private Instant attemptedAt = Instant.MIN;
    private boolean failed;
    private Future<Void> reading;

    /** @param source reads the key set (RFC 7517, section 5) as text, from this platform */
    public ProviderKeys(String provider, Supplier<Future<String>> source, Clock clock) {
        this(provider, source, new ObservedPart(clock), clock);
    }

    /**
     * @param source reads the key set (RFC 7517, section 5) as text
     * @param part the provider in the health of the node
     */
    public ProviderKeys(String provider, Supplier<Future<String>> source, ObservedPart part, Clock clock) {
        this.part = part;
        this.provider = provider;
        this.source = source;
        this.clock = clock;
    }

    /**
     * The key that a token's header names; empty if the provider has no such key. Fails with {@link SignInError#PROVIDER_UNAVAILABLE} if
     * the keys cannot be read.
     */
    Future<Optional<JWK>> find(JWSHeader header) {
        Optional<JWK> kept = isOlderThan(FRESH) ? Optional.empty() : match(header);
        if (kept.isPresent()) {
            return Future.succeededFuture(kept);
        }
        return read().transform(done -> {
            if (isOlderThan(STALE_MAX)) {
                return Future.failedFuture(unavailable());
            }
            Optional<JWK> found = match(header);
            return found.isEmpty() && hasFailed() ? Future.failedFuture(unavailable()) : Future.succeededFuture(found);
        });
    }

    private static RuntimeException unavailable() {
        return SignInError.PROVIDER_UNAVAILABLE.refusal().retryAfter((int) AFTER_FAILURE.toSeconds());
    }

    /** Reads the keys once for all waiting callers; does nothing if the last attempt was too recent. */
    private synchronized Future<Void> read() {
        if (reading != null) {
            return reading;
        }
        Instant now = clock.instant();
        if (attemptedAt != Instant.MIN && now.isBefore(attemptedAt.plus(failed ? AFTER_FAILURE : BETWEEN_READS))) {
            return Future.succeededFuture();
        }
        attemptedAt = now;
        Future<Void> attempt = source.get().map(ProviderKeys::parse).transform(this::keep);
        reading = attempt.isComplete() ? null : attempt;
        return attempt;
    }

    private synchronized Future<Void> keep(io.vertx.core.AsyncResult<List<JWK>> result) {
        reading = null;
        failed = result.failed();
        part.ended("keys", result);
        if (failed) {
            LOG.warn("reading the keys of identity provider {} failed: {}", provider, result.cause().getMessage());
            return Future.failedFuture(result.cause());
        }
        keys = result.result();
        readAt = clock.instant();
        return Future.succeededFuture();
    }

    /** Ignores keys that cannot verify a signature: unknown kinds, encryption keys, symmetric ones, and RSA keys that are too short. */
    private static List<JWK> parse(String text) {
        if (text.length() > SET_LENGTH_MAX) {
            throw new IllegalArgumentException("the key set is longer than %d characters".formatted(SET_LENGTH_MAX));
        }
        try {
            return JWKSet.parse(text).toPublicJWKSet().getKeys().stream()
                    .filter(key -> key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                    .filter(key -> key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY))
                    .filter(key -> !(key instanceof RSAKey) || key.size() >= RSA_BITS_MIN)
                    .limit(KEYS_MAX)
                    .toList();
        } catch (ParseException malformed) {
            throw new IllegalArgumentException("not a key set: " + malformed.getMessage(), malformed);
        }
    }

    private synchronized boolean isOlderThan(Duration age) {
        return readAt == Instant.MIN || !clock.instant().isBefore(readAt.plus(age));
    }

    private synchronized boolean hasFailed() {
        return failed;
    }

    /** A token without a key id is checked with the only key of its kind (OpenID Connect Core, section 10.1). */
    private synchronized Optional<JWK> match(JWSHeader header) {
        JWSAlgorithm algorithm = header.getAlgorithm();
        JWKMatcher matcher = JWKMatcher.forJWSHeader(new JWSHeader.Builder(algorithm).keyID(header.getKeyID()).build());
        List<JWK> matching = keys.stream().filter(matcher::matches).toList();
        return matching.size() == 1 ? Optional.of(matching.getFirst()) : Optional.empty();
    }
}
