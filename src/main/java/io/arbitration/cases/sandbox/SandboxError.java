package io.arbitration.cases.sandbox;

import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.SandboxRules;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.Refusal;

/** The errors of sandboxes, in the wording of the specification. */
public enum SandboxError implements ApiError {
    NOT_ENABLED(400, "sandbox.not-enabled", "sandbox: is not enabled"),
    NOT_LATER(400, "request.invalid", "to: must be later than the time of the case, %s"),
    TOO_FAR(400, "request.invalid", "to: must be at most ten years after the creation of the case, %s"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    OBSERVER(403, "case.observer", "You are registered as an observer and cannot change this case"),
    NOT_A_SANDBOX(409, "case.not-a-sandbox", "case is not a sandbox"),
    CLOSED(409, "case.closed", "case is closed"),
    STALE(409, "case.stale", "If-Match does not match the current revision");

    private final Terms terms;

    SandboxError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    /** The answer when the clock of a case must not be set forward. */
    static Refusal refusal(SandboxRules.Refusal reason, Case of) {
        return switch (reason) {
            case NOT_A_PARTICIPANT -> NOT_A_PARTICIPANT.refusal();
            case OBSERVER -> OBSERVER.refusal();
            case NOT_A_SANDBOX -> NOT_A_SANDBOX.refusal();
            case CLOSED -> CLOSED.refusal();
            case STALE -> STALE.refusal();
            case NOT_LATER -> NOT_LATER.refusal(Timestamps.text(of.clock().sandbox().orElseThrow()));
            case TOO_FAR -> TOO_FAR.refusal(Timestamps.text(SandboxRules.end(of)));
        };
    }
}
