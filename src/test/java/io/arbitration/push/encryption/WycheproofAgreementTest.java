package io.arbitration.push.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.ECPrivateKeySpec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The agreement on a key with a browser, against the vectors of Wycheproof: edge cases of the curve, and keys that are on another. */
class WycheproofAgreementTest {

    @Test
    void keysAreAgreedOnWithPointsOfTheCurveAndNothingElseIsAPoint() throws Exception {
        JsonObject vectors = new JsonObject(Files.readString(Path.of("src/test/resources/wycheproof/ecdh_secp256r1_ecpoint_test.json")));
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (Object one : vectors.getJsonArray("testGroups").getJsonObject(0).getJsonArray("tests")) {
            JsonObject test = (JsonObject) one;
            byte[] point = HexFormat.of().parseHex(test.getString("public"));
            // Browsers write points uncompressed; nothing else is taken.
            boolean good = test.getString("result").equals("valid") && point.length == P256.POINT_BYTES;
            seen++;
            if (P256.isPoint(point) != good || good && !shared(test, point).equals(test.getString("shared"))) {
                wrong.add("%d %s: %s".formatted(test.getInteger("tcId"), test.getString("comment"), test.getString("result")));
            }
        }
        assertThat(seen).isEqualTo(355);
        assertThat(wrong).isEmpty();
    }

    private static String shared(JsonObject test, byte[] point) throws Exception {
        PrivateKey own = KeyFactory.getInstance("EC").generatePrivate(
                new ECPrivateKeySpec(new BigInteger(test.getString("private"), 16), Curve.P_256.toECParameterSpec()));
        return HexFormat.of().formatHex(MessageEncryption.agreed(own, point));
    }
}
