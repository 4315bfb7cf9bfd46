package io.arbitration.domain.cases;

/** The reasons why a user may not see or change a case. */
public enum CaseRefusal {
    USER_NOT_FOUND,
    PARTY_NOT_FOUND,
    PHASE_NOT_FOUND,
    PARTICIPANT_NOT_FOUND,
    /** There is no such organization, or the user does not belong to it. */
    ORGANIZATION_NOT_FOUND,
    NOT_A_PARTICIPANT,
    OBSERVER,
    NOT_YOUR_SIDE,
    NOT_CASE_MANAGER,
    CLOSED,
    /** The case has been changed since the caller read it. */
    STALE,
    ALREADY_ADDED,
    TOO_MANY_PARTICIPANTS,
    LAST_PRIMARY,
    PHASE_NOT_LATER,
    LAST_PHASE
}
