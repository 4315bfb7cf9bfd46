package io.arbitration.mainapi.filings;

import java.util.UUID;

/** The part that a person has in a case. */
record Part(UUID userId, UUID organizationId, String partyId, boolean isObserver) {}
