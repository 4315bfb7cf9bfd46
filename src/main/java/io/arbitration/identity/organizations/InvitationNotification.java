package io.arbitration.identity.organizations;

import io.arbitration.domain.invitation.InvitationTerms;
import io.arbitration.domain.text.OneLine;
import io.arbitration.domain.time.UtcMoment;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;

/**
 * A notification of an invitation to an organization, by push or by email, with invitation and recipient as they are now. This
 * node may send it until its lease ends.
 *
 * @param number      how often the invitation had been sent; part of the idempotency key
 * @param pushTo      the user who gets a push message; empty if the notification is an email
 * @param email       address of the invited person
 * @param inviterName public name of the inviter
 * @param isWanted    false if the invited person's account is disabled, or wants no notifications of invitations
 * @param isLast      whether it is the last one of the invitation to this recipient; the earlier ones are not sent
 */
record InvitationNotification(
        Lease lease, Invitation invitation, int number, Optional<UUID> pushTo, String email, Optional<String> inviterName, boolean isWanted, boolean isLast,
        Sender sender) implements Handover.Item {

    private static final String TEMPLATE = "organization-invitation";
    private static final int LINE_LENGTH_MAX = 150;

    /** Everything beside the invitation that a notification needs. */
    record Sender(String publicUrl, Clock clock) {}

    @Override
    public String address() {
        return pushTo.isPresent() ? Addresses.PUSH_SEND : Addresses.EMAILS_SEND;
    }

    @Override
    public Optional<JsonObject> request() {
        return isWanted && isLast && invitation.obstacle(sender.clock.instant()).isEmpty() ? Optional.of(pushTo.map(this::pushRequest).orElseGet(this::emailRequest)) : Optional.empty();
    }

    private String url() {
        return InvitationTerms.link(sender.publicUrl, invitation.id());
    }

    private JsonObject emailRequest() {
        return new JsonObject()
                .put("idempotencyKey", "invitation:%s:%d".formatted(invitation.id(), number))
                .put("to", new JsonArray().add(email))
                .put("template", TEMPLATE)
                .put("data", new JsonObject()
                        .put("organizationName", invitation.organizationName())
                        .put("invitedBy", inviterName.orElse(null))
                        .put("expires", UtcMoment.day(invitation.expiresAt()))
                        .put("url", url()));
    }

    private JsonObject pushRequest(UUID userId) {
        return new JsonObject()
                .put("idempotencyKey", "invitation:%s:%d:%s".formatted(invitation.id(), number, userId))
                .put("userID", userId.toString())
                .put("notification", new JsonObject()
                        .put("title", "An invitation to an organization")
                        .put("body", OneLine.of(invitation.organizationName(), LINE_LENGTH_MAX))
                        .put("url", url())
                        .put("data", new JsonObject().put("invitationID", invitation.id().toString())));
    }
}
