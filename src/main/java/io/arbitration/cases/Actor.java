package io.arbitration.cases;

import java.util.Optional;
import java.util.UUID;

/**
 * Who acts on a case.
 *
 * @param requestId for the audit trail
 * @param address   of the peer, for the audit trail
 */
record Actor(UUID userId, boolean isSuperAdministrator, String requestId, String address, Optional<String> trace) {
}
