package io.arbitration.platform.keys;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.Freshness;
import io.arbitration.platform.events.CommitNotifications;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The platform's ES256 keys, of which one signs. When the newest is {@code rotateAfter} old, a new key replaces it; it is
 * published {@link #PUBLISHED_FIRST} before it signs, so that every node and every client knows it by then. An old key is retired
 * when the last token that it signed has expired: its private part is deleted and it verifies no token any more, but it stays
 * published, because receipts that it signed are kept for years. A key that is withdrawn, because an attacker may have it,
 * neither signs nor verifies and is not published. Private parts are stored encrypted.
 *
 * <p>A node reads the keys when it is notified of a change, and polls every {@value Freshness#POLL_MILLIS} milliseconds. A node
 * that was suspended or cut off reads them before it accepts tokens again ({@link #catchUp}).
 */
public final class SigningKeys {

    static final Duration PUBLISHED_FIRST = Duration.ofMinutes(10);
    /** The tolerated difference between the clocks of nodes when one key replaces another. */
    static final Duration MARGIN = Duration.ofMinutes(5);
    static final String CHANNEL = "platform_signing_keys";
    private static final long ROTATE_MILLIS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);

    private final SigningKeyRepository repository;
    private final Kms kms;
    private final Duration rotateAfter;
    private final Duration keptAfter;
    private final Clock clock;
    private final Freshness freshness;
    private volatile Map<String, Held> held = Map.of();
    private volatile OptionalLong poll = OptionalLong.empty();

    /** The key that signs at present. */
    public record SigningKey(String id, JWSSigner signer) {}

    /** A key that verifies. */
    public record PublicKey(String id, JWSVerifier verifier) {}

    private record Pair(SigningKey signing, PublicKey verifying) {}

    /** @param pair empty if the key is retired */
    private record Held(ECKey publicKey, Instant created, Optional<Pair> pair) {}

    /** @param keptAfter how long a key verifies after another has replaced it: the longest lifetime of its signatures */
    public SigningKeys(Database database, Kms kms, Duration rotateAfter, Duration keptAfter, Clock clock) {
        this.repository = new SigningKeyRepository(database);
        this.kms = kms;
        this.rotateAfter = rotateAfter;
        this.keptAfter = keptAfter;
        this.clock = clock;
        this.freshness = new Freshness("signing keys", () -> repository.all().compose(this::hold), clock);
    }

    /** Reads the keys, creates the first one, and continues to rotate. */
    public Future<Void> start(Vertx vertx) {
        return rotate().onSuccess(started -> {
            new Reencryption(kms).begin("signing keys", repository);
            poll = OptionalLong.of(vertx.setPeriodic(Freshness.POLL_MILLIS, timer -> freshness.poll()));
            vertx.setPeriodic(ROTATE_MILLIS, timer -> rotate().onFailure(failed -> LOG.warn("rotating signing keys failed: {}", failed.getMessage())));
        });
    }

    /** Stops reading, before the database is closed. */
    public void stop(Vertx vertx) {
        poll.ifPresent(vertx::cancelTimer);
    }

    /** From now on also reads keys as soon as another node has created them. */
    public void listen(CommitNotifications notifications) {
        notifications.on(CHANNEL, () -> rotate().onFailure(failed -> LOG.warn("reading new signing keys failed: {}", failed.getMessage())));
    }

    /** Reads keys of other nodes, and creates a new key when it is time. */
    public Future<Void> rotate() {
        Instant now = clock.instant();
        return freshness.next()
                .compose(read -> isDue(now) ? repository.insertUnlessNewer(fresh(now), now.minus(rotateAfter)).compose(made -> freshness.next())
                        : Future.succeededFuture())
                .compose(kept -> repository.retireSupersededBefore(now.minus(keptAfter).minus(PUBLISHED_FIRST).minus(MARGIN)));
    }

    private boolean isDue(Instant now) {
        return held.values().stream().noneMatch(key -> key.created.isAfter(now.minus(rotateAfter)));
    }

    /** Whether this node has read the keys recently, so that it knows of every withdrawn key. From any thread. */
    public boolean isCaughtUp() {
        return freshness.isFresh();
    }

    /** Completes when this node knows which keys were withdrawn before this call; fails if the database does not answer. */
    public Future<Void> catchUp() {
        return freshness.catchUp();
    }

    /**
     * Withdraws a key; if it was the last one, another is created and signs from now on. Answers whether there is such a key.
     * Other nodes read the change when the commit is notified, at the latest after {@value Freshness#POLL_MILLIS} ms.
     */
    public Future<Boolean> withdraw(String keyId, UUID by, String reason) {
        return repository.withdraw(keyId, by, reason, clock.instant())
                .compose(found -> found ? rotate().map(true) : Future.succeededFuture(false));
    }

    private Future<Void> hold(List<SigningKeyRepository.StoredKey> stored) {
        Map<String, Held> next = new HashMap<>();
        for (SigningKeyRepository.StoredKey key : stored) {
            if (key.withdrawn()) {
                continue;
            }
            Held known = held.get(key.id());
            boolean isKnown = known != null && known.pair.isPresent() == (key.encrypted() != null);
            next.put(key.id(), isKnown ? known : held(key));
        }
        held = Map.copyOf(next);
        return Future.succeededFuture();
    }

    private SigningKeyRepository.StoredKey fresh(Instant now) {
        try {
            String id = UUID.randomUUID().toString();
            ECKey key = new ECKeyGenerator(Curve.P_256).keyID(id).keyUse(KeyUse.SIGNATURE).generate();
            byte[] plain = key.toJSONString().getBytes(StandardCharsets.UTF_8);
            return new SigningKeyRepository.StoredKey(id, kms.encrypt(plain, context(id)), key.toPublicJWK().toJSONString(), now, false);
        } catch (JOSEException failed) {
            throw new IllegalStateException("making a signing key failed", failed);
        }
    }

    private Held held(SigningKeyRepository.StoredKey stored) {
        try {
            Optional<Pair> pair = stored.encrypted() == null ? Optional.empty() : Optional.of(pair(stored));
            return new Held(ECKey.parse(stored.publicKey()), stored.created(), pair);
        } catch (ParseException | JOSEException | IllegalStateException broken) {
            throw new IllegalStateException("signing key %s cannot be read: %s".formatted(stored.id(), broken.getMessage()), broken);
        }
    }

    /** Both parts come from the encrypted value: the public column alone must not decide which signatures are valid. */
    private Pair pair(SigningKeyRepository.StoredKey stored) throws ParseException, JOSEException {
        ECKey key = ECKey.parse(new String(kms.decrypt(stored.encrypted(), context(stored.id())), StandardCharsets.UTF_8));
        return new Pair(
                new SigningKey(stored.id(), new ECDSASigner(key)),
                new PublicKey(stored.id(), new ECDSAVerifier(key.toPublicJWK())));
    }

    static byte[] context(String id) {
        return ("signing-key\n" + id).getBytes(StandardCharsets.UTF_8);
    }

    /** The newest key that has been published long enough, else the oldest one. */
    public SigningKey current() {
        Instant publishedBy = clock.instant().minus(PUBLISHED_FIRST);
        List<Held> signing = held.values().stream()
                .filter(key -> key.pair.isPresent())
                .sorted(Comparator.comparing(Held::created).reversed())
                .toList();
        Held current = signing.stream().filter(key -> !key.created.isAfter(publishedBy)).findFirst().orElseGet(signing::getLast);
        return current.pair.orElseThrow().signing;
    }

    /**
     * A statement signed by the present key: JWS in the compact form (RFC 7515).
     *
     * @param type the header's {@code typ}: a statement for one purpose must not be accepted for another
     */
    public String signed(String type, String payload) {
        SigningKey key = current();
        JWSObject statement = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.id()).type(new JOSEObjectType(type)).build(), new Payload(payload));
        try {
            statement.sign(key.signer());
        } catch (JOSEException failed) {
            throw new IllegalStateException("signing a statement failed", failed);
        }
        return statement.serialize();
    }

    /** The key with that ID, unless it is retired or withdrawn. */
    public Optional<PublicKey> find(String id) {
        return Optional.ofNullable(id).map(held::get).flatMap(Held::pair).map(Pair::verifying);
    }

    /** The public keys, including retired but not withdrawn ones, as a JWK set (RFC 7517, section 5); newest first. */
    public JsonObject publicKeys() {
        JsonArray keys = new JsonArray();
        held.values().stream()
                .sorted(Comparator.comparing(Held::created).reversed())
                .forEach(key -> keys.add(new JsonObject(key.publicKey.toJSONObject()).put("alg", "ES256")));
        return new JsonObject().put("keys", keys);
    }
}
