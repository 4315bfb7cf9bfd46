package io.arbitration.profiles;

import io.arbitration.domain.Identifiers;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Looks up profiles in bulk. Unknown and private IDs are omitted, repeated ones count once, and the order is that of the first
 * occurrence.
 */
final class ProfilesService {

    private final ProfilesRepository repository;

    ProfilesService(ProfilesRepository repository) {
        this.repository = repository;
    }

    Future<List<UserProfile>> users(List<String> ids) {
        return repository.publicUsers(known(ids));
    }

    Future<List<OrganizationProfile>> organizations(List<String> ids) {
        return repository.publicOrganizations(known(ids));
    }

    /** A text that has not the form of an ID belongs to nobody. */
    private static Set<UUID> known(List<String> ids) {
        Set<UUID> known = LinkedHashSet.newLinkedHashSet(ids.size());
        for (String id : ids) {
            Identifiers.uuid(id).ifPresent(known::add);
        }
        return known;
    }
}
