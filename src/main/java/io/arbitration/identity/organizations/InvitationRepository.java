package io.arbitration.identity.organizations;

import io.arbitration.identity.organizations.Invitation.Invitee;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables {@code identity.invitations} and {@code identity.invitation_days}; also queues the notifications of invitations. */
public final class InvitationRepository {

    /** Void if the inviter is disabled, or no longer administers the organization. */
    static final String INVITATION = """
            select i.invitation_id, i.organization_id, o.name, i.user_id, i.email, i.is_administrator, i.invited_by, i.created, i.expires_at,
                   i.outcome is not null as is_answered,
                   not exists (
                     select from identity.memberships m join identity.users u using (user_id)
                     where m.user_id = i.invited_by and m.organization_id = i.organization_id and m.is_administrator
                       and u.disabled_at is null) as is_void
            from identity.invitations i join identity.organizations o using (organization_id)
            """;

    /** For the user itself, or for the user's email that a provider verified. Parameter 1 is the user. */
    private static final String FOR_USER = """
            (i.user_id = $1 or i.email is not null
               and lower(i.email collate "C") = (select lower(email collate "C") from identity.users where user_id = $1))
            """;

    private final Database database;

    public InvitationRepository(Database database) {
        this.database = database;
    }

    /** Counts an invitation of today; false if the user has reached the daily bound. */
    Future<Boolean> countToday(SqlConnection transaction, UUID userId, LocalDate day, int most) {
        return Database.query(transaction, "select identity_api.count_invitation($1, $2, $3)", Tuple.of(userId, day, most),
                row -> row.getBoolean(0)).map(List::getFirst);
    }

    /** The number of other open invitations of the organization, and when the first of them expires. */
    record Open(int count, Optional<Instant> firstExpiry) {}

    Future<Open> openBeside(SqlConnection transaction, UUID organizationId, Invitee invitee, Instant now) {
        return Database.query(transaction, """
                select count(*)::integer as count, min(expires_at) as first from identity.invitations
                where organization_id = $1 and outcome is null and expires_at > $4
                  and not (user_id is not distinct from $2 and lower(email collate "C") is not distinct from lower($3 collate "C"))
                """, Tuple.of(organizationId, invitee.userId().orElse(null), invitee.email().orElse(null), Columns.utc(now)),
                row -> new Open(row.getInteger("count"), Optional.ofNullable(row.get(OffsetDateTime.class, "first")).map(OffsetDateTime::toInstant)))
                .map(List::getFirst);
    }

    /**
     * Inserts an invitation and queues its notifications. If there is an unanswered one for the same person, open or expired,
     * that one is renewed instead: it gets this inviter, offer and time.
     */
    Future<UUID> renew(SqlConnection transaction, UUID freshId, UUID organizationId, Invitee invitee, boolean isAdministrator, UUID by, Instant now,
            Instant expires) {
        Tuple values = Tuple.of(freshId, organizationId, invitee.userId().orElse(null), invitee.email().orElse(null), isAdministrator, by)
                .addOffsetDateTime(Columns.utc(now)).addOffsetDateTime(Columns.utc(expires));
        return Database.query(transaction, """
                with renewed as (
                  update identity.invitations
                  set is_administrator = $5, invited_by = $6, created = $7, expires_at = $8, email_number = email_number + 1
                  where organization_id = $2 and outcome is null
                    and user_id is not distinct from $3 and lower(email collate "C") is not distinct from lower($4 collate "C")
                  returning invitation_id),
                made as (
                  insert into identity.invitations
                    (invitation_id, organization_id, user_id, email, is_administrator, invited_by, created, expires_at)
                  select $1, $2, $3, $4, $5, $6, $7, $8 where not exists (select from renewed)
                  returning invitation_id)
                select invitation_id from renewed union all select invitation_id from made
                """, values, row -> row.getUUID(0)).map(List::getFirst)
                .compose(id -> queueNotifications(transaction, id).map(id));
    }

    /** A push message for each account of the invited person, and an email. */
    private static Future<Void> queueNotifications(SqlConnection transaction, UUID invitationId) {
        return transaction.preparedQuery("""
                with queued as (
                  insert into identity.invitation_emails (invitation_id, number, user_id)
                  select i.invitation_id, i.email_number, recipients.user_id
                  from identity.invitations i, lateral (
                    select u as user_id from alerts_api.invitation_recipients(i.user_id, i.email) u union all select null) recipients
                  where i.invitation_id = $1
                  returning email_id)
                select platform.enqueue('organization_invitations', array_agg(email_id)) from queued
                """).execute(Tuple.of(invitationId)).mapEmpty();
    }

    /** The invitation, locked until the transaction ends; empty if it is not for the user. */
    Future<Optional<Invitation>> lockFor(SqlConnection transaction, UUID userId, UUID invitationId) {
        return Database.query(transaction, INVITATION + "where i.invitation_id = $2 and " + FOR_USER + " for update of i",
                Tuple.of(userId, invitationId), InvitationRepository::invitation).map(Database::first);
    }

    Future<Optional<Invitation>> lock(SqlConnection transaction, UUID invitationId) {
        return Database.query(transaction, INVITATION + "where i.invitation_id = $1 for update of i", Tuple.of(invitationId),
                InvitationRepository::invitation).map(Database::first);
    }

    /** The organization of an invitation; locks nothing. */
    Future<Optional<UUID>> organizationOf(SqlConnection transaction, UUID invitationId) {
        return Database.query(transaction, "select organization_id from identity.invitations where invitation_id = $1", Tuple.of(invitationId),
                row -> row.getUUID(0)).map(Database::first);
    }

    Future<Void> answer(SqlConnection transaction, UUID invitationId, String outcome, Instant now) {
        return transaction.preparedQuery("update identity.invitations set outcome = $2, answered_at = $3 where invitation_id = $1")
                .execute(Tuple.of(invitationId, outcome, Columns.utc(now))).mapEmpty();
    }

    /** The open invitations for a user. */
    Future<List<Invitation>> listFor(UUID userId, Instant now, PageByTime.Wanted wanted) {
        return database.query("select * from (" + INVITATION + "where i.outcome is null and i.expires_at > $2 and " + FOR_USER + """
                ) open
                where not is_void and (created, invitation_id) > ($3, $4)
                order by created, invitation_id
                limit $5
                """, Tuple.of(userId, Columns.utc(now), Columns.utc(wanted.after().at()), wanted.after().id(), wanted.rows()), InvitationRepository::invitation);
    }

    /** The open invitations of an organization. */
    Future<List<Invitation>> listOf(UUID organizationId, Instant now, PageByTime.Wanted wanted) {
        return database.query("select * from (" + INVITATION + """
                where i.organization_id = $1 and i.outcome is null and i.expires_at > $2) open
                where not is_void and (created, invitation_id) > ($3, $4)
                order by created, invitation_id
                limit $5
                """, Tuple.of(organizationId, Columns.utc(now), Columns.utc(wanted.after().at()), wanted.after().id(), wanted.rows()),
                InvitationRepository::invitation);
    }

    /** Deletes at most this many of those that expired before the given time, and daily counts from before it. */
    Future<Integer> deleteBefore(Instant before, int most) {
        return database.update("""
                delete from identity.invitation_days where (user_id, day) in (
                  select user_id, day from identity.invitation_days where day < $1::timestamptz::date order by day limit $2)
                """, Tuple.of(Columns.utc(before), most)).compose(days -> database.update("""
                delete from identity.invitations where invitation_id in (
                  select invitation_id from identity.invitations where expires_at < $1 order by expires_at limit $2)
                """, Tuple.of(Columns.utc(before), most)));
    }

    static Invitation invitation(Row row) {
        return new Invitation(row.getUUID("invitation_id"), row.getUUID("organization_id"), row.getString("name"),
                new Invitee(Optional.ofNullable(row.getUUID("user_id")), Optional.ofNullable(row.getString("email"))),
                row.getBoolean("is_administrator"), row.getUUID("invited_by"), row.get(OffsetDateTime.class, "created").toInstant(),
                row.get(OffsetDateTime.class, "expires_at").toInstant(), row.getBoolean("is_answered"), row.getBoolean("is_void"));
    }
}
