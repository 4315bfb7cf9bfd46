package io.arbitration.identity.organizations;

import io.arbitration.platform.answer.ApiError;

/** The errors of organizations, their members and invitations, in the wording of the contract. */
enum OrganizationError implements ApiError {
    ORGANIZATION_NOT_FOUND(404, "organization.not-found", "organization not found"),
    NOT_A_MEMBER(403, "organization.not-a-member", "Not a member of this organization."),
    NOT_AN_ADMINISTRATOR(403, "organization.not-an-administrator", "Not an administrator of this organization."),
    ALREADY_A_MEMBER(409, "organization.already-a-member", "user already belongs to this organization"),
    MEMBER_NOT_FOUND(404, "organization.member-not-found", "member not found"),
    LAST_ADMINISTRATOR(409, "organization.last-administrator", "the last administrator cannot be removed"),
    LAST_ADMINISTRATOR_STAYS(409, "organization.last-administrator", "the last administrator cannot leave"),
    TOO_MANY_ORGANIZATIONS(409, "organization.too-many", "a user can belong to at most %d organizations"),
    TOO_MANY_CREATED(409, "organization.too-many", "a user can create at most %d organizations"),
    BY_INVITATION(410, "membership.by-invitation", "invite members instead"),
    INVITATION_NOT_FOUND(404, "invitation.not-found", "invitation not found"),
    INVITATION_EXPIRED(409, "invitation.expired", "invitation has expired"),
    INVITATION_ANSWERED(409, "invitation.already-answered", "invitation is already answered"),
    TOO_MANY_OPEN(429, "invitation.too-many-open", "at most %d invitations of an organization can be open"),
    TOO_MANY_TODAY(429, "invitation.too-many-today", "a user can send at most %d invitations a day");

    private final Terms terms;

    OrganizationError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
