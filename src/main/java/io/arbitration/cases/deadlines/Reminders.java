package io.arbitration.cases.deadlines;

import io.arbitration.cases.deadlines.ReminderRepository.Reached;
import io.arbitration.cases.deadlines.ReminderRepository.Reminded;
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
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the event log that a deadline is near, so many days before it as its rule set says; alerts tell its party. Every node looks,
 * when the next deadline is due, when one was set that is due before that, and once in a while; the one that takes the lock reads on from where was read before. That place
 * moves in the transaction of the events, so that each is told once, whichever node dies.
 */
final class Reminders {

    static final String KIND = "deadline_near";
    private static final int BATCH_MAX = 256;
    private static final Duration WHILE_ANOTHER_REMINDS = Duration.ofSeconds(1);
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
        return Future.all(days.stream().map(before -> repository.beginReminding(before, Reminded.upTo(now.plus(Duration.ofDays(before))))).toList())
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
            pause = pause.compose(shortest -> remind(before).map(next -> shorter(shortest, next)));
        }
        looking = pause.onComplete(done -> {
            if (done.failed()) {
                LOG.warn("looking for deadlines to remind of failed: {}", done.cause().getMessage());
            }
            isLooking = false;
            if (running && wanted) {
                look();
            } else if (running) {
                Duration wait = done.succeeded() ? done.result().filter(next -> next.compareTo(lookPeriod) < 0).orElse(lookPeriod) : lookPeriod;
                timer = vertx.setTimer(Math.max(1, wait.toMillis()), fired -> look());
            }
        });
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        return one.isEmpty() || other.isPresent() && other.get().compareTo(one.get()) < 0 ? other : one;
    }

    /** Tells what has come near, and answers how long it is until the next. */
    private Future<Optional<Duration>> remind(int before) {
        Instant now = Timestamps.milliseconds(clock.instant());
        Duration ahead = Duration.ofDays(before);
        return database.transaction(transaction -> repository.takesReminding(transaction).compose(taken -> taken
                        ? remind(transaction, before, now.plus(ahead), now)
                        : Future.succeededFuture(Optional.<Reminded>empty())))
                .compose(reminded -> {
                    if (reminded.isEmpty()) {
                        // Another node reminds. Should it die meanwhile, this one goes on soon.
                        return Future.succeededFuture(Optional.of(WHILE_ANOTHER_REMINDS));
                    }
                    boolean caughtUp = reminded.get().equals(Reminded.upTo(now.plus(ahead)));
                    return caughtUp ? repository.next(before, reminded.get()).map(next -> next.map(date -> Duration.between(clock.instant(), date.minus(ahead))))
                            : remind(before);
                });
    }

    private Future<Optional<Reminded>> remind(SqlConnection transaction, int before, Instant until, Instant now) {
        return repository.reminded(transaction, before).compose(from -> repository.reached(transaction, before, from, until, BATCH_MAX).compose(reached -> {
            Reminded to = reached.size() == BATCH_MAX
                    ? new Reminded(reached.getLast().date(), reached.getLast().deadline().deadline().deadlineId().value())
                    : Reminded.upTo(until);
            List<Event> events = reached.stream().filter(Reached::isTold).map(one -> event(one.deadline().deadline(), one.date(), before, now, false, random)).toList();
            return tell(transaction, events).compose(told -> repository.move(transaction, before, to)).map(Optional.of(to));
        }));
    }

    private Future<Void> tell(SqlConnection transaction, List<Event> events) {
        return events.isEmpty() ? Future.succeededFuture()
                : eventLog.lockCases(transaction, events.stream().map(Event::caseId).distinct().toArray(UUID[]::new))
                        .compose(locked -> eventLog.append(transaction, events));
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
