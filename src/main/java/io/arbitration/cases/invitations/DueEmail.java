package io.arbitration.cases.invitations;

import io.arbitration.domain.invitation.InvitationTerms;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * The email of an invitation that is to be sent; this node may send it until its lease ends.
 *
 * @param inviterName public name of whoever invites
 * @param partyName   what people call the side
 * @param isCurrent   whether no later email of the same invitation is due, too
 * @param isHeld      whether the case is a sandbox, of which nobody outside of it gets an email
 * @param at          when it was read: what cannot be answered then is sent to nobody
 */
record DueEmail(
        Lease lease, Invitation invitation, Optional<String> inviterName, String partyName, boolean isCurrent, String publicUrl, boolean isHeld, Instant at)
        implements Handover.Item {

    private static final String TEMPLATE = "case-invitation";
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    @Override
    public String address() {
        return Addresses.EMAILS_SEND;
    }

    @Override
    public Optional<JsonObject> request() {
        return isCurrent && invitation.obstacle(at).isEmpty() ? Optional.of(email()) : Optional.empty();
    }

    private JsonObject email() {
        return new JsonObject()
                .put("idempotencyKey", "case-invitation:%s:%d".formatted(invitation.id(), lease.key()))
                .put("to", new JsonArray().add(invitation.email()))
                .put("template", TEMPLATE)
                .put("hold", isHeld)
                .put("data", new JsonObject()
                        .put("caseTitle", line(invitation.caseTitle()))
                        .put("partyName", partyName)
                        .put("observes", invitation.isObserver())
                        .put("invitedBy", inviterName.map(DueEmail::line).orElse(null))
                        .put("expires", DAY.format(invitation.expiresAt()))
                        .put("url", InvitationTerms.link(publicUrl, invitation.id())));
    }

    /** Titles and names may hold what no subject can. */
    private static String line(String text) {
        return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f]+", " ").strip();
    }
}
