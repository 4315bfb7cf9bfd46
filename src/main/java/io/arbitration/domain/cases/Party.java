package io.arbitration.domain.cases;

/**
 * A role in a case.
 *
 * <p>The four named here exist in every set of definitions: the rules of participation, approval and evidence
 * rest on them. A set may add others.
 */
public record Party(String id, String displayName, String description) {
    public static final String CLAIMANT = "claimant";
    public static final String RESPONDENT = "respondent";
    public static final String CASE_MANAGER = "caseManager";
    public static final String ARBITRATOR = "arbitrator";
}
