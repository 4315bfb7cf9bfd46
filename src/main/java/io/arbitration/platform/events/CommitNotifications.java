package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.pgclient.pubsub.PgSubscriber;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies listeners of this node when a transaction with news for them was committed. One connection of the node listens to
 * PostgreSQL's NOTIFY and passes each notification on over the local event bus. A notification may get lost with the
 * connection, so every listener also polls every few seconds; when the connection is back, all listeners are notified.
 */
public final class CommitNotifications {

    private static final Logger LOG = LoggerFactory.getLogger(CommitNotifications.class);
    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);
    private static final long RECONNECT_FIRST_MILLIS = 100;
    private static final long RECONNECT_LAST_MILLIS = 5000;

    private final Vertx vertx;
    private final PgSubscriber subscriber;
    private final Set<String> channels = new HashSet<>();

    public CommitNotifications(Vertx vertx, Database database) {
        this.vertx = vertx;
        this.subscriber = PgSubscriber.subscriber(vertx, database.connection())
                .reconnectPolicy(attempt -> {
                    long pause = Math.min(RECONNECT_LAST_MILLIS, RECONNECT_FIRST_MILLIS << Math.min(attempt, 10));
                    LOG.warn("the connection that listens for events is lost, attempt {} to make it again in {} ms", attempt + 1, pause);
                    return pause;
                });
    }

    public Future<Void> start() {
        return subscriber.connect();
    }

    /** Calls the listener, on the context of this call, after each commit that notifies the channel, and when one may have been missed. */
    public synchronized Registration on(String channel, Runnable listener) {
        MessageConsumer<Object> consumer = vertx.eventBus().localConsumer(address(channel), message -> listener.run());
        if (channels.add(channel)) {
            subscriber.channel(channel)
                    .subscribeHandler(listening -> notifyLocally(channel))
                    .handler(payload -> notifyLocally(channel));
        }
        return consumer::unregister;
    }

    /** Notifies the listeners of this node alone. */
    public void notifyLocally(String channel) {
        vertx.eventBus().publish(address(channel), "", LOCAL);
    }

    public Future<Void> close() {
        return subscriber.close();
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
