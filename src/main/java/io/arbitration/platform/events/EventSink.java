package io.arbitration.platform.events;

import io.vertx.core.Future;
import java.util.List;

/**
 * Where an {@link EventForwarder} publishes events: something outside the database. One node at a time publishes, the one that
 * opened last. Each call begins only after the call before has ended.
 */
public interface EventSink {

    /** Makes ready to publish. Once it is done, no node that opened before can publish any more, not even what it has sent already. */
    Future<Void> open();

    /** Done when all events are published for good, in this order. When it fails, the first ones may have been published, any number of them. */
    Future<Void> publish(List<LoggedEvent> events);

    /** Releases what opening took. It is also called after an opening that failed, and without any opening. */
    Future<Void> close();
}
