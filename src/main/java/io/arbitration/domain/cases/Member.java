package io.arbitration.domain.cases;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/**
 * A user of the platform, and the organization that the user is to act for.
 *
 * @param belongs whether the user belongs to that organization
 */
public record Member(UserId userId, Optional<OrganizationId> organizationId, boolean belongs) {

    /** Somebody with the organization that it belongs to. */
    public Member(UserId userId, Optional<OrganizationId> organizationId) {
        this(userId, organizationId, true);
    }
}
