package io.arbitration.webhooks;

import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends organizations an email when a URL of theirs was disabled; repeats the request to the emails area until that has queued it. */
final class NoticeSender implements ItemHandler<Notice, NoticeOutcome> {

    static final LeaseQueue.Terms TERMS = LeaseQueue.Terms.of("webhook_notices", BusHandover.LEASE);
    static final int IN_FLIGHT_MAX = 16;

    /** Some seven days at the longest pause. */
    private static final int ATTEMPTS_MAX = 2000;
    private static final Logger LOG = LoggerFactory.getLogger(NoticeSender.class);

    private final BusHandover bus;
    private final Backoff backoff;

    NoticeSender(BusHandover bus, RandomGenerator random) {
        this.bus = bus;
        this.backoff = Backoff.upTo(ATTEMPTS_MAX, random);
    }

    @Override
    public Future<NoticeOutcome> attempt(Notice notice) {
        if (notice.administrators().isEmpty()) {
            return Future.succeededFuture(notYet(notice, "nobody administers the organization"));
        }
        return bus.offer(Addresses.EMAILS_SEND, notice.email()).map(answer -> switch (answer) {
            case BusHandover.Answer.Taken taken -> new NoticeOutcome.Told(notice);
            case BusHandover.Answer.Refused(String reason) -> givenUp(notice, reason);
            case BusHandover.Answer.NotYet(String reason, boolean _) -> notYet(notice, reason);
        });
    }

    private NoticeOutcome notYet(Notice notice, String trouble) {
        return backoff.pause(notice.lease().attempts() + 1)
                .<NoticeOutcome>map(pause -> new NoticeOutcome.Again(notice, pause, trouble))
                .orElseGet(() -> givenUp(notice, trouble));
    }

    private static NoticeOutcome givenUp(Notice notice, String trouble) {
        LOG.error("webhooks: notice {} that {} was disabled cannot be sent: {}", notice.lease().key(), notice.url(), trouble);
        return new NoticeOutcome.GivenUp(notice, trouble);
    }
}
