package io.arbitration.push.vapid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.platform.outbound.TargetUrl;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Makes the header {@code Authorization} of RFC 8292. A header is used for an hour for the same key and push service, because
 * signing takes as long as the rest of sending a message.
 */
public final class VapidHeaders {

    static final Duration KEPT = Duration.ofHours(1);
    /** From the first use; a push service takes at most 24 h. */
    static final Duration VALID = Duration.ofHours(12);
    private static final int KEPT_MAX = 10_000;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final String HEAD = BASE64.encodeToString("{\"typ\":\"JWT\",\"alg\":\"ES256\"}".getBytes(StandardCharsets.US_ASCII));

    private record Audience(long keyId, String origin) {}

    private record Made(String header, Instant at) {}

    private final LongFunction<Future<VapidKeys.Opened>> keys;
    private final Optional<String> subject;
    private final Clock clock;
    private final Cache<Audience, Made> made = Caffeine.newBuilder().maximumSize(KEPT_MAX).expireAfterWrite(KEPT).build();

    /**
     * @param keys finds a key by its id, decrypted
     * @param subject the contact of the operator for push services
     */
    public VapidHeaders(LongFunction<Future<VapidKeys.Opened>> keys, Optional<String> subject, Clock clock) {
        this.keys = keys;
        this.subject = subject;
        this.clock = clock;
    }

    public Future<String> header(long keyId, TargetUrl endpoint) {
        Audience audience = new Audience(keyId, origin(endpoint));
        Instant now = clock.instant();
        Made known = made.getIfPresent(audience);
        if (known != null && now.isBefore(known.at.plus(KEPT)) && !now.isBefore(known.at)) {
            return Future.succeededFuture(known.header);
        }
        return keys.apply(keyId).map(key -> {
            Made fresh = new Made(header(key, audience.origin, now), now);
            made.put(audience, fresh);
            return fresh.header;
        });
    }

    /** In the form of RFC 6454: the default port of the scheme is omitted. */
    public static String origin(TargetUrl target) {
        String host = target.host().indexOf(':') >= 0 ? "[" + target.host() + "]" : target.host();
        boolean usual = target.port() == (target.secure() ? 443 : 80);
        return (target.secure() ? "https://" : "http://") + host + (usual ? "" : ":" + target.port());
    }

    private String header(VapidKeys.Opened key, String origin, Instant now) {
        JsonObject claims = new JsonObject().put("aud", origin).put("exp", now.plus(VALID).getEpochSecond());
        subject.ifPresent(contact -> claims.put("sub", contact));
        String signed = HEAD + "." + BASE64.encodeToString(claims.encode().getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(key.privateKey());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return "vapid t=%s.%s, k=%s".formatted(signed, BASE64.encodeToString(signature.sign()), VapidKey.text(key.publicKey()));
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException("signing for a push service failed", failed);
        }
    }
}
