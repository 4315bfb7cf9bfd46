package io.arbitration.webhooks.sending;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.keys.Kms;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** Encrypts signing secrets for storage and decrypts them, each for one URL of one organization. Decrypted ones are cached for 10 minutes. */
public final class SecretCipher {

    private static final int OPENED_MAX = 10_000;

    /** A secret as it is stored, with the URL that it belongs to: another URL does not get it from the cache either. */
    private record Sealed(ByteBuffer bytes, UUID organizationId, String url) {}

    private final Kms kms;
    private final Cache<Sealed, SigningSecret> opened =
            Caffeine.newBuilder().maximumSize(OPENED_MAX).expireAfterWrite(Duration.ofMinutes(10)).build();

    public SecretCipher(Kms kms) {
        this.kms = kms;
    }

    /** Encrypts a secret so that it can only be decrypted for this URL of this organization. */
    public byte[] seal(SigningSecret secret, UUID organizationId, String url) {
        return kms.encrypt(secret.key(), context(organizationId, url));
    }

    /**
     * @throws IllegalStateException if it was not encrypted for this URL of this organization, or the key service does not answer
     */
    SigningSecret open(byte[] sealed, UUID organizationId, String url) {
        return opened.get(new Sealed(ByteBuffer.wrap(sealed), organizationId, url), unknown -> SigningSecret.of(kms.decrypt(sealed, context(organizationId, url))));
    }

    /** Binds a secret to the URL of an organization. */
    public static byte[] context(UUID organizationId, String url) {
        return "webhooks.secret %s %s".formatted(organizationId, url).getBytes(StandardCharsets.UTF_8);
    }
}
