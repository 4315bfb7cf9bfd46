package io.arbitration.push.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.push.Browser;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MessageEncryptionTest {

    private static final String PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
    private static final String PUBLIC = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
    private static final String BROWSER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

    private static byte[] bytes(String base64url) {
        return Base64.getUrlDecoder().decode(base64url);
    }

    static PrivateKey privateKey(String number) throws GeneralSecurityException {
        AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
        curve.init(new ECGenParameterSpec("secp256r1"));
        return KeyFactory.getInstance("EC").generatePrivate(
                new ECPrivateKeySpec(new BigInteger(1, bytes(number)), curve.getParameterSpec(ECParameterSpec.class)));
    }

    /** RFC 8291, appendix A. */
    @Test
    void theExampleOfTheStandardComesOutByteForByte() throws GeneralSecurityException {
        KeyPair sender = new KeyPair(P256.publicKey(bytes(PUBLIC)), privateKey(PRIVATE));
        byte[] plain = "When I grow up, I want to be a watermelon".getBytes(StandardCharsets.US_ASCII);
        byte[] body = MessageEncryption.encrypt(plain, plain.length, bytes(BROWSER), bytes("BTBZMqHH6r4Tts7J_aSIgg"), sender, bytes("DGv6ra1nlYgDCS1FRnbzlw"));
        assertThat(Base64.getUrlEncoder().withoutPadding().encodeToString(body)).isEqualTo(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
                        + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN");
    }

    @Test
    void whatIsEncryptedIsReadByTheBrowserAndItsLengthIsOneOfFew() {
        Random random = new Random(20261121);
        Browser browser = Browser.at("https://push.example/1");
        Set<Integer> lengths = new TreeSet<>();
        for (int length : List.of(0, 1, 15, 16, 255, 256, 257, 511, 512, 1000, 1024, 1025, 2048, 2049, 3992, 3993)) {
            byte[] plain = new byte[length];
            random.nextBytes(plain);
            byte[] body = MessageEncryption.encrypt(plain, browser.point(), browser.auth(), new SecureRandom());
            assertThat(browser.decrypt(body)).isEqualTo(plain);
            lengths.add(body.length);
        }
        assertThat(lengths).containsExactly(359, 615, 1127, 2151, 4096);
    }

    /** A content that ends in zeros is not taken for padding. */
    @Test
    void zerosAtTheEndOfAMessageStay() {
        Browser browser = Browser.at("https://push.example/1");
        byte[] plain = new byte[300];
        assertThat(browser.decrypt(MessageEncryption.encrypt(plain, browser.point(), browser.auth(), new SecureRandom()))).isEqualTo(plain);
    }

    @Test
    void moreThanAMessageCarriesIsAnError() {
        Browser browser = Browser.at("https://push.example/1");
        assertThatThrownBy(() -> MessageEncryption.encrypt(new byte[3994], browser.point(), browser.auth(), new SecureRandom()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noTwoMessagesShareASaltOrASendersKey() {
        Browser browser = Browser.at("https://push.example/1");
        Set<String> heads = new HashSet<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            byte[] body = MessageEncryption.encrypt(new byte[1], browser.point(), browser.auth(), new SecureRandom());
            heads.add(Arrays.toString(Arrays.copyOf(body, 16)));
            keys.add(Arrays.toString(Arrays.copyOfRange(body, 21, 86)));
        }
        assertThat(heads).hasSize(200);
        assertThat(keys).hasSize(200);
    }

    @Test
    void onlyPointsOfTheCurveAreKeys() {
        byte[] point = bytes(BROWSER);
        assertThat(P256.isPoint(point)).isTrue();
        for (int at : List.of(1, 32, 33, 64)) {
            byte[] off = point.clone();
            off[at] ^= 1;
            assertThat(P256.isPoint(off)).as("byte %d changed", at).isFalse();
        }
        byte[] compressed = Arrays.copyOf(point, 33);
        compressed[0] = 2;
        byte[] hybrid = point.clone();
        hybrid[0] = 6;
        byte[] infinity = new byte[65];
        infinity[0] = 4;
        assertThat(List.of(compressed, hybrid, infinity, new byte[0], new byte[1], Arrays.copyOf(point, 64), Arrays.copyOf(point, 66)))
                .noneMatch(P256::isPoint);
    }

    /** The same point, its x written as x + p: it reduces to a point of the curve, but no key is written so. */
    @Test
    void coordinatesBeyondTheFieldAreNotTaken() {
        BigInteger p = new BigInteger("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16);
        BigInteger b = new BigInteger("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);
        for (int x = 0; x < 100; x++) {
            BigInteger right = BigInteger.valueOf((long) x * x * x - 3L * x).add(b).mod(p);
            BigInteger y = right.modPow(p.add(BigInteger.ONE).shiftRight(2), p);
            if (y.modPow(BigInteger.TWO, p).equals(right)) {
                assertThat(P256.isPoint(written(BigInteger.valueOf(x), y))).isTrue();
                assertThat(P256.isPoint(written(BigInteger.valueOf(x).add(p), y))).isFalse();
            }
        }
    }

    private static byte[] written(BigInteger x, BigInteger y) {
        byte[] point = new byte[65];
        point[0] = 4;
        copy(x, point, 33);
        copy(y, point, 65);
        return point;
    }

    private static void copy(BigInteger number, byte[] to, int end) {
        byte[] bytes = number.toByteArray();
        int length = Math.min(32, bytes.length);
        System.arraycopy(bytes, bytes.length - length, to, end - length, length);
    }
}
