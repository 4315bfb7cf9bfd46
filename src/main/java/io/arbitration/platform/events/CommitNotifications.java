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
 * Wakes whoever waits for a commit: one connection of the node listens to PostgreSQL's NOTIFY and passes it on over the
 * local event bus. A hint, not a promise: a lost connection is made again (and everyone woken, for what was missed
 * meanwhile), and whoever waits also looks on its own every few seconds.
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

    /** Calls, on the caller's context, when something was committed that notifies the channel, or may have been. */
    public synchronized Registration on(String channel, Runnable wake) {
        MessageConsumer<Object> consumer = vertx.eventBus().localConsumer(address(channel), message -> wake.run());
        if (channels.add(channel)) {
            subscriber.channel(channel)
                    .subscribeHandler(listening -> now(channel))
                    .handler(payload -> now(channel));
        }
        return consumer::unregister;
    }

    /** Wakes the waiting of this node. */
    public void now(String channel) {
        vertx.eventBus().publish(address(channel), "", LOCAL);
    }

    public Future<Void> close() {
        return subscriber.close();
    }

    /** Ends the waking. */
    @FunctionalInterface
    public interface Registration {
        Future<Void> end();
    }

    private static String address(String channel) {
        return "wake." + channel;
    }
}
