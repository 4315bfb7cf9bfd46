package io.arbitration.mainapi.export;

import java.util.Map;

/**
 * A case at one moment, and where each of its growing parts ended then: what is written later has a higher number and is left
 * out, so that an export is of one moment however long it takes.
 *
 * @param partyId part of whoever exports; null without one
 * @param lastNumber of the docket
 * @param lastExhibits numbers of the last exhibits, by party
 * @param ofDatabase as {@code pg_current_snapshot()} gave it
 */
record Snapshot(
        long revision, String phaseId, String partyId, boolean isObserver, int lastNumber, String headHash,
        Map<String, Integer> lastExhibits, String ofDatabase) {}
