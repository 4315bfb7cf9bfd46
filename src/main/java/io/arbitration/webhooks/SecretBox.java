package io.arbitration.webhooks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.keys.Kms;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** Signing secrets as they are stored: encrypted for one URL of one organization. Opened ones are remembered for a while. */
final class SecretBox {

    private static final int OPENED_MAX = 10_000;

    private final Kms kms;
    private final Cache<ByteBuffer, SigningSecret> opened =
            Caffeine.newBuilder().maximumSize(OPENED_MAX).expireAfterWrite(Duration.ofMinutes(10)).build();

    SecretBox(Kms kms) {
        this.kms = kms;
    }

    byte[] seal(SigningSecret secret, UUID organizationId, String url) {
        return kms.encrypt(secret.key(), context(organizationId, url));
    }

    SigningSecret open(byte[] sealed, UUID organizationId, String url) {
        return opened.get(ByteBuffer.wrap(sealed), unknown -> SigningSecret.of(kms.decrypt(sealed, context(organizationId, url))));
    }

    private static byte[] context(UUID organizationId, String url) {
        return "webhooks.secret %s %s".formatted(organizationId, url).getBytes(StandardCharsets.UTF_8);
    }
}
