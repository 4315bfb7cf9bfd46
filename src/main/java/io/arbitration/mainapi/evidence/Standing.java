package io.arbitration.mainapi.evidence;

import java.util.UUID;

/**
 * A case, and somebody's part in it.
 *
 * @param partyId null without a part
 * @param organizationId of the part; null without one
 */
record Standing(String phaseId, boolean open, String partyId, UUID organizationId, boolean isObserver) {}
