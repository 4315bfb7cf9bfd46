package io.arbitration.domain.cases;

/** Why the rules let somebody not see, schedule, change or cancel a hearing. */
public enum HearingRefusal {
    NOT_A_PARTICIPANT,
    OBSERVER,
    /** Neither case manager nor arbitrator. */
    NOT_DECIDING,
    CLOSED,
    CANCELLED,
    TOO_MANY,
    /** The hearing has changed since the caller read it. */
    STALE
}
