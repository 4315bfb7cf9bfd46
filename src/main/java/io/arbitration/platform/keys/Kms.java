package io.arbitration.platform.keys;

/**
 * Encrypts what the platform stores and must not be readable from a copy of the database (private keys, secrets, kept
 * answers). The context is authenticated, not stored: a ciphertext moved to another row does not decrypt.
 */
public interface Kms {

    byte[] encrypt(byte[] plain, byte[] context);

    /** @throws IllegalStateException when the ciphertext was not made by this key for this context */
    byte[] decrypt(byte[] cipher, byte[] context);
}
