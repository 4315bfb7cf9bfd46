package io.arbitration.identity.organizations;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.identity.Fields;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** The operations on organizations, their members and invitations. */
public final class OrganizationHandlers {

    private final OrganizationService organizations;
    private final InvitationService invitations;

    public OrganizationHandlers(OrganizationService organizations, InvitationService invitations) {
        this.organizations = organizations;
        this.invitations = invitations;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("createOrganization", this::create)
                .bind("listOrganizations", this::list)
                .bind("listOrganizationMembers", this::members)
                .bind("addOrganizationMember", this::add)
                .bind("removeOrganizationMember", this::remove)
                .bind("leaveOrganization", this::leave)
                .bind("grantOrganizationAdministrator", this::grantAdministrator)
                .bind("revokeOrganizationAdministrator", this::revokeAdministrator)
                .bind("createOrganizationInvitation", this::invite)
                .bind("listOrganizationInvitations", this::invitations)
                .bind("acceptOrganizationInvitation", this::accept)
                .bind("declineOrganizationInvitation", this::decline)
                .bind("revokeOrganizationInvitation", this::revoke);
    }

    private static Optional<OrganizationId> organization(Call call) {
        return OrganizationId.of(call.text("organizationID"));
    }

    private static Optional<UserId> user(Call call) {
        return UserId.of(call.text("userID"));
    }

    private Future<Reply> create(Call call) {
        return organizations.create(call.requester(), Fields.name(call, "name"))
                .map(id -> Reply.json(new JsonObject().put("organizationID", id.toString())));
    }

    private Future<Reply> list(Call call) {
        return organizations.list(call.requester(), PageByTime.Wanted.of(call)).map(page -> page.reply("organizations", joined -> new JsonObject()
                .put("organizationID", joined.organizationId().toString())
                .put("name", joined.name())
                .put("isAdministrator", joined.isAdministrator())));
    }

    private Future<Reply> members(Call call) {
        return organizations.members(call.requester(), organization(call), PageByTime.Wanted.of(call)).map(page -> page.reply("members", member -> new JsonObject()
                .put("userID", member.userId().toString())
                .put("isAdministrator", member.isAdministrator())
                .put("since", Timestamps.text(member.since()))));
    }

    /** Always refused: members join only by invitation. */
    private Future<Reply> add(Call call) {
        return Future.failedFuture(OrganizationError.BY_INVITATION.refusal());
    }

    private Future<Reply> remove(Call call) {
        return organizations.remove(call.requester(), organization(call), user(call)).map(removed -> Reply.sentence("Member removed."));
    }

    private Future<Reply> leave(Call call) {
        return organizations.leave(call.requester(), organization(call)).map(left -> Reply.sentence("Organization left."));
    }

    private Future<Reply> grantAdministrator(Call call) {
        return organizations.setAdministrator(call.requester(), organization(call), user(call), true).map(set -> Reply.sentence("Administrator added."));
    }

    private Future<Reply> revokeAdministrator(Call call) {
        return organizations.setAdministrator(call.requester(), organization(call), user(call), false).map(set -> Reply.sentence("Administrator removed."));
    }

    private Future<Reply> invite(Call call) {
        if (call.optionalText("userID").isPresent() == call.optionalText("email").isPresent()) {
            throw Refusal.badRequest("body: exactly one of userID and email is required");
        }
        InvitationService.Wanted wanted = new InvitationService.Wanted(
                call.optionalText("userID").map(UserId::of), call.optionalText("email"), call.flag("isAdministrator", false));
        return invitations.create(call.requester(), organization(call), wanted).map(sent -> Reply.json(new JsonObject()
                .put("invitationID", sent.invitationId().toString())
                .put("expires", Timestamps.text(sent.expires()))));
    }

    private Future<Reply> invitations(Call call) {
        Optional<Optional<OrganizationId>> organizationId = call.optionalText("organizationID").map(OrganizationId::of);
        return invitations.list(call.requester(), organizationId, PageByTime.Wanted.of(call))
                .map(page -> page.reply("invitations", OrganizationHandlers::json));
    }

    private static JsonObject json(Invitation invitation) {
        JsonObject json = new JsonObject()
                .put("invitationID", invitation.id().toString())
                .put("organizationID", invitation.organizationId().toString())
                .put("organizationName", invitation.organizationName())
                .put("invitedBy", invitation.invitedBy().toString())
                .put("created", Timestamps.text(invitation.created()))
                .put("expires", Timestamps.text(invitation.expiresAt()));
        invitation.invitee().email().ifPresent(email -> json.put("email", email));
        return json;
    }

    private Future<Reply> accept(Call call) {
        return invitations.accept(call.requester(), Fields.id(call, "invitationID")).map(accepted -> Reply.sentence("Membership accepted."));
    }

    private Future<Reply> decline(Call call) {
        return invitations.decline(call.requester(), Fields.id(call, "invitationID")).map(declined -> Reply.sentence("Invitation declined."));
    }

    private Future<Reply> revoke(Call call) {
        return invitations.revoke(call.requester(), Fields.id(call, "invitationID")).map(revoked -> Reply.sentence("Invitation revoked."));
    }
}
