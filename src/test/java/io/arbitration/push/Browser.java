package io.arbitration.push;

import io.arbitration.push.encryption.P256;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** A browser that subscribed at a push service: its keys, and the reading of what arrives (RFC 8188, any number of records). */
public record Browser(String endpoint, KeyPair keys, byte[] auth) {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    public static Browser at(String endpoint) {
        byte[] auth = new byte[16];
        new SecureRandom().nextBytes(auth);
        return new Browser(endpoint, P256.generate(), auth);
    }

    /** What {@code PushSubscription.toJSON()} gives. */
    JsonObject subscription() {
        return new JsonObject().put("endpoint", endpoint).putNull("expirationTime").put("keys",
                new JsonObject().put("p256dh", BASE64.encodeToString(point())).put("auth", BASE64.encodeToString(auth)));
    }

    public byte[] point() {
        return P256.point(keys.getPublic());
    }

    /** The private key as one number, in base64url. */
    public String privateNumber() {
        return privateNumber(keys);
    }

    public static String privateNumber(KeyPair keys) {
        byte[] plain = ((ECPrivateKey) keys.getPrivate()).getS().toByteArray();
        byte[] padded = new byte[32];
        int from = Math.max(0, plain.length - 32);
        System.arraycopy(plain, from, padded, 32 - (plain.length - from), plain.length - from);
        return BASE64.encodeToString(padded);
    }

    JsonObject read(byte[] body) {
        return new JsonObject(new String(decrypt(body), StandardCharsets.UTF_8));
    }

    public byte[] decrypt(byte[] body) {
        try {
            ByteBuffer in = ByteBuffer.wrap(body);
            byte[] salt = take(in, 16);
            int recordBytes = in.getInt();
            byte[] sender = take(in, in.get());
            byte[] pseudorandom = pseudorandom(salt, sender);
            ByteBuffer plain = ByteBuffer.allocate(body.length);
            for (int number = 0; in.hasRemaining(); number++) {
                byte[] record = take(in, Math.min(recordBytes, in.remaining()));
                byte[] padded = open(record, pseudorandom, number);
                int end = padded.length - 1;
                while (padded[end] == 0) {
                    end--;
                }
                if (padded[end] != (in.hasRemaining() ? 1 : 2)) {
                    throw new AssertionError("delimiter " + padded[end]);
                }
                plain.put(padded, 0, end);
            }
            return Arrays.copyOf(plain.array(), plain.position());
        } catch (GeneralSecurityException failed) {
            throw new AssertionError(failed);
        }
    }

    private byte[] pseudorandom(byte[] salt, byte[] sender) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(keys.getPrivate());
        agreement.doPhase(P256.publicKey(sender), true);
        byte[] info = ByteBuffer.allocate(14 + 65 + 65 + 1).put("WebPush: info\0".getBytes(StandardCharsets.US_ASCII))
                .put(point()).put(sender).put((byte) 1).array();
        return hmac(salt, hmac(hmac(auth, agreement.generateSecret()), info));
    }

    private static byte[] open(byte[] record, byte[] pseudorandom, int number) throws GeneralSecurityException {
        byte[] key = Arrays.copyOf(hmac(pseudorandom, "Content-Encoding: aes128gcm\0\1".getBytes(StandardCharsets.US_ASCII)), 16);
        byte[] nonce = Arrays.copyOf(hmac(pseudorandom, "Content-Encoding: nonce\0\1".getBytes(StandardCharsets.US_ASCII)), 12);
        nonce[11] ^= (byte) number;
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
        return cipher.doFinal(record);
    }

    private static byte[] hmac(byte[] key, byte[] text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text);
    }

    private static byte[] take(ByteBuffer in, int count) {
        byte[] bytes = new byte[count];
        in.get(bytes);
        return bytes;
    }
}
