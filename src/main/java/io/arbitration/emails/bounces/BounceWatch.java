package io.arbitration.emails.bounces;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.ObservedPart;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically reads the mailboxes of the return path and records reports of failed deliveries. Runs on the context on which it
 * was started.
 */
public final class BounceWatch {

    private static final String RECORDED = "recorded";
    private static final String NOT_UNDERSTOOD = "not-understood";
    private static final Logger LOG = LoggerFactory.getLogger(BounceWatch.class);

    private final Vertx vertx;
    private final List<BounceMailbox> mailboxes;
    private final ReturnPath returnPath;
    private final BounceRepository repository;
    private final Attempts counts;
    private final ObservedPart part;
    private final Clock clock;
    private final Duration poll;
    private long timer = -1;
    private Future<?> looking = Future.succeededFuture();

    public BounceWatch(Vertx vertx, List<BounceMailbox> mailboxes, ReturnPath returnPath, BounceRepository repository, Attempts counts,
            ObservedPart part, Clock clock, Duration poll) {
        this.vertx = vertx;
        this.mailboxes = mailboxes;
        this.returnPath = returnPath;
        this.repository = repository;
        this.counts = counts;
        this.part = part;
        this.clock = clock;
        this.poll = poll;
    }

    /** Registers the counters of the messages. */
    public static Attempts counts(MeterRegistry meters) {
        return new Attempts(meters, "emails.bounces", "Messages that came to the return path", Stream.of(RECORDED, NOT_UNDERSTOOD));
    }

    public void start() {
        if (!mailboxes.isEmpty()) {
            timer = vertx.setPeriodic(poll.toMillis(), due -> poll());
            poll();
        }
    }

    /** Completes when the check in progress has ended. */
    public Future<Void> stop() {
        vertx.cancelTimer(timer);
        return looking.otherwiseEmpty().mapEmpty();
    }

    private void poll() {
        if (!looking.isComplete()) {
            return;
        }
        looking = Future.join(mailboxes.stream().map(mailbox -> mailbox.processNew(this::read)
                .onComplete(looked -> part.ended(mailbox.name(), looked))
                .onFailure(failure -> LOG.warn("emails: the mailbox of the return path cannot be read: {}", failure.getMessage()))).toList());
    }

    /** Parses on a worker thread, because anybody can send large or many messages to the return path. */
    private Future<List<BounceMailbox.Verdict>> read(List<byte[]> messages) {
        return vertx.executeBlocking(() -> messages.stream().map(message -> DeliveryReport.of(message, returnPath)).toList(), false).compose(this::record);
    }

    private Future<List<BounceMailbox.Verdict>> record(List<Optional<DeliveryReport>> reports) {
        List<DeliveryReport> failed = reports.stream().flatMap(Optional::stream).filter(DeliveryReport::failed).toList();
        Future<List<BounceRepository.Recorded>> recording = failed.isEmpty() ? Future.succeededFuture(List.of()) : repository.record(failed, Timestamps.milliseconds(clock.instant()));
        return recording.map(recorded -> {
            // Only reports that were recorded are counted: anybody can send a report of an email that does not exist.
            recorded.forEach(one -> {
                counts.count(RECORDED);
                LOG.warn("emails: the delivery {} {}", one.deliveryId(), one.reason());
            });
            return reports.stream().map(this::verdict).toList();
        }).otherwise(failure -> {
            LOG.warn("emails: {} reports are not recorded and are read again: {}", failed.size(), failure.getMessage());
            return reports.stream().map(report -> BounceMailbox.Verdict.LATER).toList();
        });
    }

    private BounceMailbox.Verdict verdict(Optional<DeliveryReport> report) {
        if (report.isPresent()) {
            return BounceMailbox.Verdict.RECORDED;
        }
        counts.count(NOT_UNDERSTOOD);
        return BounceMailbox.Verdict.NOT_UNDERSTOOD;
    }
}
