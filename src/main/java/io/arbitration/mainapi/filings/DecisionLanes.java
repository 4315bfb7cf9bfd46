package io.arbitration.mainapi.filings;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Decides commands in batches: what waits in a lane shares one transaction, so that a commit costs many writers one flush
 * and a hot case is locked once for all of them. A case always waits in the same lane; its order is that of arrival.
 */
final class DecisionLanes {

    static final int BATCH_MAX = 64;
    /** A batch whose database does not even fail is given up, or its lane would stand still; what becomes of it is unknown then. */
    private static final int BATCH_SECONDS_MAX = 60;

    /** What became of a command: its decision, or why it was refused. */
    sealed interface Outcome {
        record Decided(Filing filing) implements Outcome {}

        record Refused(Refusal refusal) implements Outcome {}
    }

    /** @param key that the request for the command holds, to be marked with what is decided */
    record Asked(FilingCommand command, Optional<RequestKey> key) {}

    private record Waiting(Asked asked, Promise<Filing> answer, Context caller) {
        void finish(Outcome outcome) {
            caller.runOnContext(back -> {
                switch (outcome) {
                    case Outcome.Decided decided -> answer.complete(decided.filing());
                    case Outcome.Refused refused -> answer.fail(refused.refusal());
                }
            });
        }

        void fail(Throwable failure) {
            caller.runOnContext(back -> answer.fail(failure));
        }
    }

    private final Vertx vertx;
    private final Function<List<Asked>, Future<List<Outcome>>> decide;
    private final int waitingMax;
    private final Lane[] lanes;

    /** @param decide decides a batch in one transaction: an outcome per command, in order */
    DecisionLanes(Vertx vertx, int lanes, int waitingMax, Function<List<Asked>, Future<List<Outcome>>> decide) {
        this.vertx = vertx;
        this.decide = decide;
        this.waitingMax = waitingMax;
        this.lanes = new Lane[lanes];
        for (int i = 0; i < lanes; i++) {
            this.lanes[i] = new Lane();
        }
    }

    /** The filing after the command; fails with the refusal, 503 when too many wait. */
    Future<Filing> decide(FilingCommand command) {
        Promise<Filing> answer = Promise.promise();
        Lane lane = lanes[Math.floorMod(command.caseId().hashCode(), lanes.length)];
        if (!lane.add(new Waiting(new Asked(command, RequestKey.now()), answer, vertx.getOrCreateContext()))) {
            return Future.failedFuture(HttpError.OVERLOADED.refusal().retryAfter(1));
        }
        return answer.future();
    }

    private final class Lane {

        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private boolean busy;

        boolean add(Waiting command) {
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
            next();
            return true;
        }

        private void next() {
            List<Waiting> batch = new ArrayList<>();
            synchronized (this) {
                while (batch.size() < BATCH_MAX && !waiting.isEmpty()) {
                    batch.add(waiting.poll());
                }
                if (batch.isEmpty()) {
                    busy = false;
                    return;
                }
            }
            run(batch).onComplete(done -> next());
        }

        private Future<Void> run(List<Waiting> batch) {
            return attempted(batch.stream().map(Waiting::asked).toList())
                    .onSuccess(outcomes -> {
                        for (int i = 0; i < batch.size(); i++) {
                            batch.get(i).finish(outcomes.get(i));
                        }
                    })
                    .<Void>mapEmpty()
                    .recover(failure -> {
                        if (batch.size() == 1 || Database.isUnavailable(failure) || Database.isOverloaded(failure)) {
                            batch.forEach(one -> one.fail(failure));
                            return Future.succeededFuture();
                        }
                        return oneByOne(batch, 0);
                    });
        }

        /** A lane goes on whatever happens: what is thrown is a failure like any other. */
        private Future<List<Outcome>> attempted(List<Asked> commands) {
            try {
                return decide.apply(commands).timeout(BATCH_SECONDS_MAX, TimeUnit.SECONDS);
            } catch (RuntimeException failed) {
                return Future.failedFuture(failed);
            }
        }

        /** One command must not fail its neighbours: after a failure each gets a transaction of its own. */
        private Future<Void> oneByOne(List<Waiting> batch, int index) {
            return index == batch.size()
                    ? Future.succeededFuture()
                    : run(List.of(batch.get(index))).compose(done -> oneByOne(batch, index + 1));
        }
    }
}
