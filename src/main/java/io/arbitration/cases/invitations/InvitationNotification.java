package io.arbitration.cases.invitations;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.invitation.InvitationTerms;
import io.arbitration.domain.text.OneLine;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.UtcMoment;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.Optional;

/**
 * A notification of an invitation to a case, by push or by email, with invitation and recipient as they are now. This node may send it
 * until its lease ends.
 *
 * @param pushTo the user who gets a push message; empty if the notification is an email to the invited address
 * @param inviterName public name of the inviter
 * @param isWanted false if the account with that email is disabled, or wants no notifications of invitations
 * @param isLast whether it is the last one of the invitation to this recipient; the earlier ones are not sent
 * @param isHeld whether the case is a sandbox. Its emails to people who are no participants are held instead of sent
 */
record InvitationNotification(
        Lease lease, Invitation invitation, Optional<UserId> pushTo, Optional<String> inviterName, boolean isWanted, boolean isLast, boolean isHeld,
        Sender sender)
        implements Handover.Item {

    private static final String TEMPLATE = "case-invitation";
    private static final int LINE_LENGTH_MAX = 150;

    /**
     * Everything beside the invitation that a notification needs.
     *
     * @param definitions has the names of the parties
     */
    record Sender(Definitions definitions, String publicUrl, Clock clock) {}

    @Override
    public String address() {
        return pushTo.isPresent() ? Addresses.PUSH_SEND : Addresses.EMAILS_SEND;
    }

    @Override
    public Optional<JsonObject> request() {
        return isWanted && isLast && invitation.obstacle(sender.clock.instant()).isEmpty() ? Optional.of(pushTo.map(this::push).orElseGet(this::email)) : Optional.empty();
    }

    private String key() {
        return "case-invitation:%s:%d".formatted(invitation.id(), lease.key());
    }

    private String url() {
        return InvitationTerms.link(sender.publicUrl, invitation.id());
    }

    private String partyName() {
        return sender.definitions.partyName(invitation.partyId());
    }

    private String caseTitle() {
        return line(CaseClock.marked(invitation.caseTitle(), isHeld));
    }

    private JsonObject email() {
        return new JsonObject()
                .put("idempotencyKey", key())
                .put("to", new JsonArray().add(invitation.email()))
                .put("template", TEMPLATE)
                .put("hold", isHeld)
                .put("data", new JsonObject()
                        .put("caseTitle", caseTitle())
                        .put("partyName", partyName())
                        .put("observes", invitation.isObserver())
                        .put("invitedBy", inviterName.map(InvitationNotification::line).orElse(null))
                        .put("expires", UtcMoment.day(invitation.expiresAt()))
                        .put("url", url()));
    }

    private JsonObject push(UserId userId) {
        return new JsonObject().put("idempotencyKey", key()).put("userID", userId.toString()).put("notification", new JsonObject()
                .put("title", "An invitation to a case")
                .put("body", "%s: %s%s".formatted(caseTitle(), partyName(), invitation.isObserver() ? ", as an observer" : ""))
                .put("url", url())
                .put("data", new JsonObject().put("caseID", invitation.caseId().toString()).put("invitationID", invitation.id().toString())));
    }

    private static String line(String text) {
        return OneLine.of(text, LINE_LENGTH_MAX);
    }
}
