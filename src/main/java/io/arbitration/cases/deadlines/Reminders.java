package io.arbitration.cases.deadlines;

import io.arbitration.cases.deadlines.ReminderRepository.Reached;
import io.arbitration.cases.deadlines.ReminderRepository.Reminded;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.CommitNotifications;
import io.arbitration.platform.events.Event;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the event log that a deadline is near, so many days before it as its rule set says; alerts tell its party. Every node looks,
 * when the next deadline is due, when one was set that is due before that, and once in a while; the one that takes the lock reads on from
 * where was read before. That place moves in the transaction of the events and never goes back, so that each is told once, whichever node
 * dies and whatever its clock says. A deadline of a case that somebody has locked is noted for a look {@link #AGAIN} later.
 */
final class Reminders {

    static final String KIND = "deadline_near";
    private static final int BATCH_MAX = 256;
    /** Until the next look, where another node reminds or a look failed. */
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(Reminders.class);

    private final Vertx vertx;
    private final Database database;
    private final ReminderRepository repository;
    private final EventLog eventLog;
    private final CommitNotifications notifications;
    private final List<Integer> days;
    private final Duration lookPeriod;
    private final Clock clock;
    private final RandomGenerator random;
    private boolean running;
    private boolean isLooking;
    private boolean wanted;
    private long timer = -1;
    private Future<?> looking = Future.succeededFuture();
    private CommitNotifications.Registration registration;

    /**
     * @param days       how many days before a deadline people are reminded, in whatever rule set
     * @param lookPeriod how long to wait at most for the next look, unless a deadline is due or is set so that it is
     */
    Reminders(Vertx vertx, Database database, ReminderRepository repository, EventLog eventLog, CommitNotifications notifications,
            List<Integer> days, Duration lookPeriod, Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.database = database;
        this.repository = repository;
        this.eventLog = eventLog;
        this.notifications = notifications;
        this.days = days;
        this.lookPeriod = lookPeriod;
        this.clock = clock;
        this.random = random;
    }

    Future<Void> start() {
        Instant now = clock.instant();
        return repository.forgetAllBut(days).compose(forgotten -> Future.all(days.stream().map(before -> repository.beginReminding(before, Reminded.upTo(now.plus(Duration.ofDays(before))))).toList()))
                .map(begun -> {
                    running = true;
                    registration = notifications.on(ReminderRepository.CHANNEL, this::wake);
                    look();
                    return null;
                });
    }

    /** Looks no more; done when the look in progress has ended. */
    Future<Void> stop() {
        if (!running) {
            return Future.succeededFuture();
        }
        running = false;
        vertx.cancelTimer(timer);
        return registration.end().compose(ended -> looking.otherwiseEmpty()).mapEmpty();
    }

    /** Looks at once, or again after the look in progress: a deadline was set that comes near before the next look. */
    private void wake() {
        if (isLooking) {
            wanted = true;
        } else if (running) {
            vertx.cancelTimer(timer);
            look();
        }
    }

    private void look() {
        isLooking = true;
        wanted = false;
        Future<Optional<Duration>> pause = Future.succeededFuture(Optional.empty());
        for (int before : days) {
            pause = pause.compose(shortest -> remindOrRetry(before).map(next -> shorter(shortest, next)));
        }
        looking = pause.onComplete(done -> {
            isLooking = false;
            if (running && wanted) {
                look();
            } else if (running) {
                Duration wait = done.succeeded() ? done.result().filter(next -> next.compareTo(lookPeriod) < 0).orElse(lookPeriod) : AGAIN;
                timer = vertx.setTimer(Math.max(1, wait.toMillis()), fired -> look());
            }
        });
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        return one.isEmpty() || other.isPresent() && other.get().compareTo(one.get()) < 0 ? other : one;
    }

    /**
     * How far a look has come.
     *
     * @param isPutOff whether something is noted for the next look, since its case was locked
     */
    private record Look(Reminded to, boolean isCaughtUp, boolean isPutOff) {}

    /** Tells what has come near, and answers how long it is until the next. A failure is for this value alone, and looked at again soon. */
    private Future<Optional<Duration>> remindOrRetry(int before) {
        return remind(before, false).recover(failure -> {
            LOG.warn("looking for deadlines to remind of {} days before failed: {}", before, failure.getMessage());
            return Future.succeededFuture(Optional.of(AGAIN));
        });
    }

    /** @param isPutOff whether a look just before this one has put something off */
    private Future<Optional<Duration>> remind(int before, boolean isPutOff) {
        return database.transaction(transaction -> repository.takesReminding(transaction).compose(taken -> taken
                        ? look(transaction, before).map(Optional::of)
                        : Future.succeededFuture(Optional.<Look>empty())))
                .compose(looked -> {
                    if (looked.isEmpty()) {
                        // Another node reminds. Should it die meanwhile, this one goes on soon.
                        return Future.succeededFuture(Optional.of(AGAIN));
                    }
                    boolean again = isPutOff || looked.get().isPutOff;
                    return !looked.get().isCaughtUp ? remind(before, again) : repository.next(before, looked.get().to)
                            .map(next -> next.map(date -> Duration.between(clock.instant(), date.minus(Duration.ofDays(before)))))
                            .map(next -> again ? shorter(next, Optional.of(AGAIN)) : next);
                });
    }

    /** The time is read under the lock, so that a node that has waited does not look at less than another one did before it. */
    private Future<Look> look(SqlConnection transaction, int before) {
        Instant now = Timestamps.milliseconds(clock.instant());
        Instant until = now.plus(Duration.ofDays(before));
        return repository.reminded(transaction, before).compose(from -> repository.noted(transaction, before, from, until, now, BATCH_MAX)
                .compose(notes -> repository.passed(transaction, before, notes, now)
                        .compose(passed -> reached(transaction, before, from, until, now)
                                .compose(reached -> tell(transaction, Stream.concat(passed.stream(), reached.deadlines.stream()).filter(Reached::isTold).toList(), before, now)
                                        .compose(locked -> repository.forget(transaction, notes)
                                                .compose(forgotten -> repository.putOff(transaction, before, locked)))
                                        .compose(putOff -> moveOnward(transaction, before, from, reached.to).map(new Look(reached.to,
                                                // What is put off now is among the next notes: they are read a while later.
                                                reached.isAll && (notes.size() < BATCH_MAX || putOff), putOff)))))));
    }

    /** Writes nothing where the place stays. */
    private Future<Void> moveOnward(SqlConnection transaction, int before, Reminded from, Reminded to) {
        return to.equals(from) ? Future.succeededFuture() : repository.move(transaction, before, to);
    }

    /** The deadlines that come near next, up to a place, and whether these are all. */
    private record Range(List<Reached> deadlines, Reminded to, boolean isAll) {}

    private Future<Range> reached(SqlConnection transaction, int before, Reminded from, Instant until, Instant now) {
        if (until.isBefore(from.date())) {
            // A node whose clock is ahead has been there: all up to that place is told, and the place stays.
            return Future.succeededFuture(new Range(List.of(), from, true));
        }
        return repository.reached(transaction, before, from, until, now, BATCH_MAX).map(reached -> reached.size() < BATCH_MAX
                ? new Range(reached, Reminded.upTo(until), true)
                : new Range(reached, new Reminded(reached.getLast().date(), reached.getLast().deadline().deadline().deadlineId().value()), false));
    }

    /** Tells of these deadlines but for those whose cases are locked, which it answers: who waits for one would delay the others. */
    private Future<List<DeadlineId>> tell(SqlConnection transaction, List<Reached> due, int before, Instant now) {
        return due.isEmpty() ? Future.succeededFuture(List.of())
                : eventLog.lockFreeCases(transaction, due.stream().map(Reminders::caseId).distinct().toArray(UUID[]::new)).compose(free -> {
                    Set<UUID> ours = Set.copyOf(free);
                    Map<Boolean, List<Reached>> told = due.stream().collect(Collectors.partitioningBy(one -> ours.contains(caseId(one))));
                    return eventLog.append(transaction, told.get(true).stream()
                                    .map(one -> event(one.deadline().deadline(), one.date(), before, now, false, random)).toList())
                            .map(told.get(false).stream().map(one -> one.deadline().deadline().deadlineId()).toList());
                });
    }

    private static UUID caseId(Reached one) {
        return one.deadline().deadline().caseId().value();
    }

    /** The event that a deadline is near. */
    static Event event(CaseDeadline deadline, Instant date, int days, Instant at, boolean inSandbox, RandomGenerator random) {
        JsonObject data = new JsonObject()
                .put("caseID", deadline.caseId().toString())
                .put("deadlineID", deadline.deadlineId().toString())
                .put("date", Timestamps.text(date))
                .put("days", days);
        return new Event(Identifiers.random(random), KIND, deadline.caseId().value(), Optional.empty(), at, data, Optional.empty(), inSandbox);
    }
}
