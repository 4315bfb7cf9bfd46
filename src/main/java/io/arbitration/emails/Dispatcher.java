package io.arbitration.emails;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.Timestamps;
import io.arbitration.platform.config.Settings;
import io.arbitration.platform.events.Wake;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what the queue holds: claims, sends, records. A crash between sending and recording repeats the sending once the
 * lease has ended, with the same bytes and the same Message-ID; nothing is lost. Runs on the context it was started on.
 */
final class Dispatcher {

    private static final long POLL_MILLIS = 1000;
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP_WAIT = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Vertx vertx;
    private final QueueRepository queue;
    private final MailServer server;
    private final RetrySchedule schedule;
    private final Wake wake;
    private final Settings.Smtp settings;
    private final Clock clock;
    private final RandomGenerator random;
    private final MeterRegistry meters;
    private final Set<Claimed> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Outcome> outcomes = new ArrayList<>();
    private Wake.Registration registration;
    private long poll;
    private boolean claiming;
    private boolean wanted;
    private boolean recording;
    private Promise<Void> stopping;

    Dispatcher(Vertx vertx, QueueRepository queue, MailServer server, Wake wake, Settings.Smtp settings, MeterRegistry meters,
            Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.queue = queue;
        this.server = server;
        this.schedule = new RetrySchedule(random);
        this.wake = wake;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
        this.random = random;
        meters.gauge("emails.in.flight", inFlight, Set::size);
    }

    void start() {
        registration = wake.on(EmailRepository.DUE, this::claim);
        poll = vertx.setPeriodic(POLL_MILLIS, timer -> claim());
        claim();
    }

    /** Claims nothing more, waits a moment for what is on its way, and gives back the rest. */
    Future<Void> stop() {
        vertx.cancelTimer(poll);
        stopping = Promise.promise();
        vertx.setTimer(STOP_WAIT.toMillis(), timer -> stopping.tryComplete());
        endIfIdle();
        return registration.end()
                .compose(ended -> stopping.future())
                .compose(idle -> outcomes.isEmpty() ? Future.succeededFuture() : queue.record(List.copyOf(outcomes)))
                .compose(recorded -> inFlight.isEmpty() ? Future.succeededFuture() : queue.release(List.copyOf(inFlight)))
                .onFailure(failure -> LOG.warn("stopping the dispatcher: {}; what it had claimed is sent again", failure.getMessage()))
                .otherwiseEmpty();
    }

    private void endIfIdle() {
        if (stopping != null && inFlight.isEmpty() && !claiming && !recording) {
            stopping.tryComplete();
        }
    }

    private void claim() {
        int free = settings.inFlight() - inFlight.size() - outcomes.size();
        if (stopping != null) {
            return;
        }
        if (claiming || free <= 0) {
            wanted = true;
            return;
        }
        claiming = true;
        wanted = false;
        queue.claim(Identifiers.random(random), free, lease()).onComplete(claimed -> {
            claiming = false;
            claimed.forEach(this::send);
            if (wanted) {
                claim();
            }
            endIfIdle();
        }, failure -> {
            LOG.warn("emails: claiming failed: {}", failure.getMessage());
            vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
                claiming = false;
                claim();
                endIfIdle();
            });
        });
    }

    /** Twice the exchange: its end must mean that the node is gone, not that the mail server is slow. */
    private Duration lease() {
        return settings.exchange().multipliedBy(2).plusSeconds(1);
    }

    private void send(Claimed claimed) {
        inFlight.add(claimed);
        Instant at = Timestamps.milliseconds(clock.instant());
        long begun = System.nanoTime();
        server.send(claimed.email(), claimed.recipient()).onComplete(
                taken -> ended(new Outcome.Sent(claimed, new Attempt(at, 250, null, millisSince(begun)))),
                failure -> ended(outcome(claimed, Verdict.of(failure), at, millisSince(begun))));
    }

    private static int millisSince(long nanos) {
        return (int) ((System.nanoTime() - nanos) / 1_000_000);
    }

    private Outcome outcome(Claimed claimed, Verdict verdict, Instant at, int durationMillis) {
        Attempt attempt = new Attempt(at, verdict.code(), verdict.error(), durationMillis);
        if (verdict.permanent()) {
            LOG.warn("emails: {} to {} bounced: {}", claimed.email().id(), claimed.recipient(), verdict.error());
            return new Outcome.Bounced(claimed, attempt);
        }
        return schedule.pause(claimed.attempts() + 1)
                .<Outcome>map(pause -> {
                    LOG.warn("emails: {} to {} was not taken, attempt {}, the next in {} s: {}",
                            claimed.email().id(), claimed.recipient(), claimed.attempts() + 1, pause.toSeconds(), verdict.error());
                    return new Outcome.Again(claimed, attempt, pause);
                })
                .orElseGet(() -> {
                    LOG.error("emails: {} to {} failed for good: {}", claimed.email().id(), claimed.recipient(), verdict.error());
                    return new Outcome.Failed(claimed, attempt);
                });
    }

    private void ended(Outcome outcome) {
        inFlight.remove(outcome.claimed());
        outcomes.add(outcome);
        count(outcome);
        record();
    }

    private void count(Outcome outcome) {
        String result = switch (outcome) {
            case Outcome.Sent sent -> "sent";
            case Outcome.Bounced bounced -> "bounced";
            case Outcome.Failed failed -> "failed";
            case Outcome.Again again -> "again";
        };
        Counter.builder("emails.attempts").description("Attempts to send an email").tag("result", result).register(meters).increment();
    }

    /** One statement at a time: what ends meanwhile makes the next one larger. */
    private void record() {
        if (recording || outcomes.isEmpty()) {
            return;
        }
        recording = true;
        List<Outcome> batch = List.copyOf(outcomes);
        queue.record(batch).onComplete(recorded -> {
            recording = false;
            outcomes.subList(0, batch.size()).clear();
            record();
            claim();
            endIfIdle();
        }, failure -> {
            LOG.warn("emails: recording {} attempts failed and is tried again: {}", batch.size(), failure.getMessage());
            vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
                recording = false;
                record();
                endIfIdle();
            });
        });
    }
}
