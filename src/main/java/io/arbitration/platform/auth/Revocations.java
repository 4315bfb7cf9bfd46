package io.arbitration.platform.auth;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions, permissions and memberships that were taken back while their access tokens live on. Held in memory, so that
 * every request can be checked; kept in the database, so that every node and every restart knows them. Another node's
 * revocations arrive within {@value #POLL_MILLIS} milliseconds.
 *
 * <p>What is taken from a user is ordered against that user's tokens by a revision, not by time: whole seconds and two
 * clocks could not tell a token made just before from one made just after.
 */
public final class Revocations {

    static final long POLL_MILLIS = 1000;
    private static final long FORGET_MILLIS = 600_000;
    /** How far the clock of another node may be behind, and how long its transaction may take, to be seen by the polls. */
    private static final Duration OVERLAP = Duration.ofSeconds(60);
    private static final String ORGANIZATION = "organization";
    private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);

    private final RevocationRepository repository;
    private final Duration keptFor;
    private final Clock clock;
    private final Map<UUID, Instant> sessions = new ConcurrentHashMap<>();
    private final Map<UserGrant, Taken> grants = new ConcurrentHashMap<>();

    /** @param grant name of a permission, or {@link #ORGANIZATION} for the membership */
    private record UserGrant(UUID userId, String grant) {}

    private record Taken(long revision, Instant at) {
        Taken orLater(Taken other) {
            return other.revision > revision ? other : this;
        }
    }

    private volatile OptionalLong poll = OptionalLong.empty();

    public Revocations(Database database, Duration tokenLifetime, Clock clock) {
        this.repository = new RevocationRepository(database);
        this.keptFor = tokenLifetime.plus(OVERLAP);
        this.clock = clock;
    }

    /** Reads what is still of effect and keeps reading what comes. */
    public Future<Void> start(Vertx vertx) {
        return load(clock.instant().minus(keptFor)).onSuccess(loaded -> {
            poll = OptionalLong.of(vertx.setPeriodic(POLL_MILLIS, timer -> load(clock.instant().minus(OVERLAP))
                    .onFailure(failed -> LOG.warn("reading revocations failed: {}", failed.getMessage()))));
            vertx.setPeriodic(FORGET_MILLIS, timer -> forgetOld()
                    .onFailure(failed -> LOG.warn("forgetting old revocations failed: {}", failed.getMessage())));
        });
    }

    /** Reads no more, before the database goes. */
    public void stop(Vertx vertx) {
        poll.ifPresent(vertx::cancelTimer);
    }

    private Future<Void> load(Instant since) {
        return repository.since(since).map(rows -> {
            rows.forEach(this::remember);
            return null;
        });
    }

    /** Forgets what no token alive can still be of. */
    private Future<Void> forgetOld() {
        Instant before = clock.instant().minus(keptFor);
        sessions.values().removeIf(at -> at.isBefore(before));
        grants.values().removeIf(taken -> taken.at.isBefore(before));
        return repository.deleteBefore(before).mapEmpty();
    }

    private void remember(RevocationRepository.Revocation row) {
        if (row.isOfSession()) {
            sessions.put(row.subjectId(), row.at());
        } else {
            taken(row.subjectId(), row.grant(), row.revision(), row.at());
        }
    }

    private void taken(UUID userId, String grant, long revision, Instant at) {
        grants.merge(new UserGrant(userId, grant), new Taken(revision, at), Taken::orLater);
    }

    /** Ends sessions as part of the given transaction; call {@link #sessionEnded} for each when it has committed. */
    public Future<Void> endSessions(SqlConnection transaction, Collection<UUID> sessionIds) {
        return sessionIds.isEmpty()
                ? Future.succeededFuture()
                : repository.insertSessions(transaction, sessionIds, clock.instant());
    }

    public void sessionEnded(UUID sessionId) {
        sessions.put(sessionId, clock.instant());
    }

    /**
     * Takes a permission back as part of the given transaction; call {@link #permissionTaken} when it has committed.
     *
     * @param revision the first revision of the user's grants without it
     */
    public Future<Void> takePermission(SqlConnection transaction, UUID userId, String permission, long revision) {
        return repository.insertGrant(transaction, userId, permission, revision, clock.instant());
    }

    public void permissionTaken(UUID userId, String permission, long revision) {
        taken(userId, permission, revision, clock.instant());
    }

    /** Ends a membership as part of the given transaction; call {@link #organizationTaken} when it has committed. */
    public Future<Void> takeOrganization(SqlConnection transaction, UUID userId, long revision) {
        return repository.insertGrant(transaction, userId, ORGANIZATION, revision, clock.instant());
    }

    public void organizationTaken(UUID userId, long revision) {
        taken(userId, ORGANIZATION, revision, clock.instant());
    }

    /**
     * The caller less what was taken back since its token was made.
     *
     * @param revision revision of the user's grants that the token was made at
     */
    Caller apply(Caller caller, long revision) throws InvalidToken {
        if (sessions.containsKey(caller.sessionId())) {
            throw new InvalidToken("session revoked");
        }
        if (grants.isEmpty()) {
            return caller;
        }
        Set<String> permissions = new HashSet<>(caller.permissions());
        permissions.removeIf(permission -> isTaken(caller.id(), permission, revision));
        Optional<UUID> organization = caller.organizationId().filter(id -> !isTaken(caller.id(), ORGANIZATION, revision));
        return permissions.size() == caller.permissions().size() && organization.equals(caller.organizationId())
                ? caller
                : new Caller(caller.id(), caller.sessionId(), organization, Set.copyOf(permissions));
    }

    private boolean isTaken(UUID userId, String grant, long revision) {
        Taken taken = grants.get(new UserGrant(userId, grant));
        return taken != null && revision < taken.revision;
    }
}
