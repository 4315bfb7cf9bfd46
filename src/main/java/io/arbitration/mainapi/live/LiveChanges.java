package io.arbitration.mainapi.live;

import io.arbitration.mainapi.live.ChangeReaderRepository.Addressed;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.CommitNotifications;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the streams that ask for it of changes that are no events. The database notifies of them at the commit. What comes within
 * {@value #GATHERING_MILLIS} ms is gathered, equal changes once, and one query answers who may be told. A hint that gets lost is not told
 * later. Its streams are told instead that anything may have changed.
 *
 * <p>Everything here runs on the context of {@link LiveStreams}.
 */
final class LiveChanges {

    private static final String CHANNEL = "platform_changes";
    private static final long GATHERING_MILLIS = 100;
    private static final long FAILURE_PAUSE_MILLIS = 1000;
    /** Of more, nobody asks who may be told: everybody is told that anything may have changed. */
    private static final int GATHERED_MAX = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(LiveChanges.class);

    private final Vertx vertx;
    private final Context home;
    private final ChangeReaderRepository repository;
    private final AccessTokens tokens;
    private final CommitNotifications.Registration registration;
    private final Map<UUID, Set<LiveStream>> bySubscriber = new HashMap<>();
    private final Set<String> gathered = new LinkedHashSet<>();
    private boolean missed;
    private boolean isTelling;

    LiveChanges(Vertx vertx, CommitNotifications notifications, ChangeReaderRepository repository, AccessTokens tokens) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.repository = repository;
        this.tokens = tokens;
        this.registration = notifications.onEach(CHANNEL, this::learn);
    }

    void enter(LiveStream stream) {
        if (stream.subscriber().changes()) {
            bySubscriber.computeIfAbsent(stream.subscriber().id(), id -> new HashSet<>()).add(stream);
        }
    }

    void leave(LiveStream stream) {
        bySubscriber.computeIfPresent(stream.subscriber().id(), (id, streams) -> {
            streams.remove(stream);
            return streams.isEmpty() ? null : streams;
        });
    }

    /** @param payload empty: some may have been missed */
    private void learn(String payload) {
        if (bySubscriber.isEmpty()) {
            return;
        }
        if (payload.isEmpty() || gathered.size() >= GATHERED_MAX) {
            missed = true;
        } else {
            gathered.add(payload);
        }
        tellSoon(GATHERING_MILLIS);
    }

    private void tellSoon(long pauseMillis) {
        if (!isTelling) {
            isTelling = true;
            vertx.setTimer(pauseMillis, due -> tell());
        }
    }

    /** The next round begins when this one has ended, so that one query is under way at most. */
    private void tell() {
        List<Change> changes = gathered.stream().map(Change::parse).toList();
        gathered.clear();
        if (missed) {
            missed = false;
            bySubscriber.values().forEach(streams -> streams.forEach(stream -> stream.hint(Set.of(Hint.ANYTHING))));
            told(GATHERING_MILLIS);
            return;
        }
        Set<UUID> subscribers = Set.copyOf(bySubscriber.keySet());
        // A node that was suspended or cut off first reads which sessions have ended, so that their streams are told nothing more.
        tokens.catchUp().compose(read -> repository.addressed(changes, subscribers))
                .onComplete(found -> home.runOnContext(on -> {
                    deliver(found);
                    told(GATHERING_MILLIS);
                }), failure -> home.runOnContext(on -> {
                    if (Database.isUnavailable(failure)) {
                        LOG.warn("hints at changes wait for the database: {}", failure.getMessage());
                    } else {
                        LOG.error("who may be told of changes could not be read; everybody is told to read anew", failure);
                    }
                    missed = true;
                    told(FAILURE_PAUSE_MILLIS);
                }));
    }

    private void told(long pauseMillis) {
        isTelling = false;
        if (missed || !gathered.isEmpty()) {
            tellSoon(pauseMillis);
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
        return registration.end();
    }
}
