package io.arbitration.cases;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Member;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import java.util.UUID;

/** The users and organizations that may take part in cases, as the identity area publishes them. */
final class CaseMembersRepository {

    /** The user as the identity area publishes it; empty when there is none. */
    Future<Optional<Member>> member(SqlClient client, UserId userId) {
        return Database.query(client, """
                select user_id, organization_id from identity_api.users where user_id = $1
                """, Tuple.of(userId.value()), row -> new Member(
                        new UserId(row.getUUID(0)), Optional.ofNullable(row.getUUID(1)).map(OrganizationId::new)))
                .map(Database::first);
    }

    /** The user whose session this is, with the organization that the session acts for; empty when it is no user's. */
    Future<Optional<Member>> acting(SqlClient client, UserId userId, UUID sessionId) {
        return Database.query(client, """
                select u.user_id, s.organization_id
                from identity_api.users u left join identity_api.sessions s on s.session_id = $2 and s.caller_id = u.user_id
                where u.user_id = $1
                """, Tuple.of(userId.value(), sessionId), row -> new Member(
                        new UserId(row.getUUID(0)), Optional.ofNullable(row.getUUID(1)).map(OrganizationId::new)))
                .map(Database::first);
    }

    Future<Boolean> belongsTo(SqlClient client, UserId userId, OrganizationId organizationId) {
        return Database.query(client, """
                select from identity_api.memberships where user_id = $1 and organization_id = $2
                """, Tuple.of(userId.value(), organizationId.value()), row -> row).map(rows -> !rows.isEmpty());
    }

    Future<Boolean> organizationExists(SqlClient client, OrganizationId organizationId) {
        return Database.query(client, """
                select from identity_api.public_organizations where organization_id = $1
                """, Tuple.of(organizationId.value()), row -> row).map(rows -> !rows.isEmpty());
    }
}
