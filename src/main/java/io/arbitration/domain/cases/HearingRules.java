package io.arbitration.domain.cases;

import io.arbitration.domain.Decision;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.UserId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Who may schedule, change and cancel hearings: case manager and arbitrators, in an open case. Refused in the order participation, role, state. */
public final class HearingRules {

    /** Of a case, the cancelled ones included. */
    public static final int HEARINGS_MAX = 500;

    private HearingRules() {}

    /** @param hearings how many the case has */
    public static Decision<Hearing, HearingRefusal> schedule(Case of, Hearing.Schedule schedule, int hearings, Asker asker, Instant now, HearingId hearingId) {
        return mayChange(of, asker)
                .or(() -> when(hearings >= HEARINGS_MAX, HearingRefusal.TOO_MANY))
                .<Decision<Hearing, HearingRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(
                        new Hearing(hearingId, of.caseId(), schedule, 1, 0, Optional.empty(), Optional.empty(), asker.userId(), now, now)));
    }

    /**
     * The hearing as it becomes; as it is, in its revision, if nothing of it changes.
     *
     * @param change what becomes of what is scheduled
     */
    public static Decision<Hearing, HearingRefusal> change(
            Case of, Hearing hearing, UnaryOperator<Hearing.Schedule> change, OptionalLong expectedRevision, Asker asker, Instant now) {
        return obstacle(of, hearing, expectedRevision, asker)
                .<Decision<Hearing, HearingRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> {
                    Hearing.Schedule to = change.apply(hearing.schedule());
                    return new Decision.Decided<>(to.equals(hearing.schedule()) ? hearing : hearing.changed(to, now));
                });
    }

    public static Decision<Hearing, HearingRefusal> cancel(
            Case of, Hearing hearing, String reason, OptionalLong expectedRevision, Asker asker, Instant now) {
        return obstacle(of, hearing, expectedRevision, asker)
                .<Decision<Hearing, HearingRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(hearing.cancelled(asker.userId(), reason, now)));
    }

    /** A hearing to come of a case that is closed, as it becomes: cancelled by whoever closes the case, and for the same reason. */
    public static Hearing cancelledByClosing(Hearing hearing, UserId by, String reason, Instant now) {
        return hearing.cancelled(by, reason, now);
    }

    private static Optional<HearingRefusal> obstacle(Case of, Hearing hearing, OptionalLong expectedRevision, Asker asker) {
        return mayChange(of, asker)
                .or(() -> when(!hearing.isScheduled(), HearingRefusal.CANCELLED))
                .or(() -> when(expectedRevision.isPresent() && expectedRevision.getAsLong() != hearing.revision(), HearingRefusal.STALE));
    }

    /** Why somebody may change no hearing of the case. */
    public static Optional<HearingRefusal> rejectsChanging(Case of, Asker asker) {
        Optional<Participant> part = of.part(asker.userId());
        return when(part.isEmpty(), HearingRefusal.NOT_A_PARTICIPANT)
                .or(() -> when(part.orElseThrow().isObserver(), HearingRefusal.OBSERVER))
                .or(() -> when(!part.orElseThrow().actsFor(Party.CASE_MANAGER) && !part.orElseThrow().actsFor(Party.ARBITRATOR), HearingRefusal.NOT_DECIDING));
    }

    private static Optional<HearingRefusal> mayChange(Case of, Asker asker) {
        return rejectsChanging(of, asker).or(() -> when(!of.isOpen(), HearingRefusal.CLOSED));
    }

    private static Optional<HearingRefusal> when(boolean holds, HearingRefusal refusal) {
        return holds ? Optional.of(refusal) : Optional.empty();
    }
}
