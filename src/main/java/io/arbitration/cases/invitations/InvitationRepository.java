package io.arbitration.cases.invitations;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The table {@code cases.invitations}. */
public final class InvitationRepository {

    /**
     * Void if the inviter is disabled, or may no longer change the participants of that side: the same rule as {@code
     * Participant.mayChangeSide}, plus super administrators. Parameter 1 has the emails of those in the configuration.
     */
    static final String INVITATION = """
            select i.invitation_id, i.case_id, c.title, c.status, i.email, i.party_id, i.is_primary, i.is_observer, i.invited_by, i.created, i.expires_at,
                   i.outcome is not null as is_answered,
                   not exists (
                     select from identity_api.users u
                     where u.user_id = i.invited_by and not u.disabled and (
                       exists (select from cases.participants p
                               where p.case_id = i.case_id and p.user_id = i.invited_by and not p.is_observer
                                 and (p.party_id = 'caseManager' or p.is_primary and p.party_id = i.party_id))
                       or lower(u.email collate "C") = any($1)
                       or exists (select from identity_api.permissions g
                                  where g.user_id = u.user_id and g.permission = 'admin.platform.super'))) as is_void
            from cases.invitations i join cases.cases c using (case_id)
            """;

    /** Whether the invited email is the user's email that a provider verified. Parameter 2 is the user. */
    private static final String FOR_USER = """
            lower(i.email collate "C") = (select lower(email collate "C") from identity_api.users where user_id = $2 and not disabled)
            """;

    private final Database database;
    private final Set<String> superAdministrators;

    public InvitationRepository(Database database, Set<String> superAdministrators) {
        this.database = database;
        this.superAdministrators = superAdministrators;
    }

    /** An invitation to a side of a case. */
    record Offer(CaseId caseId, String email, PartyId partyId, boolean isPrimary, boolean isObserver) {}

    /** The number of other open invitations of the case, and when the first of them expires. */
    record Open(int count, Optional<Instant> firstExpiry) {}

    /** Counts an invitation of today, to an organization or a case; false if the user has reached the daily bound. */
    Future<Boolean> countToday(SqlConnection transaction, UUID userId, LocalDate day, int most) {
        return Database.query(transaction, "select identity_api.count_invitation($1, $2, $3)", Tuple.of(userId, day, most),
                row -> row.getBoolean(0)).map(List::getFirst);
    }

    Future<Open> openBeside(SqlConnection transaction, Offer offer, Instant now) {
        return Database.query(transaction, """
                select count(*)::integer as count, min(expires_at) as first from cases.invitations
                where case_id = $1 and outcome is null and expires_at > $4
                  and not (lower(email collate "C") = lower($2 collate "C") and party_id = $3)
                """, Tuple.of(offer.caseId().value(), offer.email(), offer.partyId().value(), Columns.utc(now)),
                row -> new Open(row.getInteger("count"), Optional.ofNullable(row.get(OffsetDateTime.class, "first")).map(OffsetDateTime::toInstant)))
                .map(List::getFirst);
    }

    /**
     * Inserts an invitation and queues its notifications. If there is an unanswered one for the same email and side, open or
     * expired, that one is renewed instead: it gets this inviter, offer and time.
     */
    Future<UUID> renew(SqlConnection transaction, UUID freshId, Offer offer, UUID by, Instant now, Instant expires) {
        Tuple values = Tuple.of(freshId, offer.caseId().value(), offer.email(), offer.partyId().value(), offer.isPrimary(), offer.isObserver())
                .addUUID(by).addOffsetDateTime(Columns.utc(now)).addOffsetDateTime(Columns.utc(expires));
        return Database.query(transaction, """
                with renewed as (
                  update cases.invitations
                  set is_primary = $5, is_observer = $6, invited_by = $7, created = $8, expires_at = $9
                  where case_id = $2 and lower(email collate "C") = lower($3 collate "C") and party_id = $4 and outcome is null
                  returning invitation_id),
                made as (
                  insert into cases.invitations
                    (invitation_id, case_id, email, party_id, is_primary, is_observer, invited_by, created, expires_at)
                  select $1, $2, $3, $4, $5, $6, $7, $8, $9 where not exists (select from renewed)
                  returning invitation_id)
                select invitation_id from renewed union all select invitation_id from made
                """, values, row -> row.getUUID(0)).map(List::getFirst)
                .compose(id -> queueNotifications(transaction, id).map(id));
    }

    /**
     * A push message for each account with that email, then an email. The email comes last because a node of the previous release only
     * sends the last one.
     */
    private static Future<Void> queueNotifications(SqlConnection transaction, UUID invitationId) {
        return transaction.preparedQuery("""
                with queued as (
                  insert into cases.invitation_emails (invitation_id, user_id)
                  select invitation_id, recipients.user_id
                  from cases.invitations i, lateral (
                    select u as user_id, 1 as place from alerts_api.invitation_recipients(null, i.email) u union all select null, 2) recipients
                  where i.invitation_id = $1
                  order by recipients.place
                  returning email_id)
                select platform.enqueue('case_invitations', array_agg(email_id)) from queued
                """).execute(Tuple.of(invitationId)).mapEmpty();
    }

    /** The case of an invitation; locks nothing. */
    Future<Optional<CaseId>> caseOf(SqlConnection transaction, UUID invitationId) {
        return Database.query(transaction, "select case_id from cases.invitations where invitation_id = $1", Tuple.of(invitationId),
                row -> new CaseId(row.getUUID(0))).map(Database::first);
    }

    /** The invitation, locked until the transaction ends; empty if it is not for this user. */
    Future<Optional<Invitation>> lockFor(SqlConnection transaction, UserId userId, UUID invitationId) {
        return Database.query(transaction, INVITATION + "where i.invitation_id = $3 and " + FOR_USER + " for update of i",
                Tuple.of(emails(), userId.value(), invitationId), InvitationRepository::invitation).map(Database::first);
    }

    Future<Optional<Invitation>> lock(SqlConnection transaction, UUID invitationId) {
        return Database.query(transaction, INVITATION + "where i.invitation_id = $2 for update of i", Tuple.of(emails(), invitationId),
                InvitationRepository::invitation).map(Database::first);
    }

    Future<Void> answer(SqlConnection transaction, UUID invitationId, String outcome, Instant now) {
        return transaction.preparedQuery("update cases.invitations set outcome = $2, answered_at = $3 where invitation_id = $1")
                .execute(Tuple.of(invitationId, outcome, Columns.utc(now))).mapEmpty();
    }

    /** The open invitations that a user can accept. */
    Future<List<Invitation>> listFor(UserId userId, Instant now, PageByTime.Wanted wanted) {
        return database.query("select * from (" + INVITATION + "where i.outcome is null and i.expires_at > $3 and " + FOR_USER + """
                ) open
                where not is_void and status = 'open' and (created, invitation_id) > ($4, $5)
                  and not exists (select from cases.participants p where p.case_id = open.case_id and p.user_id = $2)
                order by created, invitation_id
                limit $6
                """, Tuple.of(emails(), userId.value(), Columns.utc(now), Columns.utc(wanted.after().at()), wanted.after().id(), wanted.rows()),
                InvitationRepository::invitation);
    }

    /** The open invitations of a case to join one of these sides. */
    Future<List<Invitation>> listOf(CaseId caseId, Collection<PartyId> sides, Instant now, PageByTime.Wanted wanted) {
        return database.query("select * from (" + INVITATION + """
                where i.case_id = $2 and i.party_id = any($3) and i.outcome is null and i.expires_at > $4) open
                where not is_void and (created, invitation_id) > ($5, $6)
                order by created, invitation_id
                limit $7
                """, Tuple.of(emails(), caseId.value(), sides.stream().map(PartyId::value).toArray(String[]::new), Columns.utc(now), Columns.utc(wanted.after().at()),
                        wanted.after().id()).addInteger(wanted.rows()), InvitationRepository::invitation);
    }

    /** Deletes at most this many of those that expired before the given time, with their notifications. */
    Future<Integer> deleteBefore(Instant before, int most) {
        return database.update("""
                delete from cases.invitations where invitation_id in (
                  select invitation_id from cases.invitations where expires_at < $1 order by expires_at limit $2)
                """, Tuple.of(Columns.utc(before), most));
    }

    private String[] emails() {
        return superAdministrators.toArray(String[]::new);
    }

    static Invitation invitation(Row row) {
        return new Invitation(row.getUUID("invitation_id"), new CaseId(row.getUUID("case_id")), row.getString("title"), row.getString("email"),
                new PartyId(row.getString("party_id")), row.getBoolean("is_primary"), row.getBoolean("is_observer"),
                new UserId(row.getUUID("invited_by")), row.getOffsetDateTime("created").toInstant(), row.getOffsetDateTime("expires_at").toInstant(),
                row.getBoolean("is_answered"), row.getBoolean("is_void"));
    }
}
