package io.arbitration.push.encryption;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Keys on the curve P-256 (FIPS 186-5) and their points, in the form of browsers: uncompressed, 65 bytes (SEC 1, 2.3.3). */
public final class P256 {

    public static final int POINT_BYTES = 65;
    private static final byte UNCOMPRESSED = 4;
    private static final BigInteger P = new BigInteger("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16);
    private static final BigInteger B = new BigInteger("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);
    private static final BigInteger THREE = BigInteger.valueOf(3);
    /** SubjectPublicKeyInfo of RFC 5480 up to the point: every public key on this curve begins with it. */
    private static final byte[] PUBLIC_HEAD = HexFormat.of().parseHex("3059301306072a8648ce3d020106082a8648ce3d030107034200");

    private P256() {}

    /** Whether the bytes are a point of the curve. Computing with bytes that are not would let an attacker learn the private key. */
    public static boolean isPoint(byte[] bytes) {
        if (bytes.length != POINT_BYTES || bytes[0] != UNCOMPRESSED) {
            return false;
        }
        BigInteger x = new BigInteger(1, bytes, 1, 32);
        BigInteger y = new BigInteger(1, bytes, 33, 32);
        BigInteger right = x.multiply(x).subtract(THREE).multiply(x).add(B);
        return x.compareTo(P) < 0 && y.compareTo(P) < 0 && y.multiply(y).subtract(right).mod(P).signum() == 0;
    }

    public static KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("P-256 is not available", impossible);
        }
    }

    public static byte[] point(PublicKey key) {
        byte[] encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - POINT_BYTES, encoded.length);
    }

    /** @throws IllegalArgumentException when the bytes are no point of the curve */
    public static PublicKey publicKey(byte[] point) {
        byte[] encoded = Arrays.copyOf(PUBLIC_HEAD, PUBLIC_HEAD.length + POINT_BYTES);
        System.arraycopy(point, 0, encoded, PUBLIC_HEAD.length, POINT_BYTES);
        try {
            return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException noPoint) {
            throw new IllegalArgumentException("not a point of P-256", noPoint);
        }
    }

    /** @throws IllegalArgumentException when the bytes are no PKCS #8 key of the curve */
    public static PrivateKey privateKey(byte[] pkcs8) {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException noKey) {
            throw new IllegalArgumentException("not a private key of P-256", noKey);
        }
    }
}
