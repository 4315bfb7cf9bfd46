package io.arbitration.profiles;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Reads profiles from the public views of the identity area, ordered by ID; unknown IDs and private profiles are omitted. */
final class ProfilesRepository {

    private final Database database;

    ProfilesRepository(Database database) {
        this.database = database;
    }

    /** @param userIds without repetition */
    Future<List<UserProfile>> publicUsers(Collection<UUID> userIds) {
        return database.query("""
                select u.user_id, u.first_name, u.last_name
                from unnest($1::uuid[]) with ordinality as asked (user_id, place)
                join identity_api.public_users u using (user_id)
                order by asked.place
                """, ids(userIds),
                row -> new UserProfile(row.getUUID(0), row.getString(1), row.getString(2)));
    }

    /** @param organizationIds without repetition */
    Future<List<OrganizationProfile>> publicOrganizations(Collection<UUID> organizationIds) {
        return database.query("""
                select o.organization_id, o.name
                from unnest($1::uuid[]) with ordinality as asked (organization_id, place)
                join identity_api.public_organizations o using (organization_id)
                order by asked.place
                """, ids(organizationIds),
                row -> new OrganizationProfile(row.getUUID(0), row.getString(1)));
    }

    private static Tuple ids(Collection<UUID> ids) {
        return Tuple.tuple().addArrayOfUUID(ids.toArray(UUID[]::new));
    }
}
