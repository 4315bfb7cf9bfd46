package io.arbitration.mainapi.export;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Standing;
import java.util.Map;

/**
 * A case at one moment, and where each of its growing parts ended then: what is written later has a higher number and is left
 * out, so that an export is of one moment however long it takes.
 *
 * @param standing     of whoever exports
 * @param lastNumber   of the docket
 * @param files        of docketed filings
 * @param lastExhibits numbers of the last exhibits, by party
 * @param ofDatabase   as {@code pg_current_snapshot()} gave it
 */
record Snapshot(
        long revision, Standing standing, int lastNumber, String headHash, long files, Map<PartyId, Integer> lastExhibits, String ofDatabase) {}
