package io.arbitration.emails;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.Timestamps;
import io.arbitration.platform.Foundation;
import io.arbitration.platform.http.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.UUID;

/** Accepts emails, each once, and shows what was sent. */
final class EmailsService {

    private final Vertx vertx;
    private final Foundation foundation;
    private final EmailRepository emails;
    private final EmailTemplates templates;

    EmailsService(Vertx vertx, Foundation foundation, EmailRepository emails, EmailTemplates templates) {
        this.vertx = vertx;
        this.foundation = foundation;
        this.emails = emails;
        this.templates = templates;
    }

    /** Done when the email is kept: from then on it is sent, or held where no mail server is configured. */
    Future<Void> send(NewEmail email, Optional<UUID> senderId) {
        boolean held = foundation.settings().smtp().url().isEmpty();
        return Future.succeededFuture(email.content())
                .compose(this::render)
                .compose(content -> emails.accept(accepted(email, content, senderId), held))
                .recover(failure -> failure instanceof Refusal ? acceptedBefore(email, failure) : Future.failedFuture(failure));
    }

    /** A key that is known is answered as before, also when its template has changed since and would be refused now. */
    private Future<Void> acceptedBefore(NewEmail email, Throwable refusal) {
        return emails.isKnown(email.idempotencyKey()).compose(known -> known ? Future.succeededFuture() : Future.failedFuture(refusal));
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

    private AcceptedEmail accepted(NewEmail email, RenderedEmail content, Optional<UUID> senderId) {
        return new AcceptedEmail(Identifiers.random(foundation.random()), email.idempotencyKey(), senderId, foundation.settings().smtp().from(), email.to(),
                content, template(email.content()), Timestamps.milliseconds(foundation.clock().instant()), email.attachments());
    }

    private static Optional<String> template(NewEmail.Content content) {
        return switch (content) {
            case NewEmail.Content.Written written -> Optional.empty();
            case NewEmail.Content.FromTemplate filled -> Optional.of(filled.template());
        };
    }

    Future<EmailRepository.Sent> retrieve(String idempotencyKey) {
        return emails.sent(idempotencyKey).map(sent -> sent.orElseThrow(EmailsError.NOT_FOUND::refusal));
    }
}
