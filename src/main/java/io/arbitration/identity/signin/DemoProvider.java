package io.arbitration.identity.signin;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.users.SuperAdministrators;
import io.arbitration.platform.AreaServices;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The OpenID provider {@code demo}: signs an ID token for whoever asks, with a key and an issuer of its own. It is made in
 * the demo profile only. Its key is stored encrypted, so that ID tokens outlive a restart and every node takes them.
 */
public final class DemoProvider {

    public static final String NAME = "demo";
    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final byte[] CONTEXT = "identity\ndemo-key".getBytes(StandardCharsets.UTF_8);

    private final String issuer;
    private final String audience;
    private final ECKey key;
    private final Clock clock;

    private DemoProvider(String issuer, String audience, ECKey key, Clock clock) {
        this.issuer = issuer;
        this.audience = audience;
        this.key = key;
        this.clock = clock;
    }

    public static Future<DemoProvider> open(AreaServices services, String audience) {
        byte[] fresh = services.kms().encrypt(freshKey().toJSONString().getBytes(StandardCharsets.UTF_8), CONTEXT);
        return new DemoKeyRepository(services.database()).keep(fresh).map(stored -> new DemoProvider(
                services.publicUrl() + "/demo",
                audience,
                parse(new String(services.kms().decrypt(stored, CONTEXT), StandardCharsets.UTF_8)),
                services.clock()));
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

    /** An ID token; the same email, whatever its capitals, is the same subject. */
    String idToken(String email, String firstName, String lastName, boolean emailVerified) {
        Instant now = clock.instant();
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(audience)
                .subject(HexFormat.of().formatHex(Secrets.hash(SuperAdministrators.folded(email))))
                .claim("email", email)
                .claim("email_verified", emailVerified)
                .claim("given_name", firstName)
                .claim("family_name", lastName)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LIFETIME)))
                .build();
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).type(JOSEObjectType.JWT).build(), claims);
        try {
            token.sign(new ECDSASigner(key));
        } catch (JOSEException failed) {
            throw new IllegalStateException("signing a demo ID token failed", failed);
        }
        return token.serialize();
    }

    JsonObject publicKeys() {
        return new JsonObject(new JWKSet(key).toString(true));
    }

    /** How sign-in sees this provider: like any other, with its keys at hand. */
    public IdentityProvider provider() {
        ProviderKeys keys = new ProviderKeys(NAME, () -> Future.succeededFuture(publicKeys().encode()), clock);
        return new IdentityProvider(NAME, issuer, List.of(audience), Set.of(JWSAlgorithm.ES256), keys, false);
    }
}
