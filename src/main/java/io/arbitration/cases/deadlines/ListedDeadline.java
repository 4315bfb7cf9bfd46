package io.arbitration.cases.deadlines;

import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Deadline;
import java.time.Instant;
import java.util.Optional;

/**
 * A stored deadline.
 *
 * @param extendedTo the extended date; empty if it was not extended
 * @param clock      the clock of its case
 * @param isMet      whether the document was submitted in time, and is neither withdrawn nor rejected
 */
record ListedDeadline(CaseDeadline deadline, Optional<Instant> extendedTo, CaseClock clock, boolean isMet) {

    /** The deadline with its extended date. */
    Deadline current() {
        return extendedTo.map(deadline.set()::extendedTo).orElse(deadline.set());
    }
}
