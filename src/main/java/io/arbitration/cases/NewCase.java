package io.arbitration.cases;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The properties of a case that is being opened.
 *
 * @param responseDeadlineDays empty: the default of the rule set
 * @param seat empty: that of the rule set, if it has one
 * @param actsFor the organization for which the caller participates
 * @param requestName the caller's own name for this request, {@code requestID} in the interface
 * @param isSandbox whether it gets a clock of its own
 */
record NewCase(
        String title, String ruleSet, OptionalInt responseDeadlineDays, Optional<String> seat, OrganizationChoice actsFor, Optional<String> requestName,
        boolean isSandbox) {}
