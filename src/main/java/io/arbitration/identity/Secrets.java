package io.arbitration.identity;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.hash.Sha256;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

/**
 * Makes the secrets that this area issues, and hashes them for storage. They have 256 random bits, so one round of SHA-256 is enough: a
 * stolen hash does not allow guessing, and a slow password hash would only use CPU.
 */
public final class Secrets {

    /** The length of a hash. */
    public static final int HASH_BYTES = 32;
    private static final int SECRET_BYTES = 32;

    private final SecureRandom random;

    public Secrets(SecureRandom random) {
        this.random = random;
    }

    /** A new secret. @param prefix lets people and secret scanners recognise its kind */
    public String secret(String prefix) {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public UUID id() {
        return Identifiers.random(random);
    }

    public static byte[] hash(String secret) {
        return Sha256.of(secret);
    }

    /** Compares in constant time. */
    public static boolean matches(String secret, byte[] hash) {
        return MessageDigest.isEqual(hash(secret), hash);
    }
}
