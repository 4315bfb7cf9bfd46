package io.arbitration.domain.notice;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;
import java.util.Optional;

/**
 * The bounds of recipients of notices. An outside recipient has an address that belongs to no participant of the case.
 *
 * @param perCaseMax in a case in total, because its proofs and exports contain them all
 * @param outsidePerCaseAndDay of which one side has at most two fifths, so that the other side has as many and the tribunal the rest
 * @param insidePerUserAndDay participants, for one user in all cases together
 */
public record NoticeLimits(int perCaseMax, int outsidePerUserAndDay, int outsidePerCaseAndDay, int insidePerUserAndDay) {

    private static final int SHARES = 5;
    private static final int SHARES_OF_A_SIDE = 2;

    /**
     * Recipients including those of a notice that is about to be served; days are UTC.
     *
     * @param outsideOfSideToday of the users of the sender's party in the case; 0 when that is no side
     */
    public record Totals(int inCase, int outsideOfUserToday, int outsideOfCaseToday, int outsideOfSideToday, int insideOfUserToday) {}

    /** Whether the party is one of those that argue against each other, and not of the tribunal or its administration. */
    public static boolean isSide(PartyId party) {
        return !party.equals(Party.CASE_MANAGER) && !party.equals(Party.ARBITRATOR);
    }

    private int outsidePerSideAndDay() {
        return Math.ceilDiv(outsidePerCaseAndDay * SHARES_OF_A_SIDE, SHARES);
    }

    /** The reason why a notice exceeds a bound; empty if it does not. */
    public Optional<NoticeRefusal> refuses(Totals totals) {
        if (totals.inCase > perCaseMax) {
            return Optional.of(new NoticeRefusal.TooManyInCase(perCaseMax));
        }
        if (totals.outsideOfUserToday > outsidePerUserAndDay) {
            return Optional.of(new NoticeRefusal.TooManyOutsideOfUser(outsidePerUserAndDay));
        }
        if (totals.outsideOfCaseToday > outsidePerCaseAndDay) {
            return Optional.of(new NoticeRefusal.TooManyOutsideOfCase(outsidePerCaseAndDay));
        }
        if (totals.outsideOfSideToday > outsidePerSideAndDay()) {
            return Optional.of(new NoticeRefusal.TooManyOutsideOfSide(outsidePerSideAndDay()));
        }
        return totals.insideOfUserToday > insidePerUserAndDay
                ? Optional.of(new NoticeRefusal.TooManyInsideOfUser(insidePerUserAndDay)) : Optional.empty();
    }
}
