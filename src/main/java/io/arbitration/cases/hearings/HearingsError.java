package io.arbitration.cases.hearings;

import io.arbitration.domain.cases.HearingRefusal;
import io.arbitration.domain.cases.HearingRules;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.Refusal;

/** The errors of hearings, in the wording of the specification. */
enum HearingsError implements ApiError {
    HEARING_NOT_FOUND(404, "hearing.not-found", "hearing not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    OBSERVER(403, "case.observer", "You are registered as an observer and cannot change this case"),
    NOT_DECIDING(403, "case.not-deciding", "Only the case manager and the arbitrators can do this in this case."),
    CLOSED(409, "case.closed", "case is closed"),
    CANCELLED(409, "hearing.cancelled", "hearing is cancelled"),
    TOO_MANY(409, "hearing.too-many", "a case has at most %d hearings"),
    STALE(409, "hearing.stale", "If-Match does not match the current revision");

    private final Terms terms;

    HearingsError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    /** The answer to a request that the rules refuse. */
    static Refusal refusal(HearingRefusal reason) {
        return switch (reason) {
            case NOT_A_PARTICIPANT -> NOT_A_PARTICIPANT.refusal();
            case OBSERVER -> OBSERVER.refusal();
            case NOT_DECIDING -> NOT_DECIDING.refusal();
            case CLOSED -> CLOSED.refusal();
            case CANCELLED -> CANCELLED.refusal();
            case TOO_MANY -> TOO_MANY.refusal(HearingRules.HEARINGS_MAX);
            case STALE -> STALE.refusal();
        };
    }
}
