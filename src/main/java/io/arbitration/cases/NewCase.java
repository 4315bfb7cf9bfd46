package io.arbitration.cases;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a case is opened with.
 *
 * @param responseDeadlineDays empty: as the rule set says
 * @param actsFor              for which organization the caller takes part
 * @param requestName          the caller's own name for this request, {@code requestID} on the wire
 * @param isSandbox   whether it is to run by a clock of its own
 */
record NewCase(
        String title, String ruleSet, OptionalInt responseDeadlineDays, OrganizationChoice actsFor, Optional<String> requestName, boolean isSandbox) {}
