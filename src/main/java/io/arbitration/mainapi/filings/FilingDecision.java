package io.arbitration.mainapi.filings;

import io.arbitration.mainapi.docket.DocketEntry;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import java.util.List;
import java.util.Optional;

/**
 * What a command leads to; written in one transaction.
 *
 * @param entry the docket entry that it makes; null when it makes none
 */
record FilingDecision(Filing filing, DocketEntry entry, List<Event> events, AuditTrail.Line line) {

    /** The same, its events part of a trace. */
    FilingDecision in(Optional<String> trace) {
        return trace.isEmpty() ? this : new FilingDecision(filing, entry, events.stream().map(event -> event.in(trace)).toList(), line);
    }
}
