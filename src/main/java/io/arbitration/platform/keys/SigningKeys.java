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
 * The platform's ES256 keys: one signs. A new key takes over when the newest is {@code rotateAfter} old; it is published
 * {@link #PUBLISHED_FIRST} before it signs, so that every node and every client knows it by then. An old one is retired when
 * the last token it signed has expired: its private part is forgotten and it verifies no token any more, but it stays
 * published, because receipts that it signed are kept for years. One that is withdrawn, because somebody else may hold it,
 * counts for nothing any more: it neither signs nor verifies and is not published. Private parts are stored encrypted.
 *
 * <p>A node reads the keys as soon as a change is notified, and by a poll every {@value Freshness#POLL_MILLIS} milliseconds; one that was
 * stopped or cut off reads them before it lets anybody in again ({@link #caughtUp}).
 */
public final class SigningKeys {

    static final Duration PUBLISHED_FIRST = Duration.ofMinutes(10);
    /** Clocks of the nodes may differ by this much when a key takes over from another. */
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

    /** The key that signs now. */
    public record SigningKey(String id, JWSSigner signer) {}

    /** A key that verifies. */
    public record PublicKey(String id, JWSVerifier verifier) {}

    private record Pair(SigningKey signing, PublicKey verifying) {}

    /** @param pair empty when the key is retired */
    private record Held(ECKey publicKey, Instant created, Optional<Pair> pair) {}

    /** @param keptAfter how long a key verifies after another took over: the longest life of what it signed */
    public SigningKeys(Database database, Kms kms, Duration rotateAfter, Duration keptAfter, Clock clock) {
        this.repository = new SigningKeyRepository(database);
        this.kms = kms;
        this.rotateAfter = rotateAfter;
        this.keptAfter = keptAfter;
        this.clock = clock;
        this.freshness = new Freshness("signing keys", () -> repository.all().compose(this::hold), clock);
    }

    /** Reads the keys, makes the first, and keeps rotating. */
    public Future<Void> start(Vertx vertx) {
        return rotate().onSuccess(started -> {
            poll = OptionalLong.of(vertx.setPeriodic(Freshness.POLL_MILLIS, timer -> freshness.poll()));
            vertx.setPeriodic(ROTATE_MILLIS, timer -> rotate().onFailure(failed -> LOG.warn("rotating signing keys failed: {}", failed.getMessage())));
        });
    }

    /** Reads no more, before the database goes. */
    public void stop(Vertx vertx) {
        poll.ifPresent(vertx::cancelTimer);
    }

    /** From now on also reads keys as soon as another node has made them. */
    public void listen(CommitNotifications notifications) {
        notifications.on(CHANNEL, () -> rotate().onFailure(failed -> LOG.warn("reading new signing keys failed: {}", failed.getMessage())));
    }

    /** Reads what other nodes made and makes a new key when it is time. */
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

    /** Whether this node has read the keys lately, so that none that was withdrawn is held here. From any thread. */
    public boolean isCaughtUp() {
        return freshness.isFresh();
    }

    /** Done when this node knows which keys were withdrawn until it was asked; fails when the database does not answer. */
    public Future<Void> caughtUp() {
        return freshness.caughtUp();
    }

    /**
     * Withdraws a key; where it was the last, another is made and signs from now on. Tells whether there is such a key. Other nodes
     * know it when the commit is notified, at the latest after {@value Freshness#POLL_MILLIS} ms.
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

    /** Both parts come from what was encrypted: the public column alone must not decide what verifies. */
    private Pair pair(SigningKeyRepository.StoredKey stored) throws ParseException, JOSEException {
        ECKey key = ECKey.parse(new String(kms.decrypt(stored.encrypted(), context(stored.id())), StandardCharsets.UTF_8));
        return new Pair(
                new SigningKey(stored.id(), new ECDSASigner(key)),
                new PublicKey(stored.id(), new ECDSAVerifier(key.toPublicJWK())));
    }

    private static byte[] context(String id) {
        return ("signing-key\n" + id).getBytes(StandardCharsets.UTF_8);
    }

    /** The newest key that has been published long enough, else the oldest there is. */
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
     * A statement signed by the key that signs now: JWS in the compact form (RFC 7515).
     *
     * @param type the header's {@code typ}: what the same key signs for one purpose must not pass for another
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

    /** The key of that id, unless it is retired or withdrawn. */
    public Optional<PublicKey> find(String id) {
        return Optional.ofNullable(id).map(held::get).flatMap(Held::pair).map(Pair::verifying);
    }

    /** The public keys, retired ones too but not withdrawn ones, as a JWK set (RFC 7517, section 5); newest first. */
    public JsonObject publicKeys() {
        JsonArray keys = new JsonArray();
        held.values().stream()
                .sorted(Comparator.comparing(Held::created).reversed())
                .forEach(key -> keys.add(new JsonObject(key.publicKey.toJSONObject()).put("alg", "ES256")));
        return new JsonObject().put("keys", keys);
    }
}
