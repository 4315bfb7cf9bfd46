package io.arbitration.platform.events;

import io.vertx.core.Future;
import java.util.List;

/**
 * Tells events to something outside the database, for one node at a time: whoever opened last is the one who tells. All is
 * called in turn, nothing before the last has ended.
 */
public interface EventTeller {

    /** Makes ready to tell. Done, nobody who opened before tells anything any more, not even what is on its way. */
    Future<Void> open();

    /** Done when all are told for good, in this order; failed, any number of the first ones may have been. */
    Future<Void> tell(List<LoggedEvent> events);

    /** Gives back what opening took; also after an opening that failed, or none. */
    Future<Void> close();
}
