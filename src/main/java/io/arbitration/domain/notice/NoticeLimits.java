package io.arbitration.domain.notice;

import java.util.Optional;

/**
 * How many recipients notices may have. An outside recipient is one whose address is that of nobody in the case.
 *
 * @param perCaseMax in a case altogether: what its proofs and exports have to carry
 */
public record NoticeLimits(int perCaseMax, int outsidePerUserAndDay, int outsidePerCaseAndDay) {

    /** Recipients with those of a notice that is about to be served; days are those of UTC. */
    public record Totals(int inCase, int outsideOfUserToday, int outsideOfCaseToday) {}

    /** Why a notice is one too many; empty when it is not. */
    public Optional<NoticeRefusal> refuses(Totals totals) {
        if (totals.inCase > perCaseMax) {
            return Optional.of(new NoticeRefusal.TooManyInCase(perCaseMax));
        }
        if (totals.outsideOfUserToday > outsidePerUserAndDay) {
            return Optional.of(new NoticeRefusal.TooManyOutsideOfUser(outsidePerUserAndDay));
        }
        return totals.outsideOfCaseToday > outsidePerCaseAndDay
                ? Optional.of(new NoticeRefusal.TooManyOutsideOfCase(outsidePerCaseAndDay)) : Optional.empty();
    }
}
