package io.arbitration.emails.bounces;

import io.arbitration.domain.time.Timestamps;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for reports of failed deliveries and records them. Runs on the context it was started on. */
public final class BounceWatch {

    private static final Logger LOG = LoggerFactory.getLogger(BounceWatch.class);

    private final Vertx vertx;
    private final List<BounceMailbox> mailboxes;
    private final ReturnPath returnPath;
    private final BounceRepository repository;
    private final Counter recorded;
    private final Counter notUnderstood;
    private final Clock clock;
    private final Duration poll;
    private long timer = -1;
    private Future<?> looking = Future.succeededFuture();

    public BounceWatch(Vertx vertx, List<BounceMailbox> mailboxes, ReturnPath returnPath, BounceRepository repository, MeterRegistry meters, Clock clock,
            Duration poll) {
        this.vertx = vertx;
        this.mailboxes = mailboxes;
        this.returnPath = returnPath;
        this.repository = repository;
        this.recorded = counter(meters, "recorded");
        this.notUnderstood = counter(meters, "not-understood");
        this.clock = clock;
        this.poll = poll;
    }

    private static Counter counter(MeterRegistry meters, String result) {
        return Counter.builder("emails.bounces").description("Messages that came to the return path").tag("result", result).register(meters);
    }

    public void start() {
        if (!mailboxes.isEmpty()) {
            timer = vertx.setPeriodic(poll.toMillis(), due -> look());
            look();
        }
    }

    /** Done when the look in progress is. */
    public Future<Void> stop() {
        vertx.cancelTimer(timer);
        return looking.otherwiseEmpty().mapEmpty();
    }

    private void look() {
        if (!looking.isComplete()) {
            return;
        }
        looking = Future.join(mailboxes.stream().map(mailbox -> mailbox.look(this::read)
                .onFailure(failure -> LOG.warn("emails: the mailbox of the return path cannot be read: {}", failure.getMessage()))).toList());
    }

    private Future<List<BounceMailbox.Verdict>> read(List<byte[]> messages) {
        List<Optional<DeliveryReport>> reports = messages.stream().map(message -> DeliveryReport.of(message, returnPath)).toList();
        List<DeliveryReport> failed = reports.stream().flatMap(Optional::stream).filter(DeliveryReport::failed).toList();
        Future<Integer> recording = failed.isEmpty() ? Future.succeededFuture(0) : repository.record(failed, Timestamps.milliseconds(clock.instant()));
        return recording.map(count -> {
            recorded.increment(count);
            failed.forEach(report -> LOG.warn("emails: the copy {} {}", report.token(), report.reason()));
            return reports.stream().map(this::verdict).toList();
        }).otherwise(failure -> {
            LOG.warn("emails: {} reports are not recorded and are read again: {}", failed.size(), failure.getMessage());
            return messages.stream().map(message -> BounceMailbox.Verdict.LATER).toList();
        });
    }

    private BounceMailbox.Verdict verdict(Optional<DeliveryReport> report) {
        if (report.isPresent()) {
            return BounceMailbox.Verdict.RECORDED;
        }
        notUnderstood.increment();
        return BounceMailbox.Verdict.NOT_UNDERSTOOD;
    }
}
