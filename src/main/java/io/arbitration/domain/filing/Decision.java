package io.arbitration.domain.filing;

import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.DocketEntry;
import java.time.Instant;
import java.util.Optional;

/** What becomes of a command. */
public sealed interface Decision {

    /**
     * It is carried out.
     *
     * @param filing as it is from now on
     * @param entry docket entry that it became
     * @param by who made it happen
     */
    record Decided(Filing filing, Optional<DocketEntry> entry, Deed deed, UserId by, Instant at) implements Decision {}

    /** It is refused and changes nothing. */
    record Refused(FilingRefusal reason) implements Decision {}

    /** What was done with the filing. */
    enum Deed { CREATED, UPDATED, SUBMITTED, SUBMITTED_LATE, SUBMITTED_AND_DOCKETED, APPROVED, REJECTED, WITHDRAWN }
}
