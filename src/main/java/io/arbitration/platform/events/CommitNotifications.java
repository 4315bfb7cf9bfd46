package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.pgclient.PgConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls listeners of this node when a transaction commits that notifies their channel. One connection of the node listens to PostgreSQL's
 * NOTIFY and passes each notification on over the local event bus. A notification may get lost with the connection, so every listener also
 * polls every few seconds; after a reconnect, all listeners are called.
 *
 * <p>A connection to a server that has crashed may stay open without notifications. So LISTEN is repeated three times within
 * {@link Database#silence()}, and a connection that has received nothing for that time is replaced.
 */
public final class CommitNotifications {

    private static final Logger LOG = LoggerFactory.getLogger(CommitNotifications.class);
    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);
    private static final int RECONNECT_FIRST_MILLIS = 100;
    private static final int RECONNECT_LAST_MILLIS = 5000;
    private static final int DOUBLINGS_MAX = 6;
    private static final int CHECKS_IN_SILENCE = 3;

    private final Vertx vertx;
    private final Database database;
    private final Set<String> channels = new HashSet<>();
    /** The statements that have taken a lock in the session that listens; one stands here as often as its lock is held. */
    private final List<String> locking = new ArrayList<>();
    private Optional<PgConnection> listening = Optional.empty();
    private OptionalLong timer = OptionalLong.empty();
    private boolean closed;

    public CommitNotifications(Vertx vertx, Database database) {
        this.vertx = vertx;
        this.database = database;
    }

    /** Fails if the connection cannot be opened. A connection that is lost later is opened again, until {@link #close()}. */
    public Future<Void> start() {
        return database.connect().compose(this::begin);
    }

    private Future<Void> begin(PgConnection made) {
        List<String> known;
        synchronized (this) {
            if (closed) {
                return made.close();
            }
            listening = Optional.of(made);
            known = List.copyOf(channels);
            // Sent before LISTEN, and a connection executes its statements in this order.
            locking.forEach(lock -> ask(made, lock));
            startTimer(vertx.setPeriodic(database.silence().toMillis() / CHECKS_IN_SILENCE, due -> ask(made, listenTo(channels()))));
        }
        made.notificationHandler(notification -> publish(notification.getChannel(), notification.getPayload()));
        made.closeHandler(gone -> connectionLost(made));
        return listen(made, known);
    }

    private Future<Void> listen(PgConnection connection, List<String> wanted) {
        return ask(connection, listenTo(wanted)).onSuccess(heard -> wanted.forEach(this::notifyLocally));
    }

    /** A repeated LISTEN changes nothing, so this statement also checks whether the server answers. */
    private static String listenTo(List<String> wanted) {
        return wanted.isEmpty() ? "select 1" : wanted.stream().map("LISTEN \"%s\""::formatted).collect(Collectors.joining(";"));
    }

    private synchronized List<String> channels() {
        return List.copyOf(channels);
    }

    private Future<Void> ask(PgConnection connection, String statement) {
        return connection.query(statement).execute().<Void>mapEmpty().onFailure(failed -> {
            connection.close();
            connectionLost(connection);
        });
    }

    private synchronized void connectionLost(PgConnection connection) {
        if (!closed && listening.filter(connection::equals).isPresent()) {
            listening = Optional.empty();
            reconnect(0);
        }
    }

    private synchronized void reconnect(int attempt) {
        if (closed) {
            return;
        }
        long pause = Math.min(RECONNECT_LAST_MILLIS, RECONNECT_FIRST_MILLIS << Math.min(attempt, DOUBLINGS_MAX));
        LOG.warn("the connection that listens for events is lost, attempt {} to make it again in {} ms", attempt + 1, pause);
        // If the first statement on the new connection fails, the connection counts as lost.
        startTimer(vertx.setTimer(pause, due -> database.connect().onFailure(failed -> reconnect(attempt + 1)).onSuccess(this::begin)));
    }

    /** Replaces the timer before. */
    private void startTimer(long next) {
        timer.ifPresent(vertx::cancelTimer);
        timer = OptionalLong.of(next);
    }

    /** Calls the listener on the context of this call after each commit that notifies the channel, and after a notification may have been lost. */
    public Registration on(String channel, Runnable listener) {
        return onEach(channel, payload -> listener.run());
    }

    /**
     * Calls the listener on the context of this call with the payload of each notification of the channel, and with an empty text after
     * notifications may have been lost.
     */
    public synchronized Registration onEach(String channel, Consumer<String> listener) {
        MessageConsumer<String> consumer = vertx.eventBus().localConsumer(address(channel), message -> listener.accept(message.body()));
        if (channels.add(channel)) {
            listening.ifPresent(connection -> listen(connection, List.of(channel)));
        }
        return consumer::unregister;
    }

    /**
     * Executes a statement that takes a lock in the session that listens, now and again in each session that replaces it, before listeners
     * learn that notifications may have been lost. So whoever writes can see by the lock that somebody listens. Each listener that holds the
     * lock takes it, so that it is held until the last one has released it.
     *
     * @return completes when the lock is held; if there is no such session now, at once
     */
    public synchronized Future<Void> hold(String lock) {
        locking.add(lock);
        return listening.map(connection -> ask(connection, lock)).orElseGet(Future::succeededFuture);
    }

    /** @param unlock releases what this statement took */
    public synchronized void release(String lock, String unlock) {
        if (locking.remove(lock)) {
            listening.ifPresent(connection -> ask(connection, unlock));
        }
    }

    /** Calls only the listeners of this node. */
    public void notifyLocally(String channel) {
        publish(channel, "");
    }

    private void publish(String channel, String payload) {
        vertx.eventBus().publish(address(channel), payload, LOCAL);
    }

    public synchronized Future<Void> close() {
        closed = true;
        timer.ifPresent(vertx::cancelTimer);
        return listening.map(PgConnection::close).orElseGet(Future::succeededFuture);
    }

    /** A listener that can be removed. */
    @FunctionalInterface
    public interface Registration {
        Future<Void> end();
    }

    private static String address(String channel) {
        return "commits." + channel;
    }
}
