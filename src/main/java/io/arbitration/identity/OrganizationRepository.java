package io.arbitration.identity;

import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** The tables {@code identity.organizations} and {@code identity.members}. */
final class OrganizationRepository {

    private record Member(UUID userId, boolean isAdministrator) {}

    private final Database database;
    private final Revocations revocations;

    OrganizationRepository(Database database, Revocations revocations) {
        this.database = database;
        this.revocations = revocations;
    }

    /** Creates an organization with its first member and administrator. Fails with a refusal. */
    Future<Void> create(Requester by, UUID organizationId, String name, Instant now) {
        return database.transaction(by.key(), transaction -> requireUser(transaction, by.userId())
                .compose(found -> insertOrganization(transaction, organizationId, name, now))
                .compose(inserted -> insertMember(transaction, organizationId, by.userId(), true)));
    }

    private static Future<Void> insertOrganization(SqlConnection transaction, UUID organizationId, String name, Instant now) {
        return transaction.preparedQuery("""
                insert into identity.organizations (organization_id, name, created) values ($1, $2, $3)
                """).execute(Tuple.of(organizationId, name, now.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    /** Adds a member on behalf of an administrator. Fails with a refusal. */
    Future<Void> add(Requester by, UUID organizationId, UUID userId, boolean isAdministrator) {
        return database.transaction(by.key(), transaction -> lockedMembers(transaction, organizationId, by.userId())
                .compose(members -> requireUser(transaction, userId))
                .compose(found -> insertMember(transaction, organizationId, userId, isAdministrator)));
    }

    /**
     * Removes a member on behalf of an administrator and tells the revision from which the user's tokens may name an
     * organization again. Fails with a refusal.
     */
    Future<Long> remove(Requester by, UUID organizationId, UUID userId) {
        return database.transaction(by.key(), transaction -> lockedMembers(transaction, organizationId, by.userId()).compose(members -> {
            List<Member> others = members.stream().filter(member -> !member.userId().equals(userId)).toList();
            if (others.size() == members.size()) {
                return Future.failedFuture(IdentityError.MEMBER_NOT_FOUND.refusal());
            }
            if (others.stream().noneMatch(Member::isAdministrator)) {
                return Future.failedFuture(IdentityError.LAST_ADMINISTRATOR.refusal());
            }
            return deleteMember(transaction, userId)
                    .compose(deleted -> UserRepository.raiseRevision(transaction, userId))
                    .map(OptionalLong::orElseThrow)
                    .compose(revision -> revocations.takeOrganization(transaction, userId, revision).map(revision));
        }));
    }

    /**
     * The members of an organization that the caller administers. The organization is locked until the transaction ends:
     * two administrators who remove each other at once come one after the other.
     */
    private static Future<List<Member>> lockedMembers(SqlConnection transaction, UUID organizationId, UUID callerId) {
        return lock(transaction, organizationId).compose(locked -> locked
                ? members(transaction, organizationId)
                : Future.failedFuture(IdentityError.ORGANIZATION_NOT_FOUND.refusal()))
                .compose(members -> members.contains(new Member(callerId, true))
                        ? Future.succeededFuture(members)
                        : Future.failedFuture(IdentityError.NOT_AN_ADMINISTRATOR.refusal()));
    }

    private static Future<Boolean> lock(SqlConnection transaction, UUID organizationId) {
        return transaction.preparedQuery("select from identity.organizations where organization_id = $1 for no key update")
                .execute(Tuple.of(organizationId)).map(rows -> rows.size() == 1);
    }

    private static Future<List<Member>> members(SqlConnection transaction, UUID organizationId) {
        return Database.query(transaction, "select user_id, is_administrator from identity.members where organization_id = $1",
                Tuple.of(organizationId), row -> new Member(row.getUUID("user_id"), row.getBoolean("is_administrator")));
    }

    private static Future<Void> requireUser(SqlConnection transaction, UUID userId) {
        return transaction.preparedQuery("select from identity.users where user_id = $1 for key share")
                .execute(Tuple.of(userId))
                .compose(rows -> rows.size() == 1
                        ? Future.succeededFuture()
                        : Future.failedFuture(IdentityError.USER_NOT_FOUND.refusal()));
    }

    /** The primary key decides between two organizations that add the same user at once. */
    private static Future<Void> insertMember(
            SqlConnection transaction, UUID organizationId, UUID userId, boolean isAdministrator) {
        return transaction.preparedQuery("""
                insert into identity.members (user_id, organization_id, is_administrator) values ($1, $2, $3)
                on conflict (user_id) do nothing
                """).execute(Tuple.of(userId, organizationId, isAdministrator))
                .compose(rows -> rows.rowCount() == 1
                        ? Future.succeededFuture()
                        : Future.failedFuture(IdentityError.ALREADY_A_MEMBER.refusal()));
    }

    private static Future<Void> deleteMember(SqlConnection transaction, UUID userId) {
        return transaction.preparedQuery("delete from identity.members where user_id = $1").execute(Tuple.of(userId)).mapEmpty();
    }
}
