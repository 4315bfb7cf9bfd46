package io.arbitration.domain.filing;

import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.DocketEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * The change that an accepted command makes.
 *
 * @param filing its new state
 * @param entry the docket entry that was made from it
 * @param by the user who caused it
 */
public record FilingChange(Filing filing, Optional<DocketEntry> entry, Kind kind, UserId by, Instant at) {

    /** The kind of change. */
    public enum Kind {
        CREATED, UPDATED, FILE_ADDED, FILE_UPDATED, FILE_REMOVED, SUBMITTED, SUBMITTED_LATE, SUBMITTED_AND_DOCKETED, APPROVED, REJECTED,
        WITHDRAWN
    }
}
