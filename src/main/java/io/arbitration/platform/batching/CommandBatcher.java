package io.arbitration.platform.batching;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Executes commands in batches. The commands that wait in a partition share one transaction, so that one commit serves many
 * writers and a case with many writers is locked once for all of them. Commands with the same key always wait in the same
 * partition and are executed in order of arrival.
 *
 * <p>If a batch fails, each of its commands is tried again in a batch of its own, so that no command fails because of another.
 * This is not done when the database is unavailable or overloaded, because then all of them would fail.
 *
 * @param <C> a command
 * @param <R> the result of a command
 */
public final class CommandBatcher<C, R> {

    static final int BATCH_MAX = 64;
    /**
     * A batch that takes longer fails with an unknown outcome: otherwise a database that never answers would stop its partition
     * for ever.
     */
    private static final int BATCH_SECONDS_MAX = 60;

    private record Waiting<C, R>(C command, Promise<R> result, Context caller) {

        void complete(R outcome) {
            caller.runOnContext(back -> result.complete(outcome));
        }

        void fail(Throwable failure) {
            caller.runOnContext(back -> result.fail(failure));
        }
    }

    private final Vertx vertx;
    private final int waitingMax;
    private final Function<List<C>, Future<List<R>>> carryOut;
    private final List<Partition> partitions = new ArrayList<>();

    /**
     * @param waitingMax commands that may wait in a partition
     * @param carryOut executes a batch, all of it or nothing; a result for each command, in order
     */
    public CommandBatcher(Vertx vertx, int partitionCount, int waitingMax, Function<List<C>, Future<List<R>>> carryOut) {
        this.vertx = vertx;
        this.waitingMax = waitingMax;
        this.carryOut = carryOut;
        for (int i = 0; i < partitionCount; i++) {
            partitions.add(new Partition());
        }
    }

    /** The result of the command, on the context of the caller; fails with 503 when too many wait. */
    public Future<R> submit(Object key, C command) {
        Promise<R> result = Promise.promise();
        Partition partition = partitions.get(Math.floorMod(key.hashCode(), partitions.size()));
        return partition.add(new Waiting<>(command, result, vertx.getOrCreateContext())) ? result.future()
                : Future.failedFuture(HttpError.OVERLOADED.refusal().retryAfter(1));
    }

    /** Commands whose batches are executed one after the other. */
    private final class Partition {

        private final ArrayDeque<Waiting<C, R>> waiting = new ArrayDeque<>();
        private boolean busy;

        /** False when too many wait. */
        boolean add(Waiting<C, R> command) {
            synchronized (this) {
                if (waiting.size() >= waitingMax) {
                    return false;
                }
                waiting.add(command);
                if (busy) {
                    return true;
                }
                busy = true;
            }
            schedule();
            return true;
        }

        /**
         * Each batch runs on the context of its first command, so that its log lines and spans belong to a request that is still
         * waiting.
         */
        private void schedule() {
            Waiting<C, R> first;
            synchronized (this) {
                first = waiting.peek();
                busy = first != null;
            }
            if (first != null) {
                first.caller.runOnContext(now -> run(nextBatch()).onComplete(done -> schedule()));
            }
        }

        private synchronized List<Waiting<C, R>> nextBatch() {
            List<Waiting<C, R>> batch = new ArrayList<>();
            while (batch.size() < BATCH_MAX && !waiting.isEmpty()) {
                batch.add(waiting.poll());
            }
            return batch;
        }

        private Future<Void> run(List<Waiting<C, R>> batch) {
            return attempt(batch.stream().map(Waiting::command).toList()).transform(result -> {
                if (result.succeeded()) {
                    for (int i = 0; i < batch.size(); i++) {
                        batch.get(i).complete(result.result().get(i));
                    }
                    return Future.succeededFuture();
                }
                Throwable failure = result.cause();
                if (batch.size() > 1 && !Database.isUnavailable(failure) && !Database.isOverloaded(failure)) {
                    return SequentialWork.each(batch, one -> run(List.of(one))).mapEmpty();
                }
                batch.forEach(command -> command.fail(failure));
                return Future.succeededFuture();
            });
        }

        /** An exception is a failure like any other; the partition continues in any case. */
        private Future<List<R>> attempt(List<C> commands) {
            try {
                return WorkOwner.ofSeveral(() -> carryOut.apply(commands)).timeout(BATCH_SECONDS_MAX, TimeUnit.SECONDS);
            } catch (RuntimeException failed) {
                return Future.failedFuture(failed);
            }
        }
    }
}
