package io.arbitration.platform.auth;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions and permissions that were taken back while their access tokens live on. Held in memory, so that every request
 * can be checked; kept in the database, so that every node and every restart knows them. Another node's revocations arrive
 * within {@value #POLL_MILLIS} milliseconds.
 */
public final class Revocations {

    static final long POLL_MILLIS = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);

    private final RevocationRepository repository;
    private final Duration tokenLifetime;
    private final Clock clock;
    private final Map<UUID, Instant> sessions = new ConcurrentHashMap<>();
    private final Map<UserPermission, Instant> permissions = new ConcurrentHashMap<>();

    private record UserPermission(UUID userId, String permission) {}

    public Revocations(Database database, Duration tokenLifetime, Clock clock) {
        this.repository = new RevocationRepository(database);
        this.tokenLifetime = tokenLifetime;
        this.clock = clock;
    }

    /** Reads what is still of effect and keeps reading. */
    public Future<Void> start(Vertx vertx) {
        return load().onSuccess(loaded -> vertx.setPeriodic(POLL_MILLIS, timer ->
                load().onFailure(failed -> LOG.warn("reading revocations failed: {}", failed.getMessage()))));
    }

    private Future<Void> load() {
        Instant since = clock.instant().minus(tokenLifetime).minusSeconds(60);
        return repository.since(since).map(rows -> {
            rows.forEach(this::remember);
            sessions.values().removeIf(at -> at.isBefore(since));
            permissions.values().removeIf(at -> at.isBefore(since));
            return null;
        });
    }

    private void remember(RevocationRepository.Revocation row) {
        if (row.permission() == null) {
            sessions.put(row.subjectId(), row.at());
        } else {
            permissions.put(new UserPermission(row.subjectId(), row.permission()), row.at());
        }
    }

    /** Ends a session as part of the given transaction; call {@link #sessionEnded} when it has committed. */
    public Future<Void> endSession(SqlConnection transaction, UUID sessionId) {
        return repository.insert(transaction, sessionId, null, clock.instant());
    }

    public void sessionEnded(UUID sessionId) {
        sessions.put(sessionId, clock.instant());
    }

    /** Takes a permission back as part of the given transaction; call {@link #permissionTaken} when it has committed. */
    public Future<Void> takePermission(SqlConnection transaction, UUID userId, String permission) {
        return repository.insert(transaction, userId, permission, clock.instant());
    }

    public void permissionTaken(UUID userId, String permission) {
        permissions.put(new UserPermission(userId, permission), clock.instant());
    }

    /** The caller less what was taken back since its token was issued. */
    Caller apply(Caller caller, Instant issuedAt) throws InvalidToken {
        if (sessions.containsKey(caller.sessionId())) {
            throw new InvalidToken("session revoked");
        }
        if (permissions.isEmpty() || caller.permissions().isEmpty()) {
            return caller;
        }
        Set<String> left = new HashSet<>(caller.permissions());
        left.removeIf(permission -> {
            Instant taken = permissions.get(new UserPermission(caller.id(), permission));
            // Token times are whole seconds: a token of the same second may be older than the revocation.
            return taken != null && !issuedAt.isAfter(taken);
        });
        return left.size() == caller.permissions().size()
                ? caller
                : new Caller(caller.id(), caller.sessionId(), caller.organizationId(), Set.copyOf(left));
    }
}
