package io.arbitration.emails;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.emails.smtp.SmtpSettings;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.telemetry.Traces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts emails, each idempotency key once, and shows accepted ones. */
final class EmailsService {

    private static final int RETRY_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(EmailsService.class);

    private final Vertx vertx;
    private final ObjectStores objects;
    private final Traces traces;
    private final Clock clock;
    private final RandomGenerator random;
    private final SmtpSettings smtp;
    private final EmailRepository emails;
    private final EmailTemplates templates;

    EmailsService(
            Vertx vertx, EmailRepository emails, EmailTemplates templates, ObjectStores objects, SmtpSettings smtp, Traces traces, Clock clock,
            RandomGenerator random) {
        this.vertx = vertx;
        this.objects = objects;
        this.traces = traces;
        this.clock = clock;
        this.random = random;
        this.smtp = smtp;
        this.emails = emails;
        this.templates = templates;
    }

    /**
     * Completes when the email is stored. It is sent afterwards, or held if no mail server is configured or the request says so.
     */
    Future<Void> send(NewEmail email, Optional<UUID> senderId) {
        boolean held = email.isHeld() || smtp.url().isEmpty();
        EmailKey key = new EmailKey(senderId, email.idempotencyKey());
        return Future.succeededFuture(email.content())
                .compose(this::render)
                .compose(content -> emails.accept(accepted(email, key, content), email.reminded(), held, traces.context()))
                .recover(failure -> failure instanceof Refusal ? acceptedBefore(key, failure) : Future.failedFuture(failure));
    }

    /**
     * The answer to a refused request. If its key is known, the email was accepted before, and its template has changed since: that is a
     * success, as before.
     */
    private Future<Void> acceptedBefore(EmailKey key, Throwable refusal) {
        return emails.isKnown(key).compose(known -> known ? Future.succeededFuture() : Future.failedFuture(refusal));
    }

    private Future<RenderedEmail> render(NewEmail.Content content) {
        return switch (content) {
            case NewEmail.Content.Written(String subject, String html) -> Future.succeededFuture(new RenderedEmail(subject, html, Optional.empty()));
            case NewEmail.Content.FromTemplate filled -> {
                EmailTemplate template = templates.named(filled.template());
                yield vertx.executeBlocking(() -> template.render(filled.values(), filled.subject()), false);
            }
        };
    }

    private AcceptedEmail accepted(NewEmail email, EmailKey key, RenderedEmail content) {
        return new AcceptedEmail(Identifiers.random(random), key, smtp.from(), email.to(),
                content, template(email.content()), Timestamps.milliseconds(clock.instant()), email.attachments(), email.calendar());
    }

    private static Optional<String> template(NewEmail.Content content) {
        return switch (content) {
            case NewEmail.Content.Written written -> Optional.empty();
            case NewEmail.Content.FromTemplate filled -> Optional.of(filled.template());
        };
    }

    /** An email of the caller. @param onlySent whether an email that no mail server has accepted yet counts as not found */
    Future<EmailRepository.Sent> retrieve(UUID callerId, String idempotencyKey, boolean onlySent) {
        return emails.sent(callerId, idempotencyKey).map(found -> found.filter(sent -> sent.taken() || !onlySent)).map(sent -> sent.orElseThrow(EmailsError.NOT_FOUND::refusal))
                .compose(sent -> selfContained(sent.emailId(), sent.html()).map(html -> new EmailRepository.Sent(sent.emailId(), html, sent.subject(), sent.taken())));
    }

    /** Emails that wait for a mail server to be configured, the newest first. */
    Future<List<EmailRepository.Held>> held(int most) {
        return emails.held(most);
    }

    /** The HTML of a held email; empty if there is none with this ID. */
    Future<Optional<String>> held(UUID emailId) {
        return emails.heldHtml(emailId).compose(html -> html.isEmpty() ? Future.succeededFuture(html) : selfContained(emailId, html.get()).map(Optional::of));
    }

    /** The HTML with the attached pictures as data URLs, so that it can be shown without the attachments. */
    private Future<String> selfContained(UUID emailId, String html) {
        if (!html.contains("\"cid:")) {
            return Future.succeededFuture(html);
        }
        return emails.attachments(Set.of(emailId)).compose(byEmail -> {
            Future<String> whole = Future.succeededFuture(html);
            for (Attachment attachment : byEmail.getOrDefault(emailId, List.of())) {
                if (attachment.contentId().isPresent()) {
                    whole = whole.compose(soFar -> objects.readWhole(attachment.address(), attachment.fingerprint())
                            .map(picture -> soFar.replace("\"cid:" + attachment.contentId().get() + "\"", "\"data:%s;base64,%s\"".formatted(
                                    attachment.contentType(), Base64.getEncoder().encodeToString(picture.getBytes())))));
                }
            }
            return whole;
        }).recover(failure -> {
            if (failure instanceof ObjectFailure unread) {
                LOG.error("emails: a picture of {} cannot be read: {}", emailId, unread.getMessage());
                return Future.failedFuture(EmailsError.PICTURES.refusal().retryAfter(RETRY_SECONDS));
            }
            return Future.failedFuture(failure);
        });
    }
}
