package io.arbitration.domain.cases;

import io.arbitration.domain.Decision;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.UserId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * Who may schedule, change and cancel hearings: case manager and arbitrators, in an open case. Checked in the order
 * participation, role, state.
 */
public final class HearingRules {

    /** Of a case, including cancelled ones. */
    public static final int HEARINGS_MAX = 500;

    private HearingRules() {}

    /** @param hearings number of hearings of the case */
    public static Decision<Hearing, HearingRefusal> schedule(Case of, Hearing.Schedule schedule, int hearings, CaseUser caseUser, Instant now, HearingId hearingId) {
        return mayChange(of, caseUser)
                .or(() -> when(hearings >= HEARINGS_MAX, HearingRefusal.TOO_MANY))
                .<Decision<Hearing, HearingRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(
                        new Hearing(hearingId, of.caseId(), schedule, 1, 0, Optional.empty(), Optional.empty(), caseUser.userId(), now, now)));
    }

    /**
     * The changed hearing; the same hearing in the same revision if nothing changes.
     *
     * @param change the changes of the schedule
     */
    public static Decision<Hearing, HearingRefusal> change(
            Case of, Hearing hearing, UnaryOperator<Hearing.Schedule> change, OptionalLong expectedRevision, CaseUser caseUser, Instant now) {
        return obstacle(of, hearing, expectedRevision, caseUser)
                .<Decision<Hearing, HearingRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> {
                    Hearing.Schedule to = change.apply(hearing.schedule());
                    return new Decision.Decided<>(to.equals(hearing.schedule()) ? hearing : hearing.changed(to, now));
                });
    }

    public static Decision<Hearing, HearingRefusal> cancel(
            Case of, Hearing hearing, String reason, OptionalLong expectedRevision, CaseUser caseUser, Instant now) {
        return obstacle(of, hearing, expectedRevision, caseUser)
                .<Decision<Hearing, HearingRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(hearing.cancelled(caseUser.userId(), reason, now)));
    }

    /** A future hearing of a case that is being closed: cancelled by the user who closes the case, for the same reason. */
    public static Hearing cancelledByClosing(Hearing hearing, UserId by, String reason, Instant now) {
        return hearing.cancelled(by, reason, now);
    }

    private static Optional<HearingRefusal> obstacle(Case of, Hearing hearing, OptionalLong expectedRevision, CaseUser caseUser) {
        return mayChange(of, caseUser)
                .or(() -> when(!hearing.isScheduled(), HearingRefusal.CANCELLED))
                .or(() -> when(expectedRevision.isPresent() && expectedRevision.getAsLong() != hearing.revision(), HearingRefusal.STALE));
    }

    /** The reason why a user may not change hearings of the case. */
    public static Optional<HearingRefusal> rejectsChanging(Case of, CaseUser caseUser) {
        Optional<Participant> part = of.part(caseUser.userId());
        return when(part.isEmpty(), HearingRefusal.NOT_A_PARTICIPANT)
                .or(() -> when(part.orElseThrow().isObserver(), HearingRefusal.OBSERVER))
                .or(() -> when(!part.orElseThrow().actsFor(Party.CASE_MANAGER) && !part.orElseThrow().actsFor(Party.ARBITRATOR), HearingRefusal.NOT_DECIDING));
    }

    private static Optional<HearingRefusal> mayChange(Case of, CaseUser caseUser) {
        return rejectsChanging(of, caseUser).or(() -> when(!of.isOpen(), HearingRefusal.CLOSED));
    }

    private static Optional<HearingRefusal> when(boolean holds, HearingRefusal refusal) {
        return holds ? Optional.of(refusal) : Optional.empty();
    }
}
