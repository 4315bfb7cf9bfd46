package io.arbitration.identity.organizations;

import io.arbitration.domain.invitation.InvitationTerms;
import io.arbitration.identity.organizations.InvitationRepository.DueEmail;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the email area to tell people of their invitations. That an email is due stands with its invitation, so that it is asked
 * for again, on any node, until it is accepted; each has an idempotency key of its own, so that it is sent once.
 */
public final class InvitationEmails {

    private static final String TEMPLATE = "organization-invitation";
    private static final int AT_ONCE = 20;
    private static final Duration REPLY_WAIT = Duration.ofSeconds(20);
    /** Longer than the wait for the reply: its end means that the node is gone, or that the email area was not there. */
    private static final Duration LEASE = REPLY_WAIT.multipliedBy(2);
    private static final long LOOK_MILLIS = 10_000;
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final Logger LOG = LoggerFactory.getLogger(InvitationEmails.class);

    private final Vertx vertx;
    private final InvitationRepository invitations;
    private final DeliveryOptions asking;
    private final String publicUrl;
    private final Clock clock;
    private OptionalLong look = OptionalLong.empty();
    private boolean sending;
    private boolean sendAgain;

    public InvitationEmails(Vertx vertx, InvitationRepository invitations, AreaSettings areas, String publicUrl, Clock clock) {
        this.vertx = vertx;
        this.invitations = invitations;
        this.asking = Addresses.asking(areas, Addresses.EMAILS_SEND, REPLY_WAIT);
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    public void start() {
        look = OptionalLong.of(vertx.setPeriodic(LOOK_MILLIS, timer -> due()));
    }

    public void stop() {
        look.ifPresent(vertx::cancelTimer);
    }

    /** Sends what is due now. */
    void due() {
        synchronized (this) {
            if (sending) {
                sendAgain = true;
                return;
            }
            sending = true;
        }
        invitations.claimEmails(AT_ONCE, clock.instant(), LEASE).compose(this::send).onComplete(sent -> {
            boolean again;
            synchronized (this) {
                sending = false;
                again = sent.succeeded() && (sendAgain || sent.result() == AT_ONCE);
                sendAgain = false;
            }
            if (sent.failed()) {
                LOG.warn("emails of invitations are not sent yet: {}", sent.cause().getMessage());
            }
            if (again) {
                due();
            }
        });
    }

    private Future<Integer> send(List<DueEmail> emails) {
        return Future.join(emails.stream().map(this::send).toList()).transform(done -> Future.succeededFuture(emails.size()));
    }

    private Future<Void> send(DueEmail email) {
        return vertx.eventBus().request(Addresses.EMAILS_SEND, request(email), asking)
                .<Void>mapEmpty()
                .recover(failure -> {
                    if (isRefused(failure)) {
                        LOG.error("the email area refused the email of invitation {}: {}", email.invitationId(), failure.getMessage());
                        return Future.succeededFuture();
                    }
                    LOG.warn("the email of invitation {} is not taken yet: {}", email.invitationId(), failure.getMessage());
                    return Future.failedFuture(failure);
                })
                .compose(taken -> invitations.emailDone(email.invitationId(), email.number()));
    }

    private static boolean isRefused(Throwable failure) {
        return failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
                && reply.failureCode() >= 400 && reply.failureCode() < 500;
    }

    private JsonObject request(DueEmail email) {
        return new JsonObject()
                .put("idempotencyKey", "invitation:%s:%d".formatted(email.invitationId(), email.number()))
                .put("to", new JsonArray().add(email.to()))
                .put("template", TEMPLATE)
                .put("data", new JsonObject()
                        .put("organizationName", email.organizationName())
                        .put("invitedBy", email.inviterName().orElse(null))
                        .put("expires", DAY.format(email.expiresAt()))
                        .put("url", InvitationTerms.link(publicUrl, email.invitationId())));
    }
}
