package io.arbitration.domain.cases;

/** The reasons why the rules do not let a user see, schedule, change or cancel a hearing. */
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
