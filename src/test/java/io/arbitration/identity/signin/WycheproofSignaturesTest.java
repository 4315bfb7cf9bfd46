package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.util.Base64URL;
import io.arbitration.Await;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.text.ParseException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What checks the signatures of tokens here, against the vectors of Wycheproof: forged, malleable, misshapen and mismatched ones. */
class WycheproofSignaturesTest {

    /** All that a provider can be configured with. */
    private static final Set<String> ALGORITHMS = Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");
    /**
     * Good signatures that are refused all the same, because the key of these vectors is for another algorithm: PS256 where the signature
     * is of PS384, and "ES521", which does not exist.
     */
    private static final Set<Integer> KEYS_FOR_ANOTHER_ALGORITHM = Set.of(346, 347, 350, 351);

    static JsonObject vectors(String name) throws IOException {
        return new JsonObject(Files.readString(Path.of("src/test/resources/wycheproof/" + name + "_test.json")));
    }

    private static List<JsonObject> objects(JsonArray array) {
        return array.stream().map(JsonObject.class::cast).toList();
    }

    /** As an ID token is checked: the key is looked for in the key set of the provider, the algorithm is one that is allowed. */
    private static boolean isTaken(JsonObject key, String compact) {
        ProviderKeys keys = new ProviderKeys("wycheproof", () -> Future.succeededFuture(new JsonObject().put("keys", new JsonArray().add(key)).encode()),
                Clock.systemUTC());
        try {
            JWSObject jws = JWSObject.parse(compact);
            if (!ALGORITHMS.contains(jws.getHeader().getAlgorithm().getName()) || jws.getHeader().getCriticalParams() != null) {
                return false;
            }
            Optional<JWK> found = Await.result(keys.find(jws.getHeader()));
            return found.isPresent() && IdTokens.isSignedWith(jws, found.get());
        } catch (ParseException | JOSEException | RuntimeException refused) {
            return false;
        }
    }

    @Test
    void aTokenIsTakenWhenItsSignatureIsGoodAndInNoOtherCase() throws IOException {
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (JsonObject group : objects(vectors("json_web_signature").getJsonArray("testGroups"))) {
            JsonObject key = group.getJsonObject("public", group.getJsonObject("private"));
            boolean symmetric = key.getString("kty").equals("oct");
            for (JsonObject test : objects(group.getJsonArray("tests"))) {
                boolean good = test.getString("result").equals("valid") && !symmetric && !KEYS_FOR_ANOTHER_ALGORITHM.contains(test.getInteger("tcId"));
                String jws = test.getValue("jws") instanceof String text ? text : test.getJsonObject("jws").encode();
                seen++;
                if (isTaken(key, jws) != good) {
                    wrong.add("%d %s %s: %s".formatted(test.getInteger("tcId"), group.getString("comment"), test.getString("comment"), test.getString("result")));
                }
            }
        }
        assertThat(seen).isEqualTo(401);
        assertThat(wrong).isEmpty();
    }

    private static void assertVerified(JWSVerifier verifier, JWSAlgorithm algorithm, JsonObject test, List<String> wrong) throws JOSEException {
        boolean verified = verifier.verify(new JWSHeader(algorithm), HexFormat.of().parseHex(test.getString("msg")),
                Base64URL.encode(HexFormat.of().parseHex(test.getString("sig"))));
        if (verified != test.getString("result").equals("valid") && !test.getString("result").equals("acceptable")) {
            wrong.add("%d %s: %s".formatted(test.getInteger("tcId"), test.getString("comment"), test.getString("result")));
        }
    }

    /** Every algorithm that is taken, ES256 first: access tokens, receipts and exports are signed by it as well. */
    @ParameterizedTest
    @CsvSource({
        "ES256, ecdsa_secp256r1_sha256_p1363, P-256", "ES384, ecdsa_secp384r1_sha384_p1363, P-384", "ES512, ecdsa_secp521r1_sha512_p1363, P-521",
        "RS256, rsa_signature_2048_sha256,", "RS384, rsa_signature_2048_sha384,", "RS512, rsa_signature_2048_sha512,",
        "PS256, rsa_pss_2048_sha256_mgf1_32,", "PS384, rsa_pss_2048_sha384_mgf1_48,", "PS512, rsa_pss_4096_sha512_mgf1_64,"})
    void aSignatureIsGoodWhereTheVectorsSaySo(String algorithm, String file, String curve) throws Exception {
        List<String> wrong = new ArrayList<>();
        int good = 0;
        int bad = 0;
        for (JsonObject group : objects(vectors(file).getJsonArray("testGroups"))) {
            JsonObject key = group.getJsonObject("publicKey");
            JWSVerifier verifier = curve == null
                    ? new RSASSAVerifier(rsa(new BigInteger(key.getString("modulus"), 16), new BigInteger(key.getString("publicExponent"), 16)))
                    : new ECDSAVerifier(new ECKey.Builder(Curve.parse(curve), coordinate(Curve.parse(curve), key, "wx"), coordinate(Curve.parse(curve), key, "wy")).build());
            for (JsonObject test : objects(group.getJsonArray("tests"))) {
                assertVerified(verifier, JWSAlgorithm.parse(algorithm), test, wrong);
                good += test.getString("result").equals("valid") ? 1 : 0;
                bad += test.getString("result").equals("invalid") ? 1 : 0;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(good).isGreaterThan(5);
        assertThat(bad).isGreaterThan(30);
    }

    @Test
    void noAlgorithmThatAProviderCanBeConfiguredWithIsWithoutVectors() throws Exception {
        CsvSource tried = WycheproofSignaturesTest.class.getDeclaredMethod("aSignatureIsGoodWhereTheVectorsSaySo", String.class, String.class, String.class)
                .getAnnotation(CsvSource.class);
        assertThat(Arrays.stream(tried.value()).map(row -> row.split(",")[0])).containsExactlyInAnyOrderElementsOf(ALGORITHMS);
        String settings = Files.readString(Path.of("src/main/java/io/arbitration/identity/IdentityProviderSettings.java"));
        String all = settings.substring(settings.indexOf("ID_TOKEN_ALGORITHMS"), settings.indexOf(");", settings.indexOf("ID_TOKEN_ALGORITHMS")));
        assertThat(Pattern.compile("\"([A-Z0-9]+)\"").matcher(all).results().map(found -> found.group(1))).containsExactlyInAnyOrderElementsOf(ALGORITHMS);
    }

    private static Base64URL coordinate(Curve curve, JsonObject key, String name) {
        return ECKey.encodeCoordinate(curve.toECParameterSpec().getCurve().getField().getFieldSize(), new BigInteger(key.getString(name), 16));
    }

    private static RSAPublicKey rsa(BigInteger modulus, BigInteger exponent) throws GeneralSecurityException {
        return (RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
    }

    @Test
    void aTokenThatSaysAClaimTwiceIsNone() {
        for (String text : List.of("{\"sub\":\"a\",\"sub\":\"b\"}", "{\"iss\":\"x\",\"sub\":\"a\",\"iss\":\"y\"}")) {
            assertThat(isParsed(text)).as(text).isFalse();
        }
        assertThat(isParsed("{\"iss\":\"x\",\"sub\":\"a\"}")).isTrue();
    }

    private static boolean isParsed(String claims) {
        try {
            return com.nimbusds.jwt.JWTClaimsSet.parse(new String(claims.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)) != null;
        } catch (ParseException refused) {
            return false;
        }
    }
}
