package io.arbitration.identity.signin;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.domain.Identifiers;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.sessions.SessionEndService;
import io.arbitration.identity.users.SuperAdministrators;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.keys.Kms;
import io.arbitration.platform.keys.Reencryption;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The OpenID provider {@code demo}, which only exists in the demo profile. It signs an ID token for everybody, with a key and an issuer of
 * its own. Its key is stored encrypted, so that all nodes accept its ID tokens, also after a restart.
 */
public final class DemoProvider {

    public static final String NAME = "demo";
    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final byte[] CONTEXT = "identity\ndemo-key".getBytes(StandardCharsets.UTF_8);

    private static final Duration CODE_LIFETIME = Duration.ofMinutes(1);
    private static final JOSEObjectType CODE = new JOSEObjectType("demo-code+jwt");
    private static final int NAME_LENGTH_MAX = 100;

    private final String issuer;
    private final String audience;
    private final String redirectUri;
    private final ECKey key;
    private final DemoCodeRepository codes;
    private final SessionEndService ending;
    private final Clock clock;

    /** The person in an ID token. @param session at this provider; empty if the token is not from a sign-in of a browser */
    record Wanted(String email, String firstName, String lastName, boolean emailVerified, Optional<String> nonce, Optional<String> session) {}

    /** A code whose signature, times and challenge are good. @param codeId is also the session at this provider */
    private record Code(UUID codeId, Instant expires, Wanted wanted) {}

    private DemoProvider(String issuer, String audience, String redirectUri, ECKey key, DemoCodeRepository codes, SessionEndService ending, Clock clock) {
        this.issuer = issuer;
        this.audience = audience;
        this.redirectUri = redirectUri;
        this.key = key;
        this.codes = codes;
        this.ending = ending;
        this.clock = clock;
    }

    /**
     * @param areaUrl public URL of the identity area; browsers are only redirected back to it
     * @param ending ends what a code has begun that is used twice
     */
    public static Future<DemoProvider> open(Database database, Kms kms, String publicUrl, String audience, String areaUrl, SessionEndService ending, Clock clock) {
        byte[] fresh = kms.encrypt(freshKey().toJSONString().getBytes(StandardCharsets.UTF_8), CONTEXT);
        DemoKeyRepository repository = new DemoKeyRepository(database, CONTEXT);
        return repository.keep(fresh).onSuccess(kept -> new Reencryption(kms).begin("keys of the demo provider", repository)).map(stored -> new DemoProvider(
                publicUrl + "/demo",
                audience,
                areaUrl + "/callback/" + NAME,
                parse(new String(kms.decrypt(stored, CONTEXT), StandardCharsets.UTF_8)),
                new DemoCodeRepository(database),
                ending,
                clock));
    }

    private static ECKey freshKey() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyID(UUID.randomUUID().toString()).keyUse(KeyUse.SIGNATURE).algorithm(JWSAlgorithm.ES256).generate();
        } catch (JOSEException failed) {
            throw new IllegalStateException("making the key of the demo provider failed", failed);
        }
    }

    private static ECKey parse(String json) {
        try {
            return ECKey.parse(json);
        } catch (ParseException broken) {
            throw new IllegalStateException("the key of the demo provider cannot be read", broken);
        }
    }

    /** An ID token. The subject depends on the email in lower case. */
    String idToken(Wanted wanted) {
        Instant now = clock.instant();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(audience)
                .subject(HexFormat.of().formatHex(Secrets.hash(SuperAdministrators.folded(wanted.email()))))
                .claim("email", wanted.email())
                .claim("email_verified", wanted.emailVerified())
                .claim("given_name", wanted.firstName())
                .claim("family_name", wanted.lastName())
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LIFETIME)));
        wanted.nonce().ifPresent(nonce -> claims.claim("nonce", nonce));
        wanted.session().ifPresent(session -> claims.claim("sid", session));
        return signed(JOSEObjectType.JWT, claims.build());
    }

    private String signed(JOSEObjectType type, JWTClaimsSet claims) {
        SignedJWT token = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).type(type).build(), claims);
        try {
            token.sign(new ECDSASigner(key));
        } catch (JOSEException failed) {
            throw new IllegalStateException("signing for the demo failed", failed);
        }
        return token.serialize();
    }

    /** Whether an authorization request has the client ID and the redirect URI of this platform. */
    boolean isOurs(String clientId, String redirectUri) {
        return audience.equals(clientId) && this.redirectUri.equals(redirectUri);
    }

    /** An authorization code. It is a signed token with all data, so that every node can redeem it, once. */
    String code(Wanted wanted, String challenge) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .jwtID(UUID.randomUUID().toString())
                .claim("email", wanted.email())
                .claim("given_name", bounded(wanted.firstName()))
                .claim("family_name", bounded(wanted.lastName()))
                .claim("code_challenge", challenge)
                .expirationTime(Date.from(clock.instant().plus(CODE_LIFETIME)));
        wanted.nonce().ifPresent(nonce -> claims.claim("nonce", nonce));
        return signed(CODE, claims.build());
    }

    private static String bounded(String name) {
        return name.substring(0, Math.min(NAME_LENGTH_MAX, name.length()));
    }

    /**
     * The ID token for a code; empty if the code is forged or expired, if the verifier does not match its challenge (RFC 7636), or if the code
     * was used before. What the first use began ends then, because one of the two had stolen the code (RFC 6749, section 4.1.2).
     */
    Future<Optional<String>> redeem(String code, String verifier) {
        return checked(code, verifier).map(this::redeemOnce).orElse(Future.succeededFuture(Optional.empty()));
    }

    private Future<Optional<String>> redeemOnce(Code code) {
        return codes.use(code.codeId, code.expires, clock.instant()).compose(isFirst -> isFirst
                ? Future.succeededFuture(Optional.of(idToken(code.wanted)))
                : ending.endAtProvider(NAME, Optional.empty(), Optional.of(code.codeId.toString()), code.expires).map(Optional.empty()));
    }

    private Optional<Code> checked(String code, String verifier) {
        try {
            SignedJWT jwt = SignedJWT.parse(code);
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(Secrets.hash(verifier));
            if (!CODE.equals(jwt.getHeader().getType()) || !jwt.verify(new ECDSAVerifier(key.toPublicJWK()))
                    || !clock.instant().isBefore(claims.getExpirationTime().toInstant()) || !challenge.equals(claims.getStringClaim("code_challenge"))) {
                return Optional.empty();
            }
            // A code of the release before has no ID, so its second use could not be told from the first.
            return Identifiers.uuid(Optional.ofNullable(claims.getJWTID()).orElse("")).map(id -> new Code(id, claims.getExpirationTime().toInstant(), wanted(claims, id)));
        } catch (ParseException | JOSEException | IllegalArgumentException | IllegalStateException forged) {
            return Optional.empty();
        }
    }

    private static Wanted wanted(JWTClaimsSet claims, UUID codeId) {
        return new Wanted((String) claims.getClaim("email"), (String) claims.getClaim("given_name"), (String) claims.getClaim("family_name"), true,
                Optional.ofNullable((String) claims.getClaim("nonce")), Optional.of(codeId.toString()));
    }

    long lifetimeSeconds() {
        return LIFETIME.toSeconds();
    }

    /** This provider for the sign-in of browsers; exchanges codes within the process, without HTTP. */
    private final class OwnServer implements AuthorizationServer {
        @Override
        public String clientId() {
            return audience;
        }

        @Override
        public Future<String> authorizationEndpoint() {
            return Future.succeededFuture(issuer + "/authorize");
        }

        @Override
        public Future<Boolean> namesIssuer() {
            return Future.succeededFuture(false);
        }

        @Override
        public Future<String> idToken(String code, String verifier, String redirectUri) {
            return redeem(code, verifier).compose(token -> token.map(Future::succeededFuture).orElseGet(() -> Future.failedFuture("the code is not good")));
        }
    }

    JsonObject publicKeys() {
        return new JsonObject(new JWKSet(key).toString(true));
    }

    /** This provider in the form that sign-in uses for all providers; its keys are read from memory. */
    public IdentityProvider provider() {
        ProviderKeys keys = new ProviderKeys(NAME, () -> Future.succeededFuture(publicKeys().encode()), clock);
        return new IdentityProvider(NAME, issuer, List.of(audience), Set.of(JWSAlgorithm.ES256), keys, false, List.of(), Optional.of(new OwnServer()));
    }
}
