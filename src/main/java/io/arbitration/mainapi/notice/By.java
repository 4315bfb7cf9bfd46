package io.arbitration.mainapi.notice;

import java.util.UUID;

/** Who serves or asks, and from where: what the audit trail keeps. */
record By(UUID userId, String requestId, String address) {}
