package io.arbitration.mainapi.live;

import io.arbitration.mainapi.live.ChangeReaderRepository.Addressed;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.CommitNotifications;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends hints at changes that are no events to the streams that ask for them. The database notifies of them at the commit, while any node has such a
 * stream. What comes within {@value #GATHERING_MILLIS} ms is gathered, equal changes once, and one query answers who may know of them. A hint
 * that gets lost is not repeated. Its streams get a hint instead that anything may have changed.
 *
 * <p>Everything here runs on the context of {@link LiveStreams}.
 */
final class LiveChanges {

    private static final String CHANNEL = "platform_changes";
    private static final String FOLLOW = "select platform.follow_changes()";
    private static final String UNFOLLOW = "select platform.unfollow_changes()";
    private static final long GATHERING_MILLIS = 100;
    private static final long FAILURE_PAUSE_MILLIS = 1000;
    /** Of more, no rights are read: every stream gets the hint that anything may have changed. */
    private static final int GATHERED_MAX = 1000;
    /** A stream opens after so long even if transactions that wrote before have not ended. */
    private static final long WRITERS_MILLIS_MAX = 1000;
    private static final long WRITERS_PAUSE_MILLIS = 20;
    /** Longer than the time between {@link #follow} and {@link #enter}. */
    private static final long UNFOLLOW_MILLIS = 3000;
    private static final Logger LOG = LoggerFactory.getLogger(LiveChanges.class);

    private final Vertx vertx;
    private final Context home;
    private final CommitNotifications notifications;
    private final ChangeReaderRepository repository;
    private final AccessTokens tokens;
    private final CommitNotifications.Registration registration;
    private final Map<UUID, Set<LiveStream>> bySubscriber = new HashMap<>();
    private final Set<Change> gathered = new LinkedHashSet<>();
    /** Completes when the database notifies this node; empty while no stream asks for changes. */
    private Optional<Future<Void>> following = Optional.empty();
    private long followed;
    private boolean missed;
    private boolean isScheduled;

    LiveChanges(Vertx vertx, CommitNotifications notifications, ChangeReaderRepository repository, AccessTokens tokens) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.notifications = notifications;
        this.repository = repository;
        this.tokens = tokens;
        this.registration = notifications.onEach(CHANNEL, this::learn);
    }

    /**
     * Completes when every change that commits from then on is notified to this node. If transactions that wrote before take too long, it
     * completes earlier, and every stream gets the hint that anything may have changed when they have ended.
     */
    Future<Void> follow() {
        if (following.isEmpty()) {
            // If the session that listens is lost, its successor takes the lock, and then every stream gets the hint that anything may have changed.
            following = Optional.of(notifications.hold(FOLLOW).otherwiseEmpty().compose(held -> awaitEarlierWriters()));
        }
        unfollowLater();
        return following.get();
    }

    void enter(LiveStream stream) {
        if (stream.subscriber().changes()) {
            bySubscriber.computeIfAbsent(stream.subscriber().id(), id -> new HashSet<>()).add(stream);
            follow();
        }
    }

    void leave(LiveStream stream) {
        bySubscriber.computeIfPresent(stream.subscriber().id(), (id, streams) -> {
            streams.remove(stream);
            return streams.isEmpty() ? null : streams;
        });
        unfollowLater();
    }

    /** A page that is loaded anew leaves and enters, so the end waits a little. */
    private void unfollowLater() {
        long asked = ++followed;
        if (bySubscriber.isEmpty() && following.isPresent()) {
            vertx.setTimer(UNFOLLOW_MILLIS, due -> {
                if (asked == followed) {
                    unfollow();
                }
            });
        }
    }

    private void unfollow() {
        if (following.isPresent()) {
            following = Optional.empty();
            notifications.release(FOLLOW, UNFOLLOW);
        }
    }

    /** A transaction that wrote before this node followed may commit later without a notification. */
    private Future<Void> awaitEarlierWriters() {
        Promise<Void> awaited = Promise.promise();
        home.runOnContext(on -> {
            long bound = vertx.setTimer(WRITERS_MILLIS_MAX, late -> awaited.tryComplete());
            earlierWritersEnd().onSuccess(ended -> {
                vertx.cancelTimer(bound);
                if (!awaited.tryComplete()) {
                    hintAtAnything();
                }
            });
        });
        return awaited.future();
    }

    private Future<Void> earlierWritersEnd() {
        Promise<Void> ended = Promise.promise();
        lookForWriters(Optional.empty(), ended);
        return ended.future();
    }

    /** @param earlier those that were found before; empty at first: then all that are under way */
    private void lookForWriters(Optional<Set<String>> earlier, Promise<Void> ended) {
        repository.writers().onComplete(found -> home.runOnContext(on -> {
            Set<String> left = earlier.map(names -> names.stream().filter(found::contains).collect(Collectors.toSet())).orElse(found);
            if (left.isEmpty()) {
                ended.complete();
            } else {
                vertx.setTimer(WRITERS_PAUSE_MILLIS, due -> lookForWriters(Optional.of(left), ended));
            }
        }), failure -> home.runOnContext(on -> {
            LOG.warn("hints at changes: the transactions under way could not be read, which is tried again in {} ms: {}", FAILURE_PAUSE_MILLIS, failure.getMessage());
            vertx.setTimer(FAILURE_PAUSE_MILLIS, due -> lookForWriters(earlier, ended));
        }));
    }

    private void hintAtAnything() {
        missed = true;
        schedule(GATHERING_MILLIS);
    }

    /** @param payload empty: some may have been missed */
    private void learn(String payload) {
        if (payload.isEmpty()) {
            // Also while the first stream is about to enter.
            following.ifPresent(now -> awaitEarlierWriters().onSuccess(ended -> hintAtAnything()));
            return;
        }
        if (bySubscriber.isEmpty()) {
            return;
        }
        Optional<Change> change = Change.parse(payload);
        if (change.isEmpty()) {
            LOG.warn("a notification of a change has an unknown form; every stream gets the hint that anything may have changed");
        }
        if (change.isEmpty() || gathered.size() >= GATHERED_MAX) {
            missed = true;
        } else {
            gathered.add(change.get());
        }
        schedule(GATHERING_MILLIS);
    }

    private void schedule(long pauseMillis) {
        if (!isScheduled) {
            isScheduled = true;
            vertx.setTimer(pauseMillis, due -> sendHints());
        }
    }

    /** The next round begins when this one has ended, so that one query is under way at most. */
    private void sendHints() {
        List<Change> changes = List.copyOf(gathered);
        gathered.clear();
        if (missed) {
            missed = false;
            bySubscriber.values().forEach(streams -> streams.forEach(stream -> stream.hint(Set.of(Hint.ANYTHING))));
            endRound(GATHERING_MILLIS);
            return;
        }
        Set<UUID> subscribers = Set.copyOf(bySubscriber.keySet());
        // A node that was suspended or cut off first reads which sessions have ended, so that their streams get nothing more.
        tokens.catchUp().compose(read -> repository.addressed(changes, subscribers))
                .onComplete(found -> home.runOnContext(on -> {
                    deliver(found);
                    endRound(GATHERING_MILLIS);
                }), failure -> home.runOnContext(on -> {
                    if (Database.isUnavailable(failure)) {
                        LOG.warn("hints at changes wait for the database: {}", failure.getMessage());
                    } else {
                        LOG.error("the readers of changes could not be read; every stream gets the hint that anything may have changed", failure);
                    }
                    missed = true;
                    endRound(FAILURE_PAUSE_MILLIS);
                }));
    }

    private void endRound(long pauseMillis) {
        isScheduled = false;
        if (missed || !gathered.isEmpty()) {
            schedule(pauseMillis);
        }
    }

    private void deliver(List<Addressed> found) {
        Map<UUID, Set<Hint>> hints = new HashMap<>();
        found.forEach(one -> one.readers().forEach(reader -> hints.computeIfAbsent(reader, id -> new LinkedHashSet<>()).add(one.hint())));
        hints.forEach((reader, ofReader) -> bySubscriber.getOrDefault(reader, Set.of()).forEach(stream -> {
            List<Hint> followed = ofReader.stream().filter(stream::follows).toList();
            if (!followed.isEmpty()) {
                stream.hint(followed);
            }
        }));
    }

    Future<Void> stop() {
        unfollow();
        return registration.end();
    }
}
