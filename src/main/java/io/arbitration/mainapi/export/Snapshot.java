package io.arbitration.mainapi.export;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.CaseParticipation;
import java.util.Map;

/**
 * A case at one moment, with the last number of each part that grows. Rows that are written later have higher numbers and are
 * omitted, so that an export shows one moment, however long it takes.
 *
 * @param participation of the reader in the case
 * @param lastNumber   the last number of the docket
 * @param files        of docketed filings
 * @param lastExhibits numbers of the last exhibits, by party
 * @param ofDatabase the value of {@code pg_current_snapshot()}
 */
record Snapshot(
        long revision, CaseParticipation participation, int lastNumber, String headHash, long files, Map<PartyId, Integer> lastExhibits, String ofDatabase) {}
