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
 * Appends an event to the log when a deadline is near, by the reminder days of its rule set; the alerts area notifies its party.
 *
 * <p>Every node searches for such deadlines when the next one is due, when a deadline was set that is due before that one, and
 * periodically. The node that gets the lock continues at the stored position in the order of dates. The position moves in the
 * transaction that appends the events, and never backwards, so each reminder is recorded once even if a node crashes or its clock
 * is wrong. If the case of a deadline is locked, the deadline is noted for another search after {@link #RETRY_PAUSE}.
 */
final class Reminders {

    static final String KIND = "deadline_near";
    private static final int BATCH_MAX = 256;
    /** The pause until the next search if another node has the lock, a case was locked, or the search failed. */
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);
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
     * @param days the numbers of days before a deadline at which any rule set has a reminder
     * @param lookPeriod the longest pause between two searches
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
                    registration = notifications.on(ReminderRepository.CHANNEL, this::searchNow);
                    look();
                    return null;
                });
    }

    /** Begins no further search; completes when the search in progress has ended. */
    Future<Void> stop() {
        if (!running) {
            return Future.succeededFuture();
        }
        running = false;
        vertx.cancelTimer(timer);
        return registration.end().compose(ended -> looking.otherwiseEmpty()).mapEmpty();
    }

    /**
     * Called when a deadline was set that is due before the next search: searches at once, or again after the search in progress.
     */
    private void searchNow() {
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
                Duration wait = done.succeeded() ? done.result().filter(next -> next.compareTo(lookPeriod) < 0).orElse(lookPeriod) : RETRY_PAUSE;
                timer = vertx.setTimer(Math.max(1, wait.toMillis()), fired -> look());
            }
        });
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        return one.isEmpty() || other.isPresent() && other.get().compareTo(one.get()) < 0 ? other : one;
    }

    /**
     * The result of a search.
     *
     * @param to the position that it has reached
     * @param isCaughtUp whether no further deadline is due now
     * @param hasPostponed whether deadlines are noted for the next search, because their cases were locked
     */
    private record Look(Reminded to, boolean isCaughtUp, boolean hasPostponed) {}

    /**
     * Sends the reminders for this number of days, and answers the time until the next one. A failure does not affect the other
     * numbers of days.
     */
    private Future<Optional<Duration>> remindOrRetry(int before) {
        return remind(before, false).recover(failure -> {
            LOG.warn("looking for deadlines to remind of {} days before failed: {}", before, failure.getMessage());
            return Future.succeededFuture(Optional.of(RETRY_PAUSE));
        });
    }

    /** @param hasPostponed whether the previous search has postponed some deadlines */
    private Future<Optional<Duration>> remind(int before, boolean hasPostponed) {
        return database.transaction(transaction -> repository.tryLock(transaction).compose(taken -> taken
                        ? look(transaction, before).map(Optional::of)
                        : Future.succeededFuture(Optional.<Look>empty())))
                .compose(looked -> {
                    if (looked.isEmpty()) {
                        // Another node has the lock. This one searches again soon, in case that node dies.
                        return Future.succeededFuture(Optional.of(RETRY_PAUSE));
                    }
                    boolean again = hasPostponed || looked.get().hasPostponed;
                    return !looked.get().isCaughtUp ? remind(before, again) : repository.next(before, looked.get().to)
                            .map(next -> next.map(date -> Duration.between(clock.instant(), date.minus(Duration.ofDays(before)))))
                            .map(next -> again ? shorter(next, Optional.of(RETRY_PAUSE)) : next);
                });
    }

    /**
     * Searches under the lock. The time is read here, after the lock is held: otherwise it could be earlier than the time of the
     * previous search.
     */
    private Future<Look> look(SqlConnection transaction, int before) {
        Instant now = Timestamps.milliseconds(clock.instant());
        Instant until = now.plus(Duration.ofDays(before));
        return repository.reminded(transaction, before).compose(from -> repository.noted(transaction, before, from, until, now, BATCH_MAX)
                .compose(notes -> repository.passed(transaction, before, notes, now)
                        .compose(passed -> reached(transaction, before, from, until, now)
                                .compose(reached -> appendEvents(transaction,
                                                Stream.concat(passed.stream(), reached.deadlines.stream()).filter(Reached::needsReminder).toList(), before, now)
                                        .compose(locked -> repository.forget(transaction, notes)
                                                .compose(forgotten -> repository.putOff(transaction, before, locked)))
                                        .compose(putOff -> moveOnward(transaction, before, from, reached.to).map(new Look(reached.to,
                                                // The notes of deadlines that were postponed now would be read again at once, so
                                                // the next search follows after a pause.
                                                reached.isAll && (notes.size() < BATCH_MAX || putOff), putOff)))))));
    }

    /** Moves the stored position; writes nothing if it stays. */
    private Future<Void> moveOnward(SqlConnection transaction, int before, Reminded from, Reminded to) {
        return to.equals(from) ? Future.succeededFuture() : repository.move(transaction, before, to);
    }

    /** The next deadlines that are due, up to a position, and whether these are all of them. */
    private record Range(List<Reached> deadlines, Reminded to, boolean isAll) {}

    private Future<Range> reached(SqlConnection transaction, int before, Reminded from, Instant until, Instant now) {
        if (until.isBefore(from.date())) {
            // A node whose clock is ahead has moved the position here, and has sent all reminders before it.
            return Future.succeededFuture(new Range(List.of(), from, true));
        }
        return repository.reached(transaction, before, from, until, now, BATCH_MAX).map(reached -> reached.size() < BATCH_MAX
                ? new Range(reached, Reminded.upTo(until), true)
                : new Range(reached, new Reminded(reached.getLast().date(), reached.getLast().deadline().deadline().deadlineId().value()), false));
    }

    /**
     * Appends the events of these deadlines, except for those whose cases are locked: waiting for one would delay the others.
     *
     * @return the deadlines that were skipped
     */
    private Future<List<DeadlineId>> appendEvents(SqlConnection transaction, List<Reached> due, int before, Instant now) {
        return due.isEmpty() ? Future.succeededFuture(List.of())
                : eventLog.lockFreeCases(transaction, due.stream().map(Reminders::caseId).distinct().toArray(UUID[]::new)).compose(free -> {
                    Set<UUID> ours = Set.copyOf(free);
                    Map<Boolean, List<Reached>> byLock = due.stream().collect(Collectors.partitioningBy(one -> ours.contains(caseId(one))));
                    return eventLog.append(transaction, byLock.get(true).stream()
                                    .map(one -> event(one.deadline().deadline(), one.date(), before, now, false, random)).toList())
                            .map(byLock.get(false).stream().map(one -> one.deadline().deadline().deadlineId()).toList());
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
