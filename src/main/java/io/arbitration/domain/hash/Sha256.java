package io.arbitration.domain.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 (FIPS 180-4), which every Java has. */
public final class Sha256 {

    private Sha256() {}

    /** A digest to be fed piece by piece. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The hash of what a digest was fed so far; it can be fed more. */
    public static byte[] soFar(MessageDigest digest) {
        try {
            return ((MessageDigest) digest.clone()).digest();
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException("the SHA-256 of this Java cannot be copied: " + digest.getProvider(), impossible);
        }
    }

    /** The 32 bytes of the hash. */
    public static byte[] of(byte[] bytes) {
        return digest().digest(bytes);
    }

    /** The hash of the UTF-8 of a text. */
    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The hash in 64 hexadecimal digits, letters in lower case. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(of(bytes));
    }
}
