package io.arbitration.mainapi.filings;

import io.arbitration.mainapi.docket.DocketEntry;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import java.util.List;

/**
 * What a command leads to; written in one transaction.
 *
 * @param entry the docket entry that it makes; null when it makes none
 */
record FilingDecision(Filing filing, DocketEntry entry, List<Event> events, AuditTrail.Line line) {}
