package io.arbitration.cases.invitations;

import io.arbitration.cases.OrganizationChoice;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;

/** The operations under {@code /invitations}. */
public final class InvitationHandlers {

    private final InvitationService service;

    public InvitationHandlers(InvitationService service) {
        this.service = service;
    }

    public Contract bind(Contract contract) {
        return contract.bind("createCaseInvitation", this::create)
                .bind("listCaseInvitations", this::list)
                .bind("acceptCaseInvitation", this::accept)
                .bind("declineCaseInvitation", this::decline)
                .bind("revokeCaseInvitation", this::revoke);
    }

    private Future<Reply> create(Call call) {
        InvitationService.Wanted wanted = new InvitationService.Wanted(
                call.text("email"), call.text("partyID"), call.flag("isPrimary", false), call.flag("isObserver", false));
        if (wanted.isPrimary() && wanted.isObserver()) {
            throw Refusal.badRequest("isPrimary: an observer cannot be primary");
        }
        return service.create(call.requester(), CaseId.of(call.text("caseID")), wanted).map(sent -> Reply.json(new JsonObject()
                .put("invitationID", sent.invitationId().toString())
                .put("expires", Timestamps.text(sent.expires()))));
    }

    private Future<Reply> list(Call call) {
        PageByTime.Wanted wanted = PageByTime.Wanted.of(call);
        Optional<String> caseID = call.optionalText("caseID");
        return (caseID.isEmpty() ? service.list(call.requester(), wanted) : service.list(call.requester(), CaseId.of(caseID.get()), wanted))
                .map(page -> page.reply("invitations", InvitationHandlers::json));
    }

    private static JsonObject json(Invitation invitation) {
        return new JsonObject()
                .put("invitationID", invitation.id().toString())
                .put("caseID", invitation.caseId().toString())
                .put("title", invitation.caseTitle())
                .put("partyID", invitation.partyId().value())
                .put("isPrimary", invitation.isPrimary())
                .put("isObserver", invitation.isObserver())
                .put("invitedBy", invitation.invitedBy().toString())
                .put("created", Timestamps.text(invitation.created()))
                .put("expires", Timestamps.text(invitation.expiresAt()))
                .put("email", invitation.email());
    }

    private Future<Reply> accept(Call call) {
        return service.accept(call.requester(), invitation(call), OrganizationChoice.of(call), call.ifMatch())
                .map(revision -> Reply.sentence("Participant added.").withRevision(revision));
    }

    private Future<Reply> decline(Call call) {
        return service.decline(call.requester(), invitation(call)).map(declined -> Reply.sentence("Invitation declined."));
    }

    private Future<Reply> revoke(Call call) {
        return service.revoke(call.requester(), invitation(call)).map(revoked -> Reply.sentence("Invitation revoked."));
    }

    /** An ID that is no UUID identifies nothing. */
    private static Optional<UUID> invitation(Call call) {
        return Identifiers.uuid(call.text("invitationID"));
    }
}
