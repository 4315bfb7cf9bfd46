package io.arbitration.domain.filing;

import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.DocketEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * What a command that is carried out changes.
 *
 * @param filing as it is from now on
 * @param entry docket entry that it became
 * @param by who made it happen
 */
public record FilingChange(Filing filing, Optional<DocketEntry> entry, Kind kind, UserId by, Instant at) {

    /** What was done with the filing. */
    public enum Kind {
        CREATED, UPDATED, FILE_ADDED, FILE_UPDATED, FILE_REMOVED, SUBMITTED, SUBMITTED_LATE, SUBMITTED_AND_DOCKETED, APPROVED, REJECTED,
        WITHDRAWN
    }
}
