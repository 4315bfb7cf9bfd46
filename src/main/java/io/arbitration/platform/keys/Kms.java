package io.arbitration.platform.keys;

/**
 * Encrypts stored values that must not be readable from a copy of the database (private keys, secrets, stored answers). The
 * context is authenticated, not stored: a ciphertext that was moved to another row cannot be decrypted.
 */
public interface Kms {

    byte[] encrypt(byte[] plain, byte[] context);

    /** The first bytes of every value that is encrypted now; those of another key begin otherwise. */
    byte[] prefix();

    /** @throws IllegalStateException when the ciphertext was not made by this key for this context */
    byte[] decrypt(byte[] cipher, byte[] context);
}
