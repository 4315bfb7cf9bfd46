package io.arbitration.platform.keys;

import com.google.crypto.tink.Aead;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.Map;

/**
 * A symmetric key of Google Cloud KMS, as a service account (RFC 7523) or, without its file, as the machine's own. Source: REST
 * reference of Cloud KMS v1, cryptoKeys.encrypt and cryptoKeys.decrypt.
 */
final class GcpKms implements Aead {

    private static final String SCOPE = "https://www.googleapis.com/auth/cloudkms";
    private static final String GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    private static final Duration ASSERTION = Duration.ofMinutes(10);

    private final KmsHttp http = new KmsHttp("Google Cloud KMS");
    private final KeyService.Gcp settings;
    private final Clock clock;

    GcpKms(KeyService.Gcp settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public byte[] encrypt(byte[] plain, byte[] context) throws GeneralSecurityException {
        return call("encrypt", "plaintext", plain, context, "ciphertext");
    }

    @Override
    public byte[] decrypt(byte[] cipher, byte[] context) throws GeneralSecurityException {
        return call("decrypt", "ciphertext", cipher, context, "plaintext");
    }

    private byte[] call(String operation, String given, byte[] bytes, byte[] context, String wanted) throws GeneralSecurityException {
        JsonObject body = new JsonObject()
                .put(given, Base64.getEncoder().encodeToString(bytes))
                .put("additionalAuthenticatedData", Base64.getEncoder().encodeToString(context));
        JsonObject answer = http.post(URI.create("%s/v1/%s:%s".formatted(settings.endpoint(), settings.key(), operation)),
                Map.of("Authorization", "Bearer " + accessToken(), "Content-Type", "application/json"), body.encode().getBytes(StandardCharsets.UTF_8));
        return Base64.getDecoder().decode(answer.getString(wanted));
    }

    private String accessToken() throws GeneralSecurityException {
        JsonObject answer = settings.credentialsFile().isEmpty()
                ? http.get(URI.create(settings.metadataEndpoint() + "/computeMetadata/v1/instance/service-accounts/default/token"), Map.of("Metadata-Flavor", "Google"))
                : granted(settings.credentialsFile().get());
        return answer.getString("access_token");
    }

    private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
        String base64 = pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----|\\s", "");
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }

    private JsonObject granted(Path file) throws GeneralSecurityException {
        try {
            JsonObject account = new JsonObject(Files.readString(file));
            String tokens = account.getString("token_uri");
            JWTClaimsSet claims = new JWTClaimsSet.Builder().issuer(account.getString("client_email")).audience(tokens).claim("scope", SCOPE)
                    .issueTime(Date.from(clock.instant())).expirationTime(Date.from(clock.instant().plus(ASSERTION))).build();
            SignedJWT assertion = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(account.getString("private_key_id")).build(), claims);
            assertion.sign(new RSASSASigner(privateKey(account.getString("private_key"))));
            String form = "grant_type=%s&assertion=%s".formatted(URLEncoder.encode(GRANT, StandardCharsets.UTF_8), assertion.serialize());
            return http.post(URI.create(tokens), Map.of("Content-Type", "application/x-www-form-urlencoded"), form.getBytes(StandardCharsets.UTF_8));
        } catch (IOException | IllegalArgumentException | InvalidKeySpecException | DecodeException | NullPointerException | JOSEException noAccount) {
            throw new GeneralSecurityException("keys.gcp.credentialsFile: %s is not the key file of a service account: %s".formatted(file, noAccount.getMessage()));
        }
    }
}
