package io.arbitration.cases.deadlines;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.nodes.Nodes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes the stored deadlines of open cases again after their rules have changed: definitions, closures, calendars, reminder
 * days or the code. It processes the cases in the order of their IDs, {@value #BATCH} in a transaction, and after each
 * transaction pauses for as long as it took. The position is stored, so that another node continues if one dies.
 *
 * <p>A node with other rules may store deadlines by those rules. So while such a node runs, each complete pass is followed by
 * another one. Later it still searches for such nodes, because a node that was suspended or cut off can come back.
 */
final class Recalculation {

    private static final int BATCH = 64;
    private static final Duration STEP_PAUSE_MIN = Duration.ofMillis(10);
    /** The pause until the next attempt, if another node does the work or an attempt failed. */
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(10);
    /** The pause between two passes while a node with other rules runs; shorter if the period of searching for such nodes is. */
    private static final Duration PASS_PAUSE = Duration.ofSeconds(6);
    /** The pause between two passes is at least this many times as long as the pass before it. */
    private static final int PASS_PAUSE_FACTOR = 3;
    private static final Logger LOG = LoggerFactory.getLogger(Recalculation.class);

    private final Vertx vertx;
    private final Database database;
    private final RecalculationRepository repository;
    private final DeadlineStorage storage;
    private final String fingerprint;
    private final Duration lookPeriod;
    private boolean running;
    private long passBegun;
    private long timer = -1;
    private Future<?> working = Future.succeededFuture();

    /**
     * @param fingerprint of the rules of this node
     * @param lookPeriod the pause between two searches for nodes with other rules, when all deadlines are computed
     */
    Recalculation(Vertx vertx, Database database, DeadlineStorage storage, UUID nodeId, String fingerprint, Duration lookPeriod) {
        this.vertx = vertx;
        this.database = database;
        this.repository = new RecalculationRepository(database, nodeId);
        this.storage = storage;
        this.fingerprint = fingerprint;
        this.lookPeriod = lookPeriod;
    }

    /** Begins the work, which continues in the background. */
    Future<Void> start() {
        return repository.begin(fingerprint).map(begun -> {
            running = true;
            beginPass();
            return null;
        });
    }

    Future<Void> stop() {
        running = false;
        vertx.cancelTimer(timer);
        return working.otherwiseEmpty().mapEmpty();
    }

    /** What follows a step: the next step, the next pass, another attempt, or the next search for nodes with other rules. */
    private enum Next { GO_ON, BEGIN_AGAIN, LATER, LOOK }

    private void work() {
        long begun = System.nanoTime();
        working = database.transaction(this::step)
                .compose(next -> next == Next.LATER ? repository.isDone(fingerprint).map(done -> done ? Next.LOOK : next) : Future.succeededFuture(next))
                .recover(failure -> {
                    LOG.warn("computing deadlines again failed: {}", failure.getMessage());
                    return Future.succeededFuture(Next.LATER);
                })
                .onSuccess(next -> {
                    if (running) {
                        timer = vertx.setTimer(pause(next, begun).toMillis(), fired -> goOn(next));
                    }
                });
    }

    private void goOn(Next next) {
        switch (next) {
            case GO_ON, LATER -> work();
            case BEGIN_AGAIN -> beginPass();
            case LOOK -> searchOtherRules();
        }
    }

    private void beginPass() {
        passBegun = System.nanoTime();
        work();
    }

    /**
     * Searches for nodes with other rules, when all deadlines are computed: begins another pass if there is one, or if another
     * node has begun a pass.
     */
    private void searchOtherRules() {
        working = repository.beginBesideOthers(fingerprint, Nodes.SILENT.toMillis()).onComplete(begun -> {
            if (begun.failed()) {
                LOG.warn("looking for nodes with other rules of deadlines failed: {}", begun.cause().getMessage());
            }
            if (running && begun.succeeded() && begun.result()) {
                beginPass();
            } else if (running) {
                timer = vertx.setTimer(lookPeriod.toMillis(), fired -> searchOtherRules());
            }
        });
    }

    private Duration pause(Next next, long begun) {
        return switch (next) {
            case GO_ON -> atLeast(STEP_PAUSE_MIN, begun);
            case BEGIN_AGAIN -> atLeast((lookPeriod.compareTo(PASS_PAUSE) < 0 ? lookPeriod : PASS_PAUSE).dividedBy(PASS_PAUSE_FACTOR), passBegun).multipliedBy(PASS_PAUSE_FACTOR);
            case LATER -> RETRY_PAUSE;
            case LOOK -> lookPeriod;
        };
    }

    /** The time since a start, or a minimum if that is longer. */
    private static Duration atLeast(Duration least, long begun) {
        Duration taken = Duration.ofNanos(System.nanoTime() - begun);
        return taken.compareTo(least) > 0 ? taken : least;
    }

    private Future<Next> step(SqlConnection transaction) {
        return repository.lockPlace(transaction, fingerprint).compose(place -> place.isEmpty() ? Future.succeededFuture(Next.LATER)
                : repository.casesAfter(transaction, place.get(), BATCH).compose(cases -> cases.isEmpty()
                        ? repository.endOrBeginAgain(transaction, fingerprint, Nodes.SILENT.toMillis()).map(again -> again ? Next.BEGIN_AGAIN : Next.LOOK)
                        : repository.lockOpen(transaction, cases)
                                .compose(open -> compute(transaction, open))
                                .compose(computed -> repository.moveTo(transaction, cases.getLast()))
                                .map(Next.GO_ON)));
    }

    /**
     * Computes the deadlines of these cases and deletes the stored ones that the rules no longer set. The stored ones are read
     * first, so that the deadlines of an entry that is docketed meanwhile are not deleted.
     */
    private Future<Void> compute(SqlConnection transaction, List<CaseId> caseIds) {
        return caseIds.isEmpty() ? Future.succeededFuture() : repository.withoutRequests(transaction, caseIds)
                .compose(stored -> storage.keepAgain(transaction, caseIds).compose(kept -> {
                    Set<DeadlineId> set = new HashSet<>(kept);
                    return repository.remove(transaction, stored.stream().filter(one -> !set.contains(one)).toList());
                }));
    }
}
