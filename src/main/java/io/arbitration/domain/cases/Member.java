package io.arbitration.domain.cases;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/** A user of the platform, and the organization that the user belongs to now. */
public record Member(UserId userId, Optional<OrganizationId> organizationId) {}
