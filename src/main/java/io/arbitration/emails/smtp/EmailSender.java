package io.arbitration.emails.smtp;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.emails.AcceptedEmail;
import io.arbitration.emails.EmailRepository;
import io.arbitration.emails.bounces.ReturnPath;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.config.SmtpUrl;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.ObservedPart;
import io.arbitration.platform.telemetry.PasswordMask;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the copies of emails that are due to the mail server. One that is sent again, because a node died before it could record the
 * first time, has the same bytes and the same Message-ID.
 */
final class EmailSender implements ItemHandler<ClaimedEmail, SendOutcome> {

    /** Name of the queue; {@link EmailRepository#accept} inserts the copies. */
    static final String QUEUE = "emails";

    private static final int TAKEN = 250;
    private static final String USE = "mails";
    private static final String VOID = "not sent: its deadline was met or moved, or is over";
    /**
     * Short pauses at first, for a mail server that is starting or asks unknown senders to come back (greylisting), then
     * increasing pauses for four days, as RFC 5321 advises in section 4.5.4.1.
     */
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(10), Duration.ofMinutes(30),
            Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(4), Duration.ofHours(8), Duration.ofHours(12),
            Duration.ofHours(24), Duration.ofHours(24), Duration.ofHours(24));
    private static final Logger LOG = LoggerFactory.getLogger(EmailSender.class);

    private final Vertx vertx;
    private final Traces traces;
    private final MailServer server;
    private final ObjectStores objects;
    private final SmtpSettings settings;
    private final Optional<ReturnPath> returnPath;
    private final Backoff backoff;
    private final Attempts attempts;
    private final ObservedPart part;
    private final PasswordMask password;
    private final Clock clock;

    EmailSender(Vertx vertx, MailServer server, ObjectStores objects, SmtpSettings settings, Optional<ReturnPath> returnPath, MeterRegistry meters, Traces traces,
            ObservedPart part, Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.traces = traces;
        this.server = server;
        this.objects = objects;
        this.settings = settings;
        this.returnPath = returnPath;
        this.backoff = Backoff.of(random, PAUSES);
        this.attempts = new Attempts(meters, "emails.attempts", "Attempts to send an email", Stream.of("sent", "bounced", "failed", "dropped", "again"));
        this.part = part;
        this.password = settings.url().flatMap(SmtpUrl::login).map(login -> PasswordMask.of(login.user(), login.password())).orElseGet(PasswordMask::none);
        this.clock = clock;
    }

    /** The lease is longer than reading the attachments and then sending can take, so that it ends only if its node is dead. */
    static LeaseQueue.Terms terms(SmtpSettings settings) {
        return LeaseQueue.Terms.of(QUEUE, settings.exchange().multipliedBy(3).plusSeconds(1));
    }

    @Override
    public Future<SendOutcome> attempt(ClaimedEmail claimed) {
        Instant at = Timestamps.milliseconds(clock.instant());
        long begun = System.nanoTime();
        if (claimed.isVoid()) {
            return Future.<SendOutcome>succeededFuture(new SendOutcome.Dropped(claimed, new SendAttempt(at, null, VOID, 0))).onSuccess(this::count);
        }
        Traces.Work work = new Traces.Work("emails send", Traces.Kind.SENDS, Map.of(
                "acp.delivery.id", String.valueOf(claimed.lease().key()), "acp.attempt", String.valueOf(claimed.lease().attempts() + 1)));
        return traces.within(vertx, claimed.trace(), work,
                        () -> attached(claimed.email()).compose(files -> server.send(claimed.email(), files, claimed.recipient(), returnAddress(claimed))))
                .<SendOutcome>map(taken -> {
                    part.succeeded(USE);
                    return new SendOutcome.Sent(claimed, new SendAttempt(at, TAKEN, null, millisSince(begun)));
                })
                .otherwise(failure -> {
                    SmtpFailure verdict = SmtpFailure.of(failure, password);
                    observe(verdict);
                    return outcome(claimed, verdict, at, millisSince(begun));
                })
                .onSuccess(this::count);
    }

    /** A server that refuses one mail takes mail. */
    private void observe(SmtpFailure failure) {
        switch (failure.of()) {
            case SERVER -> part.failed(USE, failure.error());
            case MAIL -> part.succeeded(USE);
            case ATTACHMENT -> { }
        }
    }

    /** The return path: the address to which a mail server reports that it could not deliver the email. */
    private String returnAddress(ClaimedEmail claimed) {
        return returnPath.flatMap(path -> claimed.returnToken().map(path::address)).orElse(claimed.email().from().address());
    }

    /** The content of the attachments, in their order. */
    private Future<List<Buffer>> attached(AcceptedEmail email) {
        Future<List<Buffer>> all = SequentialWork.each(email.attachments(), attachment -> objects.readWhole(attachment.address(), attachment.fingerprint()));
        return email.attachments().isEmpty() ? all : all.timeout(settings.exchange().toMillis(), TimeUnit.MILLISECONDS);
    }

    private static int millisSince(long nanos) {
        return (int) ((System.nanoTime() - nanos) / 1_000_000);
    }

    private SendOutcome outcome(ClaimedEmail claimed, SmtpFailure verdict, Instant at, int durationMillis) {
        SendAttempt attempt = new SendAttempt(at, verdict.code(), verdict.error(), durationMillis);
        int attempts = claimed.lease().attempts() + 1;
        if (verdict.permanent()) {
            LOG.warn("emails: {} to {} bounced: {}", claimed.email().id(), claimed.recipient(), verdict.error());
            return new SendOutcome.Bounced(claimed, attempt);
        }
        return backoff.pause(attempts)
                .<SendOutcome>map(pause -> {
                    LOG.warn("emails: the mail server did not accept {} to {}, attempt {}, the next in {} s: {}",
                            claimed.email().id(), claimed.recipient(), attempts, pause.toSeconds(), verdict.error());
                    return new SendOutcome.Again(claimed, attempt, pause);
                })
                .orElseGet(() -> {
                    LOG.error("emails: {} to {} failed for good: {}", claimed.email().id(), claimed.recipient(), verdict.error());
                    return new SendOutcome.Failed(claimed, attempt);
                });
    }

    private void count(SendOutcome outcome) {
        String result = switch (outcome) {
            case SendOutcome.Sent sent -> "sent";
            case SendOutcome.Bounced bounced -> "bounced";
            case SendOutcome.Failed failed -> "failed";
            case SendOutcome.Dropped dropped -> "dropped";
            case SendOutcome.Again again -> "again";
        };
        attempts.count(result);
    }
}
