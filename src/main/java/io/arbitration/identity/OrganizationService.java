package io.arbitration.identity;

import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;

/** Organizations and their members. A user belongs to one at most. */
final class OrganizationService {

    private final OrganizationRepository organizations;
    private final Revocations revocations;
    private final Secrets secrets;
    private final Clock clock;

    OrganizationService(OrganizationRepository organizations, Revocations revocations, Secrets secrets, Clock clock) {
        this.organizations = organizations;
        this.revocations = revocations;
        this.secrets = secrets;
        this.clock = clock;
    }

    Future<UUID> create(Requester by, String name) {
        UUID organizationId = secrets.id();
        return organizations.create(by, organizationId, name, clock.instant()).map(organizationId);
    }

    /** The next token of the user names the organization. */
    Future<Void> add(Requester by, Optional<UUID> organizationId, Optional<UUID> userId, boolean isAdministrator) {
        // An id that is no UUID names nobody; a fresh one names nobody either, and takes the same checks in the same order.
        return organizations.add(by, organizationId.orElseGet(secrets::id), userId.orElseGet(secrets::id), isAdministrator);
    }

    /** The user's tokens stop naming the organization at once. */
    Future<Void> remove(Requester by, Optional<UUID> organizationId, Optional<UUID> userId) {
        UUID memberId = userId.orElseGet(secrets::id);
        return organizations.remove(by, organizationId.orElseGet(secrets::id), memberId)
                .onSuccess(revision -> revocations.organizationTaken(memberId, revision))
                .mapEmpty();
    }
}
