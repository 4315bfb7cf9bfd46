package io.arbitration.domain.cases;

import io.arbitration.domain.PartyId;

/**
 * A role in a case.
 *
 * <p>The four parties named here exist in every set of definitions, because the rules of participation, approval and evidence
 * depend on them. A set may add others.
 */
public record Party(PartyId id, String displayName, String description) {
    public static final PartyId CLAIMANT = new PartyId("claimant");
    public static final PartyId RESPONDENT = new PartyId("respondent");
    public static final PartyId CASE_MANAGER = new PartyId("caseManager");
    public static final PartyId ARBITRATOR = new PartyId("arbitrator");
}
