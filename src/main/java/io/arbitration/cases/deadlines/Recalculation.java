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
 * Computes the stored deadlines of open cases again when the rules have changed since: definitions, closures, calendars, reminder days or the code. It
 * goes through the cases in the order of their ids, {@value #BATCH} in a transaction, after each of which it pauses for as long as that took. The place
 * is stored, so that another node goes on where one died. While a node runs by other rules, it begins again after each pass, as that node may write by them;
 * it looks for such a node later as well, since one that was suspended or cut off can come back.
 */
final class Recalculation {

    private static final int BATCH = 64;
    private static final Duration MIN = Duration.ofMillis(10);
    /** Until the next attempt, where another node is at it, or one has failed. */
    private static final Duration AGAIN = Duration.ofSeconds(10);
    /** Until the next pass, where a node with other rules runs, unless it looks for such nodes more often; three times as long as the last pass took if that is more. */
    private static final Duration PASS = Duration.ofSeconds(6);
    private static final int SHARE = 3;
    private static final Logger LOG = LoggerFactory.getLogger(Recalculation.class);

    private final Vertx vertx;
    private final Database database;
    private final RecalculationRepository repository;
    private final DeadlineKeeper keeper;
    private final String fingerprint;
    private final Duration lookPeriod;
    private boolean running;
    private long passBegun;
    private long timer = -1;
    private Future<?> working = Future.succeededFuture();

    /**
     * @param fingerprint of the rules of this node
     * @param lookPeriod  after which it looks for nodes with other rules, when all is computed
     */
    Recalculation(Vertx vertx, Database database, DeadlineKeeper keeper, UUID nodeId, String fingerprint, Duration lookPeriod) {
        this.vertx = vertx;
        this.database = database;
        this.repository = new RecalculationRepository(database, nodeId);
        this.keeper = keeper;
        this.fingerprint = fingerprint;
        this.lookPeriod = lookPeriod;
    }

    /** Done when the work is begun, which goes on in the background. */
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

    /** What follows a step. */
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
            case LOOK -> look();
        }
    }

    private void beginPass() {
        passBegun = System.nanoTime();
        work();
    }

    /** All is computed: begins again if a node runs by other rules, and goes on where another node has begun again. */
    private void look() {
        working = repository.beginBesideOthers(fingerprint, Nodes.SILENT.toMillis()).onComplete(begun -> {
            if (begun.failed()) {
                LOG.warn("looking for nodes with other rules of deadlines failed: {}", begun.cause().getMessage());
            }
            if (running && begun.succeeded() && begun.result()) {
                beginPass();
            } else if (running) {
                timer = vertx.setTimer(lookPeriod.toMillis(), fired -> look());
            }
        });
    }

    private Duration pause(Next next, long begun) {
        return switch (next) {
            case GO_ON -> longer(MIN, begun);
            case BEGIN_AGAIN -> longer((lookPeriod.compareTo(PASS) < 0 ? lookPeriod : PASS).dividedBy(SHARE), passBegun).multipliedBy(SHARE);
            case LATER -> AGAIN;
            case LOOK -> lookPeriod;
        };
    }

    private static Duration longer(Duration least, long begun) {
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

    /** What was stored is read before what the rules set: an entry that is docketed between the two loses none of its deadlines. */
    private Future<Void> compute(SqlConnection transaction, List<CaseId> caseIds) {
        return caseIds.isEmpty() ? Future.succeededFuture() : repository.withoutRequests(transaction, caseIds)
                .compose(stored -> keeper.keepAgain(transaction, caseIds).compose(kept -> {
                    Set<DeadlineId> set = new HashSet<>(kept);
                    return repository.remove(transaction, stored.stream().filter(one -> !set.contains(one)).toList());
                }));
    }
}
