package io.arbitration.webhooks;

import java.util.UUID;

/** A caller in its organization. */
record Member(UUID userId, UUID organizationId, boolean isAdministrator) {}
