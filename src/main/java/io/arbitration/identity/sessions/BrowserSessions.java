package io.arbitration.identity.sessions;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.users.SuperAdministrators;
import io.arbitration.identity.users.User;
import io.arbitration.identity.users.UserRepository;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.CookieSessions;
import io.arbitration.platform.auth.InvalidToken;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the sessions of browsers by their cookies. A found session is cached for {@link #REMEMBERED}, so that most requests need no query;
 * revocations are checked at every use. Runs also on nodes that do not serve the identity area.
 */
public final class BrowserSessions implements CookieSessions {

    /** After this time, the session, the user and its permissions are read again. */
    private static final Duration REMEMBERED = Duration.ofMinutes(1);
    private static final int COOKIE_LENGTH_MAX = 100;
    private static final Logger LOG = LoggerFactory.getLogger(BrowserSessions.class);

    private final SessionRepository sessions;
    private final UserRepository users;
    private final SuperAdministrators superAdministrators;
    private final Revocations revocations;
    private final Session.Rules rules;
    private final Clock clock;
    private final Cache<ByteBuffer, Found> found;

    /** A cached session. @param at when it was read from the database */
    private record Found(Caller caller, long grantsRevision, Instant at, Instant until) {}

    /** @param rememberedMax the maximum number of cached sessions; others are read from the database at each use */
    public BrowserSessions(Database database, SuperAdministrators superAdministrators, Revocations revocations, Session.Rules rules, int rememberedMax, Clock clock) {
        this.found = Caffeine.newBuilder().maximumSize(rememberedMax).executor(Runnable::run).build();
        this.sessions = new SessionRepository(database);
        this.users = new UserRepository(database);
        this.superAdministrators = superAdministrators;
        this.revocations = revocations;
        this.rules = rules;
        this.clock = clock;
    }

    @Override
    public Optional<Caller> remembered(String cookie) {
        if (cookie.length() > COOKIE_LENGTH_MAX) {
            return Optional.empty();
        }
        return Optional.ofNullable(found.getIfPresent(ByteBuffer.wrap(Secrets.hash(cookie))))
                .filter(known -> clock.instant().isBefore(known.until) && !revocations.mayHaveEvicted(known.at))
                .flatMap(this::now);
    }

    @Override
    public Future<Optional<Caller>> find(String cookie) {
        if (cookie.length() > COOKIE_LENGTH_MAX) {
            return Future.succeededFuture(Optional.empty());
        }
        byte[] hash = Secrets.hash(cookie);
        Instant now = clock.instant();
        return sessions.findByCookie(hash).compose(session -> session.filter(one -> one.isValid(rules, now)).isEmpty()
                ? evict(hash)
                : users.find(session.get().userId()).map(user -> remember(hash, session.get(), user.orElseThrow(), now)).map(this::now));
    }

    private Future<Optional<Caller>> evict(byte[] hash) {
        found.invalidate(ByteBuffer.wrap(hash));
        return Future.succeededFuture(Optional.empty());
    }

    private Found remember(byte[] hash, Session session, User user, Instant now) {
        Instant until = now.plus(REMEMBERED).isBefore(session.expiresAt()) ? now.plus(REMEMBERED) : session.expiresAt();
        Found known = new Found(new Caller(user.id(), session.id(), superAdministrators.permissions(user), session.organizationId().orElse(user.id())), user.grantsRevision(), now, until);
        found.put(ByteBuffer.wrap(hash), known);
        sessions.used(session.id(), now).onFailure(failed -> LOG.warn("noting the use of session {} failed: {}", session.id(), failed.getMessage()));
        return known;
    }

    private Optional<Caller> now(Found known) {
        try {
            return Optional.of(revocations.apply(known.caller, known.grantsRevision));
        } catch (InvalidToken revoked) {
            return Optional.empty();
        }
    }
}
