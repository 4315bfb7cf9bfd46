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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Revoked sessions and permissions whose access tokens have not expired yet. They are held in memory, so that every request can
 * be checked, and in the database, so that every node knows them, also after a restart. A node reads revocations of other nodes
 * when it is notified of their commit, and by a poll every {@value Freshness#POLL_MILLIS} milliseconds that reads everything
 * since the last successful one. A node that was suspended or cut off reads what it has missed before it accepts tokens again
 * ({@link #catchUp}).
 *
 * <p>A bounded number is held. Beyond it, the oldest are discarded: callers that were checked before them are looked up in the
 * database ({@link #mayHaveEvicted}), so that the bound neither admits nor refuses anybody wrongly.
 *
 * <p>Revoked permissions of a user are compared with that user's tokens by a revision, not by time: whole seconds and two clocks
 * could not distinguish a token issued just before from one issued just after.
 */
public final class Revocations {

    static final String CHANNEL = "platform_revocations";
    private static final long FORGET_MILLIS = 600_000;
    /**
     * By how much the clock of another node may be behind, and its transaction may take, so that the polls still read its
     * revocations.
     */
    private static final Duration OVERLAP = Duration.ofSeconds(60);
    static final int PAGE = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);

    private final RevocationRepository repository;
    private final Duration keptFor;
    private final int heldMax;
    private final Clock clock;
    private final Map<UUID, Instant> sessions = new ConcurrentHashMap<>();
    private final Map<UUID, Instant> planned = new ConcurrentHashMap<>();
    private final Map<UserGrant, RevokedGrant> grants = new ConcurrentHashMap<>();
    private final Map<UUID, Set<Runnable>> watches = new ConcurrentHashMap<>();

    /** @param grant name of a permission */
    private record UserGrant(UUID userId, String grant) {}

    private record RevokedGrant(long revision, Instant at) {
        RevokedGrant orLater(RevokedGrant other) {
            return other.revision > revision ? other : this;
        }
    }

    private volatile OptionalLong poll = OptionalLong.empty();
    private volatile Optional<Instant> readAt = Optional.empty();
    /** Revocations up to this time may no longer be in memory. */
    private final AtomicReference<Optional<Instant>> evictedUntil = new AtomicReference<>(Optional.empty());
    private final Freshness freshness;

    /** @param heldMax in memory; beyond it, the oldest are discarded until half are left */
    public Revocations(Database database, Duration tokenLifetime, int heldMax, Clock clock) {
        this.repository = new RevocationRepository(database);
        this.keptFor = tokenLifetime.plus(OVERLAP);
        this.heldMax = heldMax;
        this.clock = clock;
        this.freshness = new Freshness("revocations", this::read, clock);
    }

    /** Reads the revocations that are still effective, and continues to read new ones. */
    public Future<Void> start(Vertx vertx) {
        return freshness.next().onSuccess(loaded -> {
            poll = OptionalLong.of(vertx.setPeriodic(Freshness.POLL_MILLIS, timer -> freshness.poll()));
            vertx.setPeriodic(FORGET_MILLIS, timer -> deleteExpired()
                    .onFailure(failed -> LOG.warn("removing old revocations failed: {}", failed.getMessage())));
        });
    }

    /** From now on also reads as soon as another node has committed a revocation. */
    public void listen(CommitNotifications notifications) {
        notifications.on(CHANNEL, freshness::next);
    }

    /** Stops reading, before the database is closed. */
    public void stop(Vertx vertx) {
        poll.ifPresent(vertx::cancelTimer);
    }

    private Future<Void> read() {
        Instant now = clock.instant();
        Instant since = readAt.map(last -> last.isBefore(now) ? last : now).map(at -> at.minus(OVERLAP)).orElse(now.minus(keptFor));
        // Another node may have deleted revocations that were made since the last read.
        boolean tooLate = readAt.isPresent() && readAt.get().plus(keptFor).minus(OVERLAP).isBefore(now);
        // Ends that are planned for later are read when they are near.
        return readPages(since, RevocationRepository.Position.justAfter(now.plus(OVERLAP)), 0).map(all -> {
            if (tooLate || !all && readAt.isPresent()) {
                endAllWatched();
            }
            evictOldest();
            readAt = Optional.of(now);
            return null;
        });
    }

    /** Whether all were read; false if there are more than may be held. */
    private Future<Boolean> readPages(Instant since, RevocationRepository.Position before, int read) {
        return repository.page(since, before, PAGE).compose(rows -> {
            rows.forEach(this::remember);
            if (rows.size() < PAGE) {
                return Future.succeededFuture(true);
            }
            if (read + rows.size() >= heldMax) {
                evictUntil(rows.getLast().at());
                return Future.succeededFuture(false);
            }
            return readPages(since, RevocationRepository.Position.of(rows.getLast()), read + rows.size());
        });
    }

    private void evictOldest() {
        if (held() <= heldMax) {
            return;
        }
        long[] times = Stream.of(sessions.values().stream(), planned.values().stream(), grants.values().stream().map(RevokedGrant::at))
                .flatMap(held -> held).mapToLong(Instant::toEpochMilli).sorted().toArray();
        evictUntil(Instant.ofEpochMilli(times[Math.max(0, times.length - heldMax / 2 - 1)] + 1));
    }

    private void evictUntil(Instant until) {
        evictedUntil.updateAndGet(known -> known.filter(before -> before.isAfter(until)).or(() -> Optional.of(until)));
        sessions.values().removeIf(at -> !at.isAfter(until));
        planned.values().removeIf(at -> !at.isAfter(until));
        grants.values().removeIf(taken -> !taken.at.isAfter(until));
    }

    /** Ended sessions and lost permissions in memory. */
    int held() {
        return sessions.size() + planned.size() + grants.size();
    }

    /**
     * Whether a revocation may have been discarded that was made after the caller was known to be valid; then {@link #ask}
     * decides.
     *
     * @param knownAt when its token was issued, or the database was queried
     */
    public boolean mayHaveEvicted(Instant knownAt) {
        Optional<Instant> until = evictedUntil.get();
        // The clock of the revoking node may be behind, and its transaction may have taken some time.
        return until.isPresent() && !knownAt.isAfter(until.get().plus(OVERLAP));
    }

    /** Like {@link #apply}, with the revocations in the database; empty if the session has ended. */
    Future<Optional<Caller>> ask(Caller caller, long revision) {
        return repository.of(caller.sessionId(), caller.id()).map(rows -> {
            boolean ended = rows.stream().anyMatch(row -> row.isOfSession() && row.subjectId().equals(caller.sessionId())
                    && (!row.isPlanned() || !row.at().isAfter(clock.instant())));
            Set<String> lost = rows.stream().filter(row -> !row.isOfSession() && row.subjectId().equals(caller.id()) && revision < row.revision())
                    .map(RevocationRepository.Revocation::grant).collect(Collectors.toSet());
            return ended ? Optional.empty() : Optional.of(without(caller, lost::contains));
        });
    }

    /** Valid callers can come again, with a token or cookie that is checked anew. */
    private void endAllWatched() {
        LOG.warn("this node has not read revocations for too long, and breaks off the requests of {} sessions", watches.size());
        watches.values().forEach(watching -> watching.forEach(Runnable::run));
    }

    /** Whether this node has read recently, so that no revocation is missing here. From any thread. */
    public boolean isCaughtUp() {
        return freshness.isFresh();
    }

    /** Completes when this node knows all revocations from before this call; fails if the database does not answer. */
    public Future<Void> catchUp() {
        return freshness.catchUp();
    }

    /** Deletes revocations that cannot concern an unexpired token any more. */
    private Future<Void> deleteExpired() {
        Instant before = clock.instant().minus(keptFor);
        sessions.values().removeIf(at -> at.isBefore(before));
        planned.values().removeIf(at -> at.isBefore(before));
        grants.values().removeIf(taken -> taken.at.isBefore(before));
        evictedUntil.updateAndGet(known -> known.filter(until -> !until.isBefore(before)));
        // The clock of a node that has not read them yet may be behind this one's.
        return repository.deleteBefore(before.minus(OVERLAP)).mapEmpty();
    }

    private void remember(RevocationRepository.Revocation row) {
        if (row.isOfSession() && row.isPlanned()) {
            rememberPlanned(row.subjectId(), row.at());
        } else if (row.isOfSession()) {
            rememberEnded(row.subjectId(), row.at());
        } else {
            addRevokedGrant(row.subjectId(), row.grant(), row.revision(), row.at());
        }
    }

    private void addRevokedGrant(UUID userId, String grant, long revision, Instant at) {
        grants.merge(new UserGrant(userId, grant), new RevokedGrant(revision, at), RevokedGrant::orLater);
    }

    /** Ends sessions as part of the given transaction; call {@link #sessionEnded} for each when it has committed. */
    public Future<Void> endSessions(SqlConnection transaction, Collection<UUID> sessionIds) {
        return sessionIds.isEmpty()
                ? Future.succeededFuture()
                : repository.insertSessions(transaction, sessionIds, clock.instant(), false);
    }

    /** The same for a planned end; call {@link #endPlanned} when it has committed. */
    public Future<Void> planEnd(SqlConnection transaction, UUID sessionId, Instant at) {
        return repository.insertSessions(transaction, Set.of(sessionId), at, true);
    }

    /** The end of a session has committed. */
    public void sessionEnded(UUID sessionId) {
        rememberEnded(sessionId, clock.instant());
    }

    /** The planned end of a session has committed. */
    public void endPlanned(UUID sessionId, Instant at) {
        rememberPlanned(sessionId, at);
    }

    /**
     * Each poll reads planned ends again, so that watchers are called within {@value Freshness#POLL_MILLIS} ms after the planned
     * time.
     */
    private void rememberPlanned(UUID sessionId, Instant at) {
        Instant now = clock.instant();
        if (!at.isAfter(now)) {
            rememberEnded(sessionId, at);
        } else if (!at.isAfter(now.plus(OVERLAP))) {
            planned.put(sessionId, at);
        }
    }

    private void rememberEnded(UUID sessionId, Instant at) {
        sessions.put(sessionId, at);
        watches.getOrDefault(sessionId, Set.of()).forEach(Runnable::run);
    }

    /** Whether a session has ended since any of its tokens was issued. */
    public boolean hasEnded(UUID sessionId) {
        if (sessions.containsKey(sessionId)) {
            return true;
        }
        Instant at = planned.get(sessionId);
        return at != null && !at.isAfter(clock.instant());
    }

    /**
     * Notifies long work of the end of the session under which it began; also if this node was cut off for so long that it cannot
     * know whether the session has ended.
     *
     * @param then called at the end, perhaps several times, on any thread
     * @return a function that ends the watch
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
     * Revokes a permission as part of the given transaction; call {@link #permissionTaken} when it has committed.
     *
     * @param revision the first revision of the user's grants without it
     */
    public Future<Void> takePermission(SqlConnection transaction, UUID userId, String permission, long revision) {
        return repository.insertGrant(transaction, userId, permission, revision, clock.instant());
    }

    public void permissionTaken(UUID userId, String permission, long revision) {
        addRevokedGrant(userId, permission, revision, clock.instant());
    }

    /**
     * The caller without what was revoked since its token was issued.
     *
     * @param revision revision of the user's grants at which the token was issued
     */
    public Caller apply(Caller caller, long revision) throws InvalidToken {
        if (hasEnded(caller.sessionId())) {
            throw new InvalidToken("session revoked");
        }
        if (grants.isEmpty()) {
            return caller;
        }
        return without(caller, permission -> isTaken(caller.id(), permission, revision));
    }

    private static Caller without(Caller caller, Predicate<String> lost) {
        Set<String> permissions = new HashSet<>(caller.permissions());
        permissions.removeIf(lost);
        return permissions.size() == caller.permissions().size() ? caller
                : new Caller(caller.id(), caller.sessionId(), Set.copyOf(permissions), caller.tenant());
    }

    private boolean isTaken(UUID userId, String grant, long revision) {
        RevokedGrant taken = grants.get(new UserGrant(userId, grant));
        return taken != null && revision < taken.revision;
    }
}
