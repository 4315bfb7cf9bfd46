package io.arbitration.domain.cases;

/** Why the rules refuse a request for more time, its withdrawal or its decision. */
public enum ExtensionRefusal {
    NOT_A_PARTICIPANT,
    OBSERVER,
    /** It is another party's deadline, or another party's request. */
    NOT_YOUR_DEADLINE,
    /** Neither case manager nor arbitrator. */
    NOT_DECIDING,
    /** Who asked does not decide. */
    OWN_REQUEST,
    NOT_LATER,
    /** What is asked for or granted is not after now. */
    OVER,
    TOO_LATE,
    CLOSED,
    STALE,
    PASSED,
    ALREADY_REQUESTED,
    ALREADY_DECIDED
}
