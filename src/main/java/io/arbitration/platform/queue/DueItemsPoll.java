package io.arbitration.platform.queue;

import io.arbitration.platform.queue.QueueItemRepository.DueItems;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Asks by one statement what is due in all lease queues of this node, which share their table: once a second, and at the time at which the
 * next item becomes due. May be used from any context.
 */
public final class DueItemsPoll {

    private final Vertx vertx;
    private final QueueItemRepository items;
    private final List<Watched> watched = new CopyOnWriteArrayList<>();

    public DueItemsPoll(Vertx vertx, QueueItemRepository items) {
        this.vertx = vertx;
        this.items = items;
    }

    private record Watched(String queue, Context context, Consumer<DueItems> listener) {}

    /** Begins to ask, on the context of this call, for as long as that exists. Nothing is asked while no queue is watched. */
    public void start() {
        PeriodicPoll.started(vertx, "queues", this::poll);
    }

    /** Calls the listener after each look with what is due in a queue, on the context of this call. */
    WorkQueue.Watch watch(String queue, Consumer<DueItems> listener) {
        Watched added = new Watched(queue, vertx.getOrCreateContext(), listener);
        watched.add(added);
        return () -> watched.remove(added);
    }

    private Future<Optional<Duration>> poll() {
        Set<String> queues = watched.stream().map(Watched::queue).collect(Collectors.toSet());
        return queues.isEmpty() ? Future.succeededFuture(Optional.empty()) : items.due(queues).map(found -> {
            found.forEach(this::callListeners);
            return found.stream().map(DueItems::next).flatMap(Optional::stream).min(Duration::compareTo);
        });
    }

    private void callListeners(DueItems found) {
        watched.stream().filter(one -> one.queue.equals(found.queue()))
                .forEach(one -> one.context.runOnContext(now -> one.listener.accept(found)));
    }
}
