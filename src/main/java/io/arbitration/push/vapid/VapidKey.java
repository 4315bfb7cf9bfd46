package io.arbitration.push.vapid;

import java.time.Instant;
import java.util.Base64;

/**
 * A key pair that signs for the platform at push services (RFC 8292), as stored.
 *
 * @param publicKey the point that browsers subscribe with
 * @param encrypted the private part
 */
public record VapidKey(long id, byte[] publicKey, byte[] encrypted, Instant created) {

    /** In the form that browsers and push services use: base64url without padding. */
    public static String text(byte[] publicKey) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(publicKey);
    }

    @Override
    public String toString() {
        return "VapidKey[%d]".formatted(id);
    }
}
