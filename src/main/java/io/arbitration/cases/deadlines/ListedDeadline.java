package io.arbitration.cases.deadlines;

import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Deadline;
import java.time.Instant;
import java.util.Optional;

/**
 * A deadline as it is kept.
 *
 * @param extendedTo up to when it was extended; empty where it was not
 * @param clock      by which time its case runs
 * @param isMet      whether the document was submitted in time, and is neither withdrawn nor rejected
 */
record ListedDeadline(CaseDeadline deadline, Optional<Instant> extendedTo, CaseClock clock, boolean isMet) {

    /** With what was granted. */
    Deadline current() {
        return extendedTo.map(deadline.set()::extendedTo).orElse(deadline.set());
    }
}
