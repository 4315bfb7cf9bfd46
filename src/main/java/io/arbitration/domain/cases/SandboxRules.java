package io.arbitration.domain.cases;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;

/** Who may set the clock of a case forward, and how far. */
public final class SandboxRules {

    /** How many years after its creation a sandbox ends. */
    public static final int YEARS_MAX = 10;

    private SandboxRules() {}

    /** The reasons why the clock of a case is not set. */
    public enum Refusal { NOT_A_PARTICIPANT, OBSERVER, NOT_A_SANDBOX, CLOSED, STALE, NOT_LATER, TOO_FAR }

    /** The reason why a user may not set the clock to that time; empty if it is allowed. */
    public static Optional<Refusal> refuses(Case of, Instant to, OptionalLong expectedRevision, CaseUser caseUser) {
        Optional<Participant> part = of.part(caseUser.userId());
        return when(part.isEmpty(), Refusal.NOT_A_PARTICIPANT)
                .or(() -> when(part.orElseThrow().isObserver(), Refusal.OBSERVER))
                .or(() -> when(!of.clock().isSandbox(), Refusal.NOT_A_SANDBOX))
                .or(() -> when(!of.isOpen(), Refusal.CLOSED))
                .or(() -> when(expectedRevision.isPresent() && expectedRevision.getAsLong() != of.revision(), Refusal.STALE))
                .or(() -> when(!to.isAfter(of.clock().sandbox().orElseThrow()), Refusal.NOT_LATER))
                .or(() -> when(to.isAfter(end(of)), Refusal.TOO_FAR));
    }

    /** The latest time that the clock of a sandbox can be set to. */
    public static Instant end(Case of) {
        return of.created().atOffset(ZoneOffset.UTC).plusYears(YEARS_MAX).toInstant();
    }

    private static Optional<Refusal> when(boolean holds, Refusal refusal) {
        return holds ? Optional.of(refusal) : Optional.empty();
    }
}
