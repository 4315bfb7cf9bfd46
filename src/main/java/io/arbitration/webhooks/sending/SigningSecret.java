package io.arbitration.webhooks.sending;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that signs events for one URL (Standard Webhooks 1.0); as text {@code whsec_} and base64. */
public final class SigningSecret {

    static final String PREFIX = "whsec_";
    private static final int KEY_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;
    private final SecretKeySpec spec;

    private SigningSecret(byte[] key) {
        this.key = key;
        this.spec = new SecretKeySpec(key, ALGORITHM);
    }

    public static SigningSecret random(RandomGenerator random) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return new SigningSecret(key);
    }

    static SigningSecret of(byte[] key) {
        return new SigningSecret(key.clone());
    }

    /** @throws IllegalArgumentException when it is not {@code whsec_} and base64 */
    public static SigningSecret parse(String text) {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("a signing secret starts with " + PREFIX);
        }
        return new SigningSecret(Base64.getDecoder().decode(text.substring(PREFIX.length())));
    }

    byte[] key() {
        return key.clone();
    }

    /** The text that the organization is shown once. */
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    /** {@code v1,} and the Base64 of the HMAC-SHA-256 of id, time (seconds since 1970) and body. */
    public String signature(String id, long timestampSeconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(spec);
            mac.update((id + "." + timestampSeconds + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("signing a webhook failed", impossible);
        }
    }

    @Override
    public String toString() {
        return "SigningSecret[…]";
    }
}
