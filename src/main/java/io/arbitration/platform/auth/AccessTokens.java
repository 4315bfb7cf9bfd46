package io.arbitration.platform.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.keys.SigningKeys;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Issues and verifies access tokens: JWT (RFC 7519) signed with ES256 (RFC 7518, section 3.4).
 *
 * <p>A verified token is cached by its hash, so that its signature is checked once; expiry, revocation and the validity of its
 * key are checked at every use. Verification does no I/O and runs on the event loop.
 */
public final class AccessTokens {

    private static final int TOKEN_LENGTH_MAX = 8192;

    private final String issuer;
    private final String audience;
    private final Duration lifetime;
    private final SigningKeys keys;
    private final Revocations revocations;
    private final Clock clock;
    private final Cache<ByteBuffer, Verified> verified;

    /**
     * @param knownAt the time at which the caller was known to have no further revocations: when the token was issued, or the
     * database was queried
     * @param ended whether the database knew that the session had ended
     */
    private record Verified(Caller caller, long grantsRevision, String keyId, Instant expiresAt, Instant knownAt, boolean ended) {}

    /** @param rememberedMax tokens that are cached; the signature of others is checked at each use */
    public AccessTokens(
            String issuer, String audience, Duration lifetime, SigningKeys keys, Revocations revocations, int rememberedMax, Clock clock) {
        this.verified = Caffeine.newBuilder().maximumSize(rememberedMax).executor(Runnable::run).build();
        this.issuer = issuer;
        this.audience = audience;
        this.lifetime = lifetime;
        this.keys = keys;
        this.revocations = revocations;
        this.clock = clock;
    }

    public String issuer() {
        return issuer;
    }

    public Duration lifetime() {
        return lifetime;
    }

    /**
     * A new token for the caller, signed with the current key.
     *
     * @param organizationId the organization for which its session acts now; for other readers of the token, because the platform
     * itself looks it up in the session
     * @param grantsRevision revision of the grants at which the caller's permissions were read; it is the part before the dot of
     *     the token's {@code jti}, so that {@link Revocations} can find what was revoked since
     * @param authenticatedAt when the user authenticated; empty for a machine client
     */
    public String issue(Caller caller, Optional<UUID> organizationId, long grantsRevision, Optional<Instant> authenticatedAt) {
        Instant now = clock.instant();
        SigningKeys.SigningKey key = keys.current();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(audience)
                .subject(caller.id().toString())
                .claim("sid", caller.sessionId().toString())
                .claim("scope", String.join(" ", caller.permissions()))
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(lifetime)))
                .jwtID(grantsRevision + "." + UUID.randomUUID());
        organizationId.ifPresent(id -> claims.claim("org", id.toString()));
        authenticatedAt.ifPresent(at -> claims.claim("auth_time", at.getEpochSecond()));
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.id()).type(JOSEObjectType.JWT).build(), claims.build());
        try {
            token.sign(key.signer());
        } catch (JOSEException failed) {
            throw new IllegalStateException("signing an access token failed", failed);
        }
        return token.serialize();
    }

    /** Whether {@link #verify} may be called now; otherwise await {@link #catchUp} first. */
    public boolean isCaughtUp() {
        return revocations.isCaughtUp() && keys.isCaughtUp();
    }

    /**
     * Completes when this node knows which sessions ended and which keys were withdrawn while it was suspended or cut off; on any
     * thread.
     */
    public Future<Void> catchUp() {
        return Future.all(revocations.catchUp(), keys.catchUp()).mapEmpty();
    }

    /** Whether the session of a caller has ended since the caller was authenticated. */
    public boolean hasEnded(Caller caller) {
        return revocations.hasEnded(caller.sessionId());
    }

    /** Like {@link Revocations#watch}. */
    public Runnable whenEnded(Caller caller, Runnable then) {
        return revocations.watch(caller.sessionId(), then);
    }

    /** The caller of a token; throws {@link InvalidToken} for every token that the platform does not accept now. */
    public Caller verify(String token) throws InvalidToken {
        if (token.length() > TOKEN_LENGTH_MAX) {
            throw new InvalidToken("longer than %d characters".formatted(TOKEN_LENGTH_MAX));
        }
        ByteBuffer hash = hash(token);
        Verified known = known(hash, token);
        if (!clock.instant().isBefore(known.expiresAt)) {
            verified.invalidate(hash);
            throw new InvalidToken("expired");
        }
        if (keys.find(known.keyId).isEmpty()) {
            verified.invalidate(hash);
            throw new InvalidToken("its key was withdrawn or retired");
        }
        if (known.ended) {
            throw new InvalidToken("session revoked");
        }
        return revocations.apply(known.caller, known.grantsRevision);
    }

    private Verified known(ByteBuffer hash, String token) throws InvalidToken {
        Verified known = verified.getIfPresent(hash);
        if (known == null) {
            known = check(token);
            verified.put(hash, known);
        }
        return known;
    }

    /**
     * Whether {@link #ask} has to be awaited for a token that {@link #verify} accepts, because its revocation may no longer be in
     * memory.
     */
    public boolean mayHaveEvicted(String token) throws InvalidToken {
        return revocations.mayHaveEvicted(clock.instant().minus(lifetime)) && revocations.mayHaveEvicted(known(hash(token), token).knownAt);
    }

    /** The caller of an accepted token according to the database; empty if its session has ended. */
    public Future<Optional<Caller>> ask(String token) throws InvalidToken {
        ByteBuffer hash = hash(token);
        Verified known = known(hash, token);
        Instant asked = clock.instant();
        return revocations.ask(known.caller, known.grantsRevision).map(left -> {
            verified.put(hash, new Verified(left.orElse(known.caller), known.grantsRevision, known.keyId, known.expiresAt, asked, left.isEmpty()));
            return left;
        });
    }

    private Verified check(String token) throws InvalidToken {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            JWSHeader header = jwt.getHeader();
            if (!JWSAlgorithm.ES256.equals(header.getAlgorithm()) || header.getCriticalParams() != null) {
                throw new InvalidToken("algorithm");
            }
            // The same keys sign other statements (receipts): only those with the type JWT are tokens.
            if (!JOSEObjectType.JWT.equals(header.getType())) {
                throw new InvalidToken("type");
            }
            SigningKeys.PublicKey key = keys.find(header.getKeyID()).orElseThrow(() -> new InvalidToken("unknown key"));
            if (!jwt.verify(key.verifier())) {
                throw new InvalidToken("signature");
            }
            return claims(header.getKeyID(), jwt.getJWTClaimsSet());
        } catch (ParseException | JOSEException | IllegalArgumentException | IllegalStateException malformed) {
            throw new InvalidToken("malformed");
        }
    }

    private Verified claims(String keyId, JWTClaimsSet claims) throws ParseException, InvalidToken {
        Date issued = claims.getIssueTime();
        Date expires = claims.getExpirationTime();
        if (!issuer.equals(claims.getIssuer()) || !claims.getAudience().equals(List.of(audience))) {
            throw new InvalidToken("issuer or audience");
        }
        // The issuer is a node of this platform: an issue time in the future means a forged token or a wrong clock.
        if (issued == null || expires == null || issued.toInstant().isAfter(clock.instant().plusSeconds(60))) {
            throw new InvalidToken("times");
        }
        // This platform issues no tokens with a later begin, so such a token is not its own.
        if (claims.getNotBeforeTime() != null && claims.getNotBeforeTime().toInstant().isAfter(clock.instant().plusSeconds(60))) {
            throw new InvalidToken("not valid yet");
        }
        // A token with a longer lifetime than the platform gives was made by an attacker who has the key, or by mistake.
        if (Duration.between(issued.toInstant(), expires.toInstant()).compareTo(lifetime) > 0) {
            throw new InvalidToken("longer than the lifetime of access tokens");
        }
        String scope = claims.getStringClaim("scope");
        UUID subject = UUID.fromString(required(claims.getSubject()));
        String organization = claims.getStringClaim("org");
        Caller caller = new Caller(
                subject,
                UUID.fromString(required(claims.getStringClaim("sid"))),
                scope == null || scope.isEmpty() ? Set.of() : Set.of(scope.split(" ")),
                organization == null ? subject : UUID.fromString(organization));
        return new Verified(caller, grantsRevision(required(claims.getJWTID())), keyId, expires.toInstant(), issued.toInstant(), false);
    }

    private static String required(String claim) throws InvalidToken {
        if (claim == null) {
            throw new InvalidToken("a claim is missing");
        }
        return claim;
    }

    private static long grantsRevision(String jwtId) {
        return Long.parseLong(jwtId, 0, Math.max(0, jwtId.indexOf('.')), 10);
    }

    private static ByteBuffer hash(String token) {
        return ByteBuffer.wrap(Sha256.of(token));
    }
}
