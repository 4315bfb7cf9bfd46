package io.arbitration.mainapi.evidence;

import java.util.UUID;

/** Who does something with evidence, and from where: what the audit trail keeps. */
record By(UUID userId, String requestId, String address) {}
