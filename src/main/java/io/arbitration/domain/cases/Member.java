package io.arbitration.domain.cases;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/**
 * A user of the platform, and the organization for which the user is to act.
 *
 * @param belongs whether the user belongs to that organization
 */
public record Member(UserId userId, Optional<OrganizationId> organizationId, boolean belongs) {

    /** A user with an organization to which the user belongs. */
    public Member(UserId userId, Optional<OrganizationId> organizationId) {
        this(userId, organizationId, true);
    }
}
