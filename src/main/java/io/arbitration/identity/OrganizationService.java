package io.arbitration.identity;

import io.arbitration.platform.auth.Caller;
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

    Future<UUID> create(Caller caller, String name) {
        UUID organizationId = secrets.id();
        return organizations.create(organizationId, name, caller.id(), clock.instant()).map(organizationId);
    }

    /** The next token of the user names the organization. */
    Future<Void> add(Caller caller, Optional<UUID> organizationId, Optional<UUID> userId, boolean isAdministrator) {
        // An id that is no UUID names nobody; a fresh one names nobody either, and takes the same checks in the same order.
        return organizations.add(
                organizationId.orElseGet(secrets::id), caller.id(), userId.orElseGet(secrets::id), isAdministrator);
    }

    /** The user's tokens stop naming the organization at once. */
    Future<Void> remove(Caller caller, Optional<UUID> organizationId, Optional<UUID> userId) {
        UUID memberId = userId.orElseGet(secrets::id);
        return organizations.remove(organizationId.orElseGet(secrets::id), caller.id(), memberId)
                .onSuccess(revision -> revocations.organizationTaken(memberId, revision))
                .mapEmpty();
    }
}
