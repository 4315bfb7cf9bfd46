package io.arbitration.cases.deadlines;

import io.arbitration.domain.cases.ExtensionRefusal;
import io.arbitration.domain.cases.ExtensionRules;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.Refusal;

/** The errors of deadlines and extensions, in the wording of the specification. */
enum DeadlinesError implements ApiError {
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    DEADLINE_NOT_FOUND(404, "deadline.not-found", "deadline not found"),
    EXTENSION_NOT_FOUND(404, "extension.not-found", "extension not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    OBSERVER(403, "case.observer", "You are registered as an observer and cannot change this case"),
    NOT_YOUR_DEADLINE(403, "deadline.not-your-party", "Only the party of this deadline can ask for more time."),
    NOT_DECIDING(403, "case.not-deciding", "Only the case manager and the arbitrators can do this in this case."),
    OWN_REQUEST(403, "extension.own-request", "Nobody decides the request of its own party."),
    NOT_LATER(400, "request.invalid", "until: must be later than the deadline"),
    OVER(400, "request.invalid", "until: must be in the future"),
    TOO_LATE(400, "request.invalid", "until: must be at most %d days later than the deadline"),
    CLOSED(409, "case.closed", "case is closed"),
    STALE(409, "case.stale", "If-Match does not match the current revision"),
    PASSED(409, "deadline.passed", "deadline has passed"),
    ALREADY_REQUESTED(409, "extension.already-requested", "extension is already requested"),
    ALREADY_DECIDED(409, "extension.already-decided", "extension is already decided");

    private final Terms terms;

    DeadlinesError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    /** The answer to a request that the rules refuse. */
    static Refusal refusal(ExtensionRefusal reason) {
        return switch (reason) {
            case NOT_A_PARTICIPANT -> NOT_A_PARTICIPANT.refusal();
            case OBSERVER -> OBSERVER.refusal();
            case NOT_YOUR_DEADLINE -> NOT_YOUR_DEADLINE.refusal();
            case NOT_DECIDING -> NOT_DECIDING.refusal();
            case OWN_REQUEST -> OWN_REQUEST.refusal();
            case NOT_LATER -> NOT_LATER.refusal();
            case OVER -> OVER.refusal();
            case TOO_LATE -> TOO_LATE.refusal(ExtensionRules.LONGEST.toDays());
            case CLOSED -> CLOSED.refusal();
            case STALE -> STALE.refusal();
            case PASSED -> PASSED.refusal();
            case ALREADY_REQUESTED -> ALREADY_REQUESTED.refusal();
            case ALREADY_DECIDED -> ALREADY_DECIDED.refusal();
        };
    }
}
