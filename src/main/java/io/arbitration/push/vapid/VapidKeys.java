package io.arbitration.push.vapid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.keys.Kms;
import io.arbitration.push.encryption.P256;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The key pairs with which the platform signs at push services. Decrypted private parts are cached for 10 minutes. */
public final class VapidKeys {

    /** Administrators create a few keys a year; the bound keeps the list short. */
    static final int KEYS_MAX = 1000;
    /** The bytes of a key in a list. */
    private static final int LISTED_BYTES = 200;
    private static final Duration OPENED = Duration.ofMinutes(10);

    /** A key that can sign. */
    public record Opened(byte[] publicKey, PrivateKey privateKey) {}

    private final VapidKeyRepository repository;
    private final Kms kms;
    private final Clock clock;
    private final Cache<Long, Opened> opened = Caffeine.newBuilder().maximumSize(KEYS_MAX).expireAfterWrite(OPENED).build();

    public VapidKeys(VapidKeyRepository repository, Kms kms, Clock clock) {
        this.repository = repository;
        this.kms = kms;
        this.clock = clock;
    }

    Future<Void> create(Optional<RequestKey> key) {
        KeyPair pair = P256.generate();
        byte[] point = P256.point(pair.getPublic());
        return repository.insert(key, point, kms.encrypt(pair.getPrivate().getEncoded(), context(point)), Timestamps.milliseconds(clock.instant()), KEYS_MAX)
                .compose(isCreated -> isCreated ? Future.succeededFuture() : Future.failedFuture(VapidError.TOO_MANY.refusal(KEYS_MAX)));
    }

    /** Creates a key if there is none. */
    public Future<Boolean> createFirst() {
        KeyPair pair = P256.generate();
        byte[] point = P256.point(pair.getPublic());
        return repository.insertFirst(point, kms.encrypt(pair.getPrivate().getEncoded(), context(point)), Timestamps.milliseconds(clock.instant()));
    }

    /** Keys before an id, the newest first; the newest of all is the one for new subscriptions. */
    Future<Page<VapidKey>> list(OptionalLong before, int limit) {
        return repository.before(before.orElse(Long.MAX_VALUE), limit + 1).map(found -> Page.of(found, limit, Page.BYTES_MAX, key -> LISTED_BYTES));
    }

    public Future<Optional<VapidKey>> find(byte[] publicKey) {
        return repository.find(publicKey).map(keys -> keys.stream().findFirst());
    }

    /** The key of a subscription, ready to sign. */
    public Future<Opened> open(long id) {
        Opened known = opened.getIfPresent(id);
        return known != null ? Future.succeededFuture(known) : repository.find(id).map(found -> {
            VapidKey key = found.getFirst();
            Opened fresh = new Opened(key.publicKey(), P256.privateKey(kms.decrypt(key.encrypted(), context(key.publicKey()))));
            opened.put(id, fresh);
            return fresh;
        });
    }

    static byte[] context(byte[] publicKey) {
        return ("push.vapid-key " + VapidKey.text(publicKey)).getBytes(StandardCharsets.UTF_8);
    }
}
