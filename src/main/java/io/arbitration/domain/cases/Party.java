package io.arbitration.domain.cases;

import io.arbitration.domain.PartyId;

/**
 * A role in a case.
 *
 * <p>The four named here exist in every set of definitions: the rules of participation, approval and evidence
 * rest on them. A set may add others.
 */
public record Party(PartyId id, String displayName, String description) {
    public static final PartyId CLAIMANT = new PartyId("claimant");
    public static final PartyId RESPONDENT = new PartyId("respondent");
    public static final PartyId CASE_MANAGER = new PartyId("caseManager");
    public static final PartyId ARBITRATOR = new PartyId("arbitrator");
}
