package io.arbitration.domain.cases;

/** The reasons why the rules refuse a request for more time, its withdrawal or its decision. */
public enum ExtensionRefusal {
    NOT_A_PARTICIPANT,
    OBSERVER,
    /** The deadline or the request belongs to another party. */
    NOT_YOUR_DEADLINE,
    /** Neither case manager nor arbitrator. */
    NOT_DECIDING,
    /** A party does not decide its own request. */
    OWN_REQUEST,
    NOT_LATER,
    /** The requested or granted date is not in the future. */
    OVER,
    TOO_LATE,
    CLOSED,
    STALE,
    PASSED,
    ALREADY_REQUESTED,
    ALREADY_DECIDED
}
