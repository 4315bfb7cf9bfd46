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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions and permissions that were taken back while their access tokens live on. Held in memory, so that every request can
 * be checked; kept in the database, so that every node and every restart knows them. Another node's revocations are read as
 * soon as their commit is notified, and by a poll every {@value Freshness#POLL_MILLIS} milliseconds that reads all since the last one
 * that succeeded. A node that was stopped or cut off reads what it missed before it lets anybody in again ({@link #caughtUp}).
 *
 * <p>A bounded number is held. Of more, the oldest are forgotten: whoever was checked before them is looked up in the database
 * ({@link #mayHaveForgotten}), so that nobody is let in for lack of room, and nobody refused.
 *
 * <p>What is taken from a user is ordered against that user's tokens by a revision, not by time: whole seconds and two
 * clocks could not tell a token made just before from one made just after.
 */
public final class Revocations {

    static final String CHANNEL = "platform_revocations";
    private static final long FORGET_MILLIS = 600_000;
    /** How far the clock of another node may be behind, and how long its transaction may take, to be seen by the polls. */
    private static final Duration OVERLAP = Duration.ofSeconds(60);
    static final int PAGE = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);

    private final RevocationRepository repository;
    private final Duration keptFor;
    private final int heldMax;
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
    /** What was taken back until then may be held no more. */
    private volatile Optional<Instant> forgotten = Optional.empty();
    private final Freshness freshness;

    /** @param heldMax in memory; when there are more, the older ones are forgotten until half as many are left */
    public Revocations(Database database, Duration tokenLifetime, int heldMax, Clock clock) {
        this.repository = new RevocationRepository(database);
        this.keptFor = tokenLifetime.plus(OVERLAP);
        this.heldMax = heldMax;
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
        // What is planned for later than that is read when its time is near.
        return readPages(since, RevocationRepository.Position.justAfter(now.plus(OVERLAP)), 0).map(all -> {
            if (tooLate || !all && readAt.isPresent()) {
                endAllWatched();
            }
            forgetOldest();
            readAt = Optional.of(now);
            return null;
        });
    }

    /** Whether all was read; not when there is more than may be held. */
    private Future<Boolean> readPages(Instant since, RevocationRepository.Position before, int read) {
        return repository.page(since, before, PAGE).compose(rows -> {
            rows.forEach(this::remember);
            if (rows.size() < PAGE) {
                return Future.succeededFuture(true);
            }
            if (read + rows.size() >= heldMax) {
                forgetUntil(rows.getLast().at());
                return Future.succeededFuture(false);
            }
            return readPages(since, RevocationRepository.Position.of(rows.getLast()), read + rows.size());
        });
    }

    private void forgetOldest() {
        if (held() <= heldMax) {
            return;
        }
        long[] times = Stream.of(sessions.values().stream(), planned.values().stream(), grants.values().stream().map(Taken::at))
                .flatMap(held -> held).mapToLong(Instant::toEpochMilli).sorted().toArray();
        forgetUntil(Instant.ofEpochMilli(times[Math.max(0, times.length - heldMax / 2 - 1)] + 1));
    }

    private void forgetUntil(Instant until) {
        forgotten = forgotten.filter(before -> before.isAfter(until)).or(() -> Optional.of(until));
        sessions.values().removeIf(at -> !at.isAfter(until));
        planned.values().removeIf(at -> !at.isAfter(until));
        grants.values().removeIf(taken -> !taken.at.isAfter(until));
    }

    /** Ended sessions and lost permissions that are held in memory. */
    int held() {
        return sessions.size() + planned.size() + grants.size();
    }

    /**
     * Whether something may have been forgotten that was taken back after a caller was known to be good; then {@link #ask} tells.
     *
     * @param knownAt when its token was made, or the database was asked
     */
    public boolean mayHaveForgotten(Instant knownAt) {
        Optional<Instant> until = forgotten;
        // The clock of the node which took it back may be behind, and its transaction may have taken its time.
        return until.isPresent() && !knownAt.isAfter(until.get().plus(OVERLAP));
    }

    /** As {@link #apply} with what the database knows; empty when the session has ended. */
    Future<Optional<Caller>> ask(Caller caller, long revision) {
        return repository.of(caller.sessionId(), caller.id()).map(rows -> {
            boolean ended = rows.stream().anyMatch(row -> row.isOfSession() && row.subjectId().equals(caller.sessionId())
                    && (!row.isPlanned() || !row.at().isAfter(clock.instant())));
            Set<String> lost = rows.stream().filter(row -> !row.isOfSession() && row.subjectId().equals(caller.id()) && revision < row.revision())
                    .map(RevocationRepository.Revocation::grant).collect(Collectors.toSet());
            return ended ? Optional.empty() : Optional.of(without(caller, lost::contains));
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
        forgotten = forgotten.filter(until -> !until.isBefore(before));
        // The clock of a node that has yet to read them may be behind this one's.
        return repository.deleteBefore(before.minus(OVERLAP)).mapEmpty();
    }

    private void remember(RevocationRepository.Revocation row) {
        if (row.isOfSession() && row.isPlanned()) {
            ends(row.subjectId(), row.at());
        } else if (row.isOfSession()) {
            ended(row.subjectId(), row.at());
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
        Instant now = clock.instant();
        if (!at.isAfter(now)) {
            ended(sessionId, at);
        } else if (!at.isAfter(now.plus(OVERLAP))) {
            planned.put(sessionId, at);
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
        return without(caller, permission -> isTaken(caller.id(), permission, revision));
    }

    private static Caller without(Caller caller, Predicate<String> lost) {
        Set<String> permissions = new HashSet<>(caller.permissions());
        permissions.removeIf(lost);
        return permissions.size() == caller.permissions().size() ? caller
                : new Caller(caller.id(), caller.sessionId(), Set.copyOf(permissions), caller.tenant());
    }

    private boolean isTaken(UUID userId, String grant, long revision) {
        Taken taken = grants.get(new UserGrant(userId, grant));
        return taken != null && revision < taken.revision;
    }
}
