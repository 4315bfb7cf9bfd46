package io.arbitration.platform.auth;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.Freshness;
import io.arbitration.platform.events.CommitNotifications;
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
 * Sessions and permissions that were taken back while their access tokens live on. Held in memory, so that every request can
 * be checked; kept in the database, so that every node and every restart knows them. Another node's revocations are read as
 * soon as their commit is notified, and by a poll every {@value Freshness#POLL_MILLIS} milliseconds that reads all since the last one
 * that succeeded. A node that was stopped or cut off reads what it missed before it lets anybody in again ({@link #caughtUp}).
 *
 * <p>What is taken from a user is ordered against that user's tokens by a revision, not by time: whole seconds and two
 * clocks could not tell a token made just before from one made just after.
 */
public final class Revocations {

    static final String CHANNEL = "platform_revocations";
    private static final long FORGET_MILLIS = 600_000;
    /** How far the clock of another node may be behind, and how long its transaction may take, to be seen by the polls. */
    private static final Duration OVERLAP = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);

    private final RevocationRepository repository;
    private final Duration keptFor;
    private final Clock clock;
    private final Map<UUID, Instant> sessions = new ConcurrentHashMap<>();
    private final Map<UUID, Instant> planned = new ConcurrentHashMap<>();
    private final Map<UserGrant, Taken> grants = new ConcurrentHashMap<>();
    private final Map<UUID, Set<Runnable>> watches = new ConcurrentHashMap<>();

    /** @param grant name of a permission */
    private record UserGrant(UUID userId, String grant) {}

    private record Taken(long revision, Instant at) {
        Taken orLater(Taken other) {
            return other.revision > revision ? other : this;
        }
    }

    private volatile OptionalLong poll = OptionalLong.empty();
    private volatile Optional<Instant> readAt = Optional.empty();
    private final Freshness freshness;

    public Revocations(Database database, Duration tokenLifetime, Clock clock) {
        this.repository = new RevocationRepository(database);
        this.keptFor = tokenLifetime.plus(OVERLAP);
        this.clock = clock;
        this.freshness = new Freshness("revocations", this::read, clock);
    }

    /** Reads what is still of effect and keeps reading what comes. */
    public Future<Void> start(Vertx vertx) {
        return freshness.next().onSuccess(loaded -> {
            poll = OptionalLong.of(vertx.setPeriodic(Freshness.POLL_MILLIS, timer -> freshness.poll()));
            vertx.setPeriodic(FORGET_MILLIS, timer -> forgetOld()
                    .onFailure(failed -> LOG.warn("removing old revocations failed: {}", failed.getMessage())));
        });
    }

    /** From now on also reads as soon as another node has taken something back. */
    public void listen(CommitNotifications notifications) {
        notifications.on(CHANNEL, freshness::next);
    }

    /** Reads no more, before the database goes. */
    public void stop(Vertx vertx) {
        poll.ifPresent(vertx::cancelTimer);
    }

    private Future<Void> read() {
        Instant now = clock.instant();
        Instant since = readAt.map(last -> last.isBefore(now) ? last : now).map(at -> at.minus(OVERLAP)).orElse(now.minus(keptFor));
        // What was taken back since the last read may have been forgotten again by another node.
        boolean tooLate = readAt.isPresent() && readAt.get().plus(keptFor).minus(OVERLAP).isBefore(now);
        return repository.since(since).map(rows -> {
            rows.forEach(this::remember);
            if (tooLate) {
                endAllWatched();
            }
            readAt = Optional.of(now);
            return null;
        });
    }

    /** Whoever still may come again, with a token or cookie that is checked anew. */
    private void endAllWatched() {
        LOG.warn("this node has not read revocations for too long, and breaks off the requests of {} sessions", watches.size());
        watches.values().forEach(watching -> watching.forEach(Runnable::run));
    }

    /** Whether this node has read lately, so that nothing that was taken back is missing here. From any thread. */
    public boolean isCaughtUp() {
        return freshness.isFresh();
    }

    /** Done when this node knows all that was taken back until it was asked; fails when the database does not answer. */
    public Future<Void> caughtUp() {
        return freshness.caughtUp();
    }

    /** Forgets what no token alive can still be of. */
    private Future<Void> forgetOld() {
        Instant before = clock.instant().minus(keptFor);
        sessions.values().removeIf(at -> at.isBefore(before));
        planned.values().removeIf(at -> at.isBefore(before));
        grants.values().removeIf(taken -> taken.at.isBefore(before));
        // The clock of a node that has yet to read them may be behind this one's.
        return repository.deleteBefore(before.minus(OVERLAP)).mapEmpty();
    }

    private void remember(RevocationRepository.Revocation row) {
        if (row.isOfSession()) {
            ends(row.subjectId(), row.at());
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
                : repository.insertSessions(transaction, sessionIds, clock.instant(), false);
    }

    /** The same for one that ends at a time to come; call {@link #sessionEnds} when it has committed. */
    public Future<Void> endSession(SqlConnection transaction, UUID sessionId, Instant at) {
        return repository.insertSessions(transaction, Set.of(sessionId), at, true);
    }

    public void sessionEnded(UUID sessionId) {
        ended(sessionId, clock.instant());
    }

    public void sessionEnds(UUID sessionId, Instant at) {
        ends(sessionId, at);
    }

    /** What is to come is read again by each poll, so that its watches are told within {@value Freshness#POLL_MILLIS} ms after its time. */
    private void ends(UUID sessionId, Instant at) {
        if (at.isAfter(clock.instant())) {
            planned.put(sessionId, at);
        } else {
            ended(sessionId, at);
        }
    }

    private void ended(UUID sessionId, Instant at) {
        sessions.put(sessionId, at);
        watches.getOrDefault(sessionId, Set.of()).forEach(Runnable::run);
    }

    /** Whether a session has ended since any of its tokens was made. */
    public boolean hasEnded(UUID sessionId) {
        if (sessions.containsKey(sessionId)) {
            return true;
        }
        Instant at = planned.get(sessionId);
        return at != null && !at.isAfter(clock.instant());
    }

    /**
     * Tells what takes its time of the end of the session that it began under; also when this node was cut off for so long that it cannot
     * know any more whether the session has ended.
     *
     * @param then runs at the end, perhaps several times, on any thread
     * @return ends the watch
     */
    public Runnable watch(UUID sessionId, Runnable then) {
        watches.compute(sessionId, (id, those) -> {
            Set<Runnable> watching = those == null ? ConcurrentHashMap.newKeySet() : those;
            watching.add(then);
            return watching;
        });
        if (hasEnded(sessionId)) {
            then.run();
        }
        return () -> watches.computeIfPresent(sessionId, (id, watching) -> {
            watching.remove(then);
            return watching.isEmpty() ? null : watching;
        });
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

    /**
     * The caller less what was taken back since its token was made.
     *
     * @param revision revision of the user's grants that the token was made at
     */
    public Caller apply(Caller caller, long revision) throws InvalidToken {
        if (hasEnded(caller.sessionId())) {
            throw new InvalidToken("session revoked");
        }
        if (grants.isEmpty()) {
            return caller;
        }
        Set<String> permissions = new HashSet<>(caller.permissions());
        permissions.removeIf(permission -> isTaken(caller.id(), permission, revision));
        return permissions.size() == caller.permissions().size() ? caller
                : new Caller(caller.id(), caller.sessionId(), Set.copyOf(permissions), caller.tenant());
    }

    private boolean isTaken(UUID userId, String grant, long revision) {
        Taken taken = grants.get(new UserGrant(userId, grant));
        return taken != null && revision < taken.revision;
    }
}
