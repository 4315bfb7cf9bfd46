package io.arbitration.identity.organizations;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.invitation.InvitationTerms;
import io.arbitration.domain.time.UtcDay;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.organizations.Invitation.Invitee;
import io.arbitration.identity.sessions.SessionRepository;
import io.arbitration.identity.users.UserError;
import io.arbitration.identity.users.UserRepository;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Invitations to join an organization: nobody becomes a member without accepting one. The answer to an administrator never
 * reveals whether a user has the email. The invited person gets an email, and sees the invitation in the list of invitations.
 */
public final class InvitationService {

    private static final int SWEPT_AT_ONCE = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(InvitationService.class);

    private final Database database;
    private final InvitationRepository invitations;
    private final OrganizationRepository organizations;
    private final OrganizationService members;
    private final UserRepository users;
    private final SessionRepository sessions;
    private final Secrets secrets;
    private final Clock clock;

    /** A sent invitation. */
    record Sent(UUID invitationId, Instant expires) {}

    /**
     * The invited person in a request: either a user or an email. The inner value of the user is empty if the text has not the form of an
     * id.
     */
    record Wanted(Optional<Optional<UserId>> userId, Optional<String> email, boolean isAdministrator) {}

    public InvitationService(
            Database database, InvitationRepository invitations, OrganizationRepository organizations, OrganizationService members, UserRepository users,
            SessionRepository sessions, Secrets secrets, Clock clock) {
        this.database = database;
        this.invitations = invitations;
        this.organizations = organizations;
        this.members = members;
        this.users = users;
        this.sessions = sessions;
        this.secrets = secrets;
        this.clock = clock;
    }

    Future<Sent> create(Requester requester, Optional<OrganizationId> organizationId, Wanted wanted) {
        UUID id = organizationId.orElseThrow(OrganizationError.ORGANIZATION_NOT_FOUND::refusal).value();
        Instant now = clock.instant();
        Instant expires = now.plus(InvitationTerms.OPEN);
        return database.transaction(requester.key(), transaction -> members.administered(transaction, id, requester.userId())
                        .compose(administrators -> invitee(transaction, id, wanted))
                        .compose(invitee -> checkOpen(transaction, id, invitee, now)
                                .compose(few -> countToday(transaction, requester, now))
                                .compose(counted -> invitations.renew(transaction, secrets.id(), id, invitee, wanted.isAdministrator(), requester.userId(),
                                        now, expires))))
                .onSuccess(invitationId -> LOG.info("{} invited somebody into organization {}, invitation {}", requester.userId(), id, invitationId))
                .map(invitationId -> new Sent(invitationId, expires));
    }

    private Future<Invitee> invitee(SqlConnection transaction, UUID organizationId, Wanted wanted) {
        if (wanted.email().isPresent()) {
            return Future.succeededFuture(new Invitee(Optional.empty(), wanted.email()));
        }
        UUID userId = wanted.userId().orElseThrow().orElseThrow(UserError.USER_NOT_FOUND::refusal).value();
        return users.find(transaction, userId)
                .map(user -> user.orElseThrow(UserError.USER_NOT_FOUND::refusal))
                .compose(user -> organizations.member(transaction, organizationId, userId))
                .compose(member -> member.isEmpty()
                        ? Future.succeededFuture(new Invitee(Optional.of(userId), Optional.empty()))
                        : Future.failedFuture(OrganizationError.ALREADY_A_MEMBER.refusal()));
    }

    private Future<Void> checkOpen(SqlConnection transaction, UUID organizationId, Invitee invitee, Instant now) {
        return invitations.openBeside(transaction, organizationId, invitee, now).compose(open -> open.count() < InvitationTerms.OPEN_MAX
                ? Future.succeededFuture()
                : Future.failedFuture(OrganizationError.TOO_MANY_OPEN.refusal(InvitationTerms.OPEN_MAX)
                        .retryAfter(InvitationTerms.secondsUntil(open.firstExpiry().orElseThrow(), now))));
    }

    private Future<Void> countToday(SqlConnection transaction, Requester requester, Instant now) {
        return invitations.countToday(transaction, requester.userId(), UtcDay.of(now), InvitationTerms.A_DAY_MAX).compose(counted -> counted
                ? Future.succeededFuture()
                : Future.failedFuture(OrganizationError.TOO_MANY_TODAY.refusal(InvitationTerms.A_DAY_MAX)
                        .retryAfter(UtcDay.secondsToNext(now))));
    }

    /** The open invitations. @param organizationId those of this organization; empty: those for the requester */
    Future<PageByTime<Invitation>> list(Requester requester, Optional<Optional<OrganizationId>> organizationId, PageByTime.Wanted wanted) {
        Instant now = clock.instant();
        return (organizationId.isEmpty()
                ? invitations.listFor(requester.userId(), now, wanted)
                : administered(requester, organizationId.get()).compose(id -> invitations.listOf(id, now, wanted)))
                .map(rows -> wanted.page(rows, invitation -> new TimeKey(invitation.created(), invitation.id())));
    }

    private Future<UUID> administered(Requester requester, Optional<OrganizationId> organizationId) {
        UUID id = organizationId.orElseThrow(OrganizationError.ORGANIZATION_NOT_FOUND::refusal).value();
        return organizations.isAdministrator(id, requester.userId()).compose(is -> is
                ? Future.succeededFuture(id)
                : organizations.exists(id).compose(exists -> Future.failedFuture(
                        (exists ? OrganizationError.NOT_AN_ADMINISTRATOR : OrganizationError.ORGANIZATION_NOT_FOUND).refusal())));
    }

    /** Makes the requester a member. If its session acts for no organization, it acts for this one from now on. */
    Future<Void> accept(Requester requester, Optional<UUID> invitationId) {
        Instant now = clock.instant();
        return database.transaction(requester.key(), transaction -> lock(transaction, requester, invitationId, now)
                .compose(invitation -> members.lockUser(transaction, requester.userId())
                        .compose(locked -> organizations.insertMember(
                                transaction, invitation.organizationId(), requester.userId(), invitation.isAdministrator(), now))
                        .compose(joined -> sessions.actForIfNone(
                                transaction, requester.caller().sessionId(), requester.userId(), invitation.organizationId()))
                        .compose(acting -> invitations.answer(transaction, invitation.id(), "accepted", now))
                        .onSuccess(accepted -> LOG.info("{} accepted invitation {} into organization {}", requester.userId(), invitation.id(),
                                invitation.organizationId()))));
    }

    Future<Void> decline(Requester requester, Optional<UUID> invitationId) {
        Instant now = clock.instant();
        return database.transaction(requester.key(), transaction -> lock(transaction, requester, invitationId, now)
                .compose(invitation -> invitations.answer(transaction, invitation.id(), "declined", now)));
    }

    /**
     * Locks the organization, then the invitation. The removal of a member locks the organization, too, so the inviter is not removed while
     * the invitation is accepted.
     */
    private Future<Invitation> lock(SqlConnection transaction, Requester requester, Optional<UUID> invitationId, Instant now) {
        UUID id = invitationId.orElseThrow(OrganizationError.INVITATION_NOT_FOUND::refusal);
        return invitations.organizationOf(transaction, id)
                .map(found -> found.orElseThrow(OrganizationError.INVITATION_NOT_FOUND::refusal))
                .compose(organizationId -> organizations.lock(transaction, organizationId))
                .compose(locked -> invitations.lockFor(transaction, requester.userId(), id))
                .map(found -> found.orElseThrow(OrganizationError.INVITATION_NOT_FOUND::refusal))
                .compose(invitation -> unless(invitation.obstacle(now), invitation));
    }

    /** Revokes an invitation, for administrators of the organization. For others it is answered as not found. */
    Future<Void> revoke(Requester requester, Optional<UUID> invitationId) {
        UUID id = invitationId.orElseThrow(OrganizationError.INVITATION_NOT_FOUND::refusal);
        Instant now = clock.instant();
        return database.transaction(requester.key(), transaction -> invitations.lock(transaction, id)
                .map(found -> found.orElseThrow(OrganizationError.INVITATION_NOT_FOUND::refusal))
                .compose(invitation -> organizations.member(transaction, invitation.organizationId(), requester.userId())
                        .compose(member -> member.stream().anyMatch(OrganizationRepository.Member::isAdministrator)
                                ? unless(invitation.obstacleToRevoking(now), invitation)
                                : Future.failedFuture(OrganizationError.INVITATION_NOT_FOUND.refusal())))
                .compose(invitation -> invitations.answer(transaction, invitation.id(), "revoked", now)));
    }

    private static Future<Invitation> unless(Optional<OrganizationError> obstacle, Invitation invitation) {
        return obstacle
                .map(error -> Future.<Invitation>failedFuture(error.refusal()))
                .orElseGet(() -> Future.succeededFuture(invitation));
    }

    /** Deletes invitations that expired before the given time, a bounded number at a time. */
    public Future<Void> sweep(Instant before) {
        return invitations.deleteBefore(before, SWEPT_AT_ONCE).mapEmpty();
    }
}
