package io.arbitration.cases;

import io.arbitration.domain.cases.CasePermissions;
import io.arbitration.domain.cases.CaseRefusal;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.Refusal;

/** The errors of cases, in the wording of the specification. */
public enum CasesError implements ApiError {
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    RULE_SET_NOT_FOUND(404, "rule-set.not-found", "rule set not found"),
    ORGANIZATION_NOT_FOUND(404, "organization.not-found", "organization not found"),
    USER_NOT_FOUND(404, "user.not-found", "user not found"),
    PARTY_NOT_FOUND(404, "party.not-found", "party not found"),
    PHASE_NOT_FOUND(404, "phase.not-found", "phase not found"),
    PARTICIPANT_NOT_FOUND(404, "participant.not-found", "participant not found"),
    USERS_ONLY(403, "case.users-only", "Only a user can open a case."),
    NOT_A_MEMBER(403, "organization.not-a-member", "Not a member of this organization."),
    SEAT_UNKNOWN(400, "seat.unknown", "seat: must be a country or a part of one whose holidays are known, such as SE or DE-BY"),
    OBSERVER(403, "case.observer", "You are registered as an observer and cannot change this case"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    NOT_YOUR_SIDE(403, "case.not-your-side",
            "Only the case manager or a primary participant of that party can change its participants."),
    NOT_CASE_MANAGER(403, "case.not-case-manager", "Only the case manager can do this in this case."),
    CLOSED(409, "case.closed", "case is closed"),
    STALE(409, "case.stale", "If-Match does not match the current revision"),
    ALREADY_ADDED(409, "participant.already-added", "user is already a participant of this case"),
    TOO_MANY_PARTICIPANTS(409, "participant.too-many", "a case has at most %d participants"),
    LAST_PRIMARY(409, "participant.last-primary", "the last primary participant of the claimant cannot be removed"),
    PHASE_NOT_LATER(409, "phase.not-later", "phase is not later than the current phase"),
    LAST_PHASE(409, "phase.last", "case is in its last phase"),
    TOO_MANY_OF_USER(429, "case.too-many-today", "a user can create at most %d cases a day"),
    TOO_MANY_OF_ORGANIZATION(429, "case.too-many-of-organization-today", "users can create at most %d cases a day for one organization"),
    EXPORT_MOVED(503, "export.case-changing", "The case is being changed right now, try again.");

    private final Terms terms;

    CasesError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    /** The answer to a command that the rules reject. */
    public static Refusal refusal(CaseRefusal rejection) {
        return switch (rejection) {
            case USER_NOT_FOUND -> USER_NOT_FOUND.refusal();
            case PARTY_NOT_FOUND -> PARTY_NOT_FOUND.refusal();
            case PHASE_NOT_FOUND -> PHASE_NOT_FOUND.refusal();
            case PARTICIPANT_NOT_FOUND -> PARTICIPANT_NOT_FOUND.refusal();
            case ORGANIZATION_NOT_FOUND -> ORGANIZATION_NOT_FOUND.refusal();
            case OBSERVER -> OBSERVER.refusal();
            case NOT_A_PARTICIPANT -> NOT_A_PARTICIPANT.refusal();
            case NOT_YOUR_SIDE -> NOT_YOUR_SIDE.refusal();
            case NOT_CASE_MANAGER -> NOT_CASE_MANAGER.refusal();
            case CLOSED -> CLOSED.refusal();
            case STALE -> STALE.refusal();
            case ALREADY_ADDED -> ALREADY_ADDED.refusal();
            case TOO_MANY_PARTICIPANTS -> TOO_MANY_PARTICIPANTS.refusal(CasePermissions.PARTICIPANTS_MAX);
            case LAST_PRIMARY -> LAST_PRIMARY.refusal();
            case PHASE_NOT_LATER -> PHASE_NOT_LATER.refusal();
            case LAST_PHASE -> LAST_PHASE.refusal();
        };
    }
}
