package io.arbitration.cases;

import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import java.util.List;

/**
 * A case with the entries that its timetable needs.
 *
 * @param triggering the docket entries for {@link io.arbitration.domain.cases.CaseDates}; empty if the timetable of the rule set
 * does not depend on them
 */
record CaseView(Case of, List<TriggeringEntry> triggering) {

    CaseView {
        triggering = List.copyOf(triggering);
    }
}
