package io.arbitration.push.encryption;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts a message for one browser: the content coding aes128gcm (RFC 8188) with the keys of RFC 8291, in one record. The
 * content is padded to one of a few lengths, so that the length of a message reveals little of its content.
 */
public final class MessageEncryption {

    /** The body of a message is at most 4096 bytes (RFC 8291, section 4): head, content, delimiter and tag. */
    public static final int PLAIN_BYTES_MAX = 3993;
    private static final int[] PADDED = {256, 512, 1024, 2048, PLAIN_BYTES_MAX};
    private static final int RECORD_BYTES = 4096;
    private static final int SALT_BYTES = 16;
    private static final int HEAD_BYTES = SALT_BYTES + 4 + 1 + P256.POINT_BYTES;
    private static final int TAG_BYTES = 16;
    private static final byte LAST_RECORD = 2;
    private static final byte[] KEY_INFO = "WebPush: info\0".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTENT_KEY_INFO = "Content-Encoding: aes128gcm\0\1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NONCE_INFO = "Content-Encoding: nonce\0\1".getBytes(StandardCharsets.US_ASCII);

    private MessageEncryption() {}

    /**
     * The body to send.
     *
     * @param plain at most {@value #PLAIN_BYTES_MAX} bytes
     * @param browserKey {@code p256dh} of the subscription, a point of the curve
     * @param secret {@code auth} of the subscription
     */
    public static byte[] encrypt(byte[] plain, byte[] browserKey, byte[] secret, RandomGenerator random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return encrypt(plain, paddedLength(plain.length), browserKey, secret, P256.generate(), salt);
    }

    private static int paddedLength(int length) {
        for (int padded : PADDED) {
            if (length <= padded) {
                return padded;
            }
        }
        throw new IllegalArgumentException("%d bytes are too many".formatted(length));
    }

    /** The same with a given key pair, salt and length, so that tests can compare it with RFC 8291. */
    static byte[] encrypt(byte[] plain, int paddedLength, byte[] browserKey, byte[] secret, KeyPair sender, byte[] salt) {
        try {
            byte[] senderKey = P256.point(sender.getPublic());
            byte[] pseudorandom = pseudorandomKey(browserKey, secret, sender, senderKey, salt);
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(hmac(pseudorandom, CONTENT_KEY_INFO), 0, 16, "AES"),
                    new GCMParameterSpec(8 * TAG_BYTES, hmac(pseudorandom, NONCE_INFO), 0, 12));
            byte[] padded = Arrays.copyOf(plain, paddedLength + 1);
            padded[plain.length] = LAST_RECORD;
            ByteBuffer body = ByteBuffer.allocate(HEAD_BYTES + padded.length + TAG_BYTES)
                    .put(salt).putInt(RECORD_BYTES).put((byte) senderKey.length).put(senderKey);
            cipher.doFinal(padded, 0, padded.length, body.array(), HEAD_BYTES);
            return body.array();
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException("encrypting a message failed", failed);
        }
    }

    /** RFC 8291, section 3.4; both derivations of HKDF (RFC 5869) end within one block. */
    private static byte[] pseudorandomKey(byte[] browserKey, byte[] secret, KeyPair sender, byte[] senderKey, byte[] salt)
            throws GeneralSecurityException {
        byte[] info = ByteBuffer.allocate(KEY_INFO.length + 2 * P256.POINT_BYTES + 1)
                .put(KEY_INFO).put(browserKey).put(senderKey).put((byte) 1).array();
        return hmac(salt, hmac(hmac(secret, agreed(sender.getPrivate(), browserKey)), info));
    }

    /** The shared secret of ECDH (SEC 1, section 3.3.1). */
    static byte[] agreed(PrivateKey own, byte[] browserKey) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(own);
        agreement.doPhase(P256.publicKey(browserKey), true);
        return agreement.generateSecret();
    }

    private static byte[] hmac(byte[] key, byte[] text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text);
    }
}
