package io.arbitration.platform.events;

import io.vertx.core.Future;
import java.util.List;

/**
 * The target to which an {@link EventForwarder} publishes events, outside the database. One node at a time publishes, the one
 * that opened last. Each call begins only after the previous call has ended.
 */
public interface EventSink {

    /**
     * Prepares publishing. When it has completed, no node that opened before can publish any more, not even events that it has
     * sent already.
     */
    Future<Void> open();

    /**
     * Completes when all events are durably published, in this order. If it fails, any number of the first ones may have been
     * published.
     */
    Future<Void> publish(List<LoggedEvent> events);

    /** Releases the resources of opening. It is also called after an opening that failed, and without any opening. */
    Future<Void> close();
}
