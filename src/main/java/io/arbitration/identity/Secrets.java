package io.arbitration.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

/**
 * Makes the secrets that this area hands out and stores as hashes. They carry 256 random bits, so one round of SHA-256
 * is enough: nothing can be guessed from a stolen hash, and a slow password hash would only cost the platform.
 */
final class Secrets {

    private static final int SECRET_BYTES = 32;

    private final SecureRandom random;

    Secrets(SecureRandom random) {
        this.random = random;
    }

    /** The prefix tells people and secret scanners what they found. */
    String secret(String prefix) {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A random UUID (RFC 9562, version 4). */
    UUID id() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        long high = 0;
        long low = 0;
        for (int i = 0; i < 8; i++) {
            high = high << 8 | bytes[i] & 0xff;
            low = low << 8 | bytes[i + 8] & 0xff;
        }
        return new UUID(high & ~0xf000L | 0x4000L, low & 0x3fffffffffffffffL | 0x8000000000000000L);
    }

    static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Compares in a time that tells nothing of where the hashes differ. */
    static boolean matches(String secret, byte[] hash) {
        return MessageDigest.isEqual(hash(secret), hash);
    }
}
