package io.arbitration.platform.keys;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The platform's ES256 keys: one signs, all verify. A new key takes over when the newest is {@code rotateAfter} old, is
 * published {@link #PUBLISHED_FIRST} before it signs, so that every node and every client knows it by then, and an old one
 * goes when the last thing it signed has expired. Private parts are stored encrypted.
 */
public final class SigningKeys {

    static final Duration PUBLISHED_FIRST = Duration.ofMinutes(10);
    private static final long POLL_MILLIS = 30_000;
    private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);

    private final SigningKeyRepository repository;
    private final Kms kms;
    private final Duration rotateAfter;
    private final Duration keptAfter;
    private final Clock clock;
    private volatile Map<String, Held> held = Map.of();

    /** The key that signs now. */
    public record SigningKey(String id, JWSSigner signer) {}

    /** A key that verifies. */
    public record PublicKey(String id, JWSVerifier verifier) {}

    private record Held(ECKey key, Instant created, SigningKey signing, PublicKey verifying) {}

    /** @param keptAfter how long a key verifies after another took over: the longest life of what it signed */
    public SigningKeys(Database database, Kms kms, Duration rotateAfter, Duration keptAfter, Clock clock) {
        this.repository = new SigningKeyRepository(database);
        this.kms = kms;
        this.rotateAfter = rotateAfter;
        this.keptAfter = keptAfter;
        this.clock = clock;
    }

    /** Reads the keys, makes the first, and keeps rotating. */
    public Future<Void> start(Vertx vertx) {
        return rotate().onSuccess(started -> vertx.setPeriodic(POLL_MILLIS, timer ->
                rotate().onFailure(failed -> LOG.warn("rotating signing keys failed: {}", failed.getMessage()))));
    }

    /** Reads what other nodes made and makes a new key when it is time. */
    public Future<Void> rotate() {
        Instant now = clock.instant();
        return repository.all()
                .compose(keys -> {
                    boolean due = keys.stream().noneMatch(key -> key.created().isAfter(now.minus(rotateAfter)));
                    return due ? repository.insertUnlessNewer(fresh(now), now.minus(rotateAfter)).compose(made -> repository.all())
                            : Future.succeededFuture(keys);
                })
                .compose(this::hold)
                .compose(kept -> repository.deleteSupersededBefore(now.minus(keptAfter).minus(PUBLISHED_FIRST)));
    }

    private Future<Void> hold(List<SigningKeyRepository.StoredKey> stored) {
        Map<String, Held> next = new HashMap<>();
        for (SigningKeyRepository.StoredKey key : stored) {
            Held known = held.get(key.id());
            next.put(key.id(), known != null ? known : decrypted(key));
        }
        held = Map.copyOf(next);
        return Future.succeededFuture();
    }

    private SigningKeyRepository.StoredKey fresh(Instant now) {
        try {
            String id = UUID.randomUUID().toString();
            ECKey key = new ECKeyGenerator(Curve.P_256).keyID(id).keyUse(KeyUse.SIGNATURE).generate();
            byte[] plain = key.toJSONString().getBytes(StandardCharsets.UTF_8);
            return new SigningKeyRepository.StoredKey(id, kms.encrypt(plain, context(id)), now);
        } catch (JOSEException failed) {
            throw new IllegalStateException("making a signing key failed", failed);
        }
    }

    private Held decrypted(SigningKeyRepository.StoredKey stored) {
        try {
            ECKey key = ECKey.parse(new String(kms.decrypt(stored.encrypted(), context(stored.id())), StandardCharsets.UTF_8));
            return new Held(key, stored.created(), new SigningKey(stored.id(), new ECDSASigner(key)),
                    new PublicKey(stored.id(), new ECDSAVerifier(key.toPublicJWK())));
        } catch (ParseException | JOSEException broken) {
            throw new IllegalStateException("signing key %s cannot be read".formatted(stored.id()), broken);
        }
    }

    private static byte[] context(String id) {
        return ("signing-key\n" + id).getBytes(StandardCharsets.UTF_8);
    }

    /** The newest key that has been published long enough, else the oldest there is. */
    public SigningKey current() {
        Instant publishedBy = clock.instant().minus(PUBLISHED_FIRST);
        List<Held> byAge = new ArrayList<>(held.values());
        byAge.sort((a, b) -> b.created.compareTo(a.created));
        return byAge.stream().filter(key -> !key.created.isAfter(publishedBy)).findFirst().orElseGet(byAge::getLast).signing;
    }

    public Optional<PublicKey> find(String id) {
        return Optional.ofNullable(id).map(held::get).map(Held::verifying);
    }

    /** The public keys as a JWK set (RFC 7517, section 5). */
    public JsonObject publicKeys() {
        JsonArray keys = new JsonArray();
        held.values().stream()
                .sorted((a, b) -> b.created.compareTo(a.created))
                .forEach(key -> keys.add(new JsonObject(key.key.toPublicJWK().toJSONObject()).put("alg", "ES256")));
        return new JsonObject().put("keys", keys);
    }
}
