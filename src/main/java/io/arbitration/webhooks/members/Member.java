package io.arbitration.webhooks.members;

import java.util.UUID;

/** A caller and the organization that it acts for. */
public record Member(UUID userId, UUID organizationId, boolean isAdministrator) {}
