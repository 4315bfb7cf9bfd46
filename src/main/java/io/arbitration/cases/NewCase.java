package io.arbitration.cases;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a case is opened with.
 *
 * @param responseDeadlineDays empty: as the rule set says
 * @param organizationID       as the caller wrote it; empty: the organization of the caller, if it has one
 * @param requestName          the caller's own name for this request, {@code requestID} on the wire
 */
record NewCase(
        String title, String ruleSet, OptionalInt responseDeadlineDays, Optional<String> organizationID, Optional<String> requestName) {}
