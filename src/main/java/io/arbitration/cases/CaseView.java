package io.arbitration.cases;

import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import java.util.List;

/**
 * A case with what its timetable needs.
 *
 * @param triggering what {@link io.arbitration.domain.cases.CaseDates} has of its docket; empty where the timetable of the rule set does not depend on it
 */
record CaseView(Case of, List<TriggeringEntry> triggering) {

    CaseView {
        triggering = List.copyOf(triggering);
    }
}
