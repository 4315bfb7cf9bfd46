package io.arbitration.identity.organizations;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The tables {@code identity.organizations} and {@code identity.memberships}. */
public final class OrganizationRepository {

    /** A user in an organization. */
    record Member(UUID userId, boolean isAdministrator, Instant since) {}

    /** An organization in the list of a user. */
    record Joined(UUID organizationId, String name, boolean isAdministrator, Instant since) {}

    private final Database database;

    public OrganizationRepository(Database database) {
        this.database = database;
    }

    Future<Void> insert(SqlConnection transaction, UUID organizationId, String name, UUID createdBy, Instant now) {
        return transaction.preparedQuery("""
                insert into identity.organizations (organization_id, name, created, created_by) values ($1, $2, $3, $4)
                """).execute(Tuple.of(organizationId, name, now.atOffset(ZoneOffset.UTC), createdBy)).mapEmpty();
    }

    Future<Integer> countCreatedBy(SqlConnection transaction, UUID userId) {
        return Database.query(transaction, "select count(*)::integer from identity.organizations where created_by = $1", Tuple.of(userId),
                row -> row.getInteger(0)).map(List::getFirst);
    }

    /**
     * Locks an organization until the transaction ends, so that changes of its members do not overlap; false if there is no such
     * organization.
     */
    Future<Boolean> lock(SqlConnection transaction, UUID organizationId) {
        return Database.query(transaction, "select from identity.organizations where organization_id = $1 for no key update",
                Tuple.of(organizationId), row -> row).map(rows -> !rows.isEmpty());
    }

    Future<Boolean> exists(UUID organizationId) {
        return database.query("select from identity.organizations where organization_id = $1", Tuple.of(organizationId), row -> row)
                .map(rows -> !rows.isEmpty());
    }

    /**
     * Locks a user until the transaction ends, so that the number of memberships does not change meanwhile; false if there is no such user.
     */
    Future<Boolean> lockUser(SqlConnection transaction, UUID userId) {
        return Database.query(transaction, "select from identity.users where user_id = $1 for no key update", Tuple.of(userId), row -> row)
                .map(rows -> !rows.isEmpty());
    }

    Future<Integer> countOf(SqlConnection transaction, UUID userId) {
        return Database.query(transaction, "select count(*)::integer from identity.memberships where user_id = $1", Tuple.of(userId),
                row -> row.getInteger(0)).map(List::getFirst);
    }

    Future<List<Member>> administrators(SqlConnection transaction, UUID organizationId) {
        return Database.query(transaction, """
                select user_id, is_administrator, since from identity.memberships where organization_id = $1 and is_administrator
                """, Tuple.of(organizationId), OrganizationRepository::member);
    }

    /** The membership of one user: a list with one element or none. */
    Future<List<Member>> member(SqlConnection transaction, UUID organizationId, UUID userId) {
        return Database.query(transaction, """
                select user_id, is_administrator, since from identity.memberships where organization_id = $1 and user_id = $2
                """, Tuple.of(organizationId, userId), OrganizationRepository::member);
    }

    Future<Boolean> isMember(UUID organizationId, UUID userId) {
        return database.query("select from identity.memberships where organization_id = $1 and user_id = $2",
                Tuple.of(organizationId, userId), row -> row).map(rows -> !rows.isEmpty());
    }

    Future<Boolean> isAdministrator(UUID organizationId, UUID userId) {
        return database.query("select from identity.memberships where organization_id = $1 and user_id = $2 and is_administrator",
                Tuple.of(organizationId, userId), row -> row).map(rows -> !rows.isEmpty());
    }

    /** Whether the user administers the organization. If so, this cannot change until the transaction ends. */
    public Future<Boolean> holdsAdministrator(SqlConnection transaction, UUID organizationId, UUID userId) {
        return Database.query(transaction, """
                select from identity.memberships where organization_id = $1 and user_id = $2 and is_administrator for share
                """, Tuple.of(organizationId, userId), row -> row).map(rows -> !rows.isEmpty());
    }

    /** Adds a member. If the user is already a member and is added as an administrator, the user becomes one. */
    Future<Void> insertMember(SqlConnection transaction, UUID organizationId, UUID userId, boolean isAdministrator, Instant now) {
        return transaction.preparedQuery("""
                insert into identity.memberships (user_id, organization_id, is_administrator, since) values ($1, $2, $3, $4)
                on conflict (user_id, organization_id) do update set is_administrator = true
                  where excluded.is_administrator and not memberships.is_administrator
                """).execute(Tuple.of(userId, organizationId, isAdministrator, now.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    Future<Void> deleteMember(SqlConnection transaction, UUID organizationId, UUID userId) {
        return transaction.preparedQuery("delete from identity.memberships where organization_id = $1 and user_id = $2")
                .execute(Tuple.of(organizationId, userId)).mapEmpty();
    }

    Future<Void> setAdministrator(SqlConnection transaction, UUID organizationId, UUID userId, boolean isAdministrator) {
        return transaction.preparedQuery("""
                update identity.memberships set is_administrator = $3 where organization_id = $1 and user_id = $2 and is_administrator <> $3
                """).execute(Tuple.of(organizationId, userId, isAdministrator)).mapEmpty();
    }

    Future<List<Joined>> listOf(UUID userId, PageByTime.Wanted wanted) {
        return database.query("""
                select m.organization_id, o.name, m.is_administrator, m.since
                from identity.memberships m join identity.organizations o using (organization_id)
                where m.user_id = $1 and (m.since, m.organization_id) > ($2, $3)
                order by m.since, m.organization_id
                limit $4
                """, Tuple.of(userId, wanted.after().at().atOffset(ZoneOffset.UTC), wanted.after().id(), wanted.rows()),
                row -> new Joined(row.getUUID("organization_id"), row.getString("name"), row.getBoolean("is_administrator"),
                        row.get(OffsetDateTime.class, "since").toInstant()));
    }

    Future<List<Member>> members(UUID organizationId, PageByTime.Wanted wanted) {
        return database.query("""
                select user_id, is_administrator, since from identity.memberships
                where organization_id = $1 and (since, user_id) > ($2, $3)
                order by since, user_id
                limit $4
                """, Tuple.of(organizationId, wanted.after().at().atOffset(ZoneOffset.UTC), wanted.after().id(), wanted.rows()),
                OrganizationRepository::member);
    }

    /** The organizations that a user administers. */
    public Future<Set<UUID>> administeredBy(UUID userId) {
        return database.query("select organization_id from identity.memberships where user_id = $1 and is_administrator", Tuple.of(userId),
                row -> row.getUUID(0)).map(ids -> ids.stream().collect(Collectors.toUnmodifiableSet()));
    }

    private static Member member(Row row) {
        return new Member(row.getUUID("user_id"), row.getBoolean("is_administrator"), row.get(OffsetDateTime.class, "since").toInstant());
    }
}
