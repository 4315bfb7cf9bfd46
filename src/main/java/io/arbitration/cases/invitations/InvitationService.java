package io.arbitration.cases.invitations;

import io.arbitration.cases.CaseChanges;
import io.arbitration.cases.CasesError;
import io.arbitration.cases.OrganizationChoice;
import io.arbitration.cases.invitations.InvitationRepository.Offer;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseCommand;
import io.arbitration.domain.cases.CasePermissions;
import io.arbitration.domain.cases.CaseRefusal;
import io.arbitration.domain.cases.CaseUser;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.invitation.InvitationTerms;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.domain.time.UtcDay;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Invitations to become a participant of a case. The answer to the inviter does not reveal whether a user has the email, or is a
 * participant already. The invited person gets an email, and sees the invitation in the list of invitations.
 */
public final class InvitationService {

    private static final int SWEPT_AT_ONCE = 1000;

    private final Database database;
    private final InvitationRepository invitations;
    private final CaseChanges changes;
    private final AuditTrail audit;
    private final Definitions definitions;
    private final CasePermissions permissions;
    private final Clock clock;
    private final RandomGenerator random;

    public InvitationService(
            Database database, InvitationRepository invitations, CaseChanges changes, AuditTrail audit, Definitions definitions, Clock clock, RandomGenerator random) {
        this.database = database;
        this.invitations = invitations;
        this.changes = changes;
        this.audit = audit;
        this.definitions = definitions;
        this.permissions = new CasePermissions(definitions);
        this.clock = clock;
        this.random = random;
    }

    /** A sent invitation. */
    record Sent(UUID invitationId, Instant expires) {}

    /** @param partyID as the client wrote it */
    record Wanted(String email, String partyID, boolean isPrimary, boolean isObserver) {}

    Future<Sent> create(Requester requester, Optional<CaseId> caseId, Wanted wanted) {
        CaseId id = caseId.orElseThrow(CasesError.CASE_NOT_FOUND::refusal);
        Instant now = now();
        Instant expires = now.plus(InvitationTerms.OPEN);
        return database.transaction(requester.key(), transaction -> changes.locked(transaction, id)
                        .map(current -> offer(current, wanted, CaseChanges.caseUser(requester)))
                        .compose(offer -> checkOpen(transaction, offer, now)
                                .compose(few -> countToday(transaction, requester, now))
                                .compose(counted -> invitations.renew(transaction, Identifiers.random(random), offer, requester.userId(), now, expires)))
                        .compose(invitationId -> note(transaction, id, "invitation.sent", invitationId, requester, now).map(invitationId)))
                .map(invitationId -> new Sent(invitationId, expires));
    }

    private Offer offer(Case current, Wanted wanted, CaseUser caseUser) {
        return switch (permissions.invite(current, wanted.partyID(), caseUser)) {
            case Decision.Decided<PartyId, CaseRefusal>(PartyId party) ->
                    new Offer(current.caseId(), wanted.email(), party, wanted.isPrimary(), wanted.isObserver());
            case Decision.Refused<PartyId, CaseRefusal>(CaseRefusal reason) -> throw CasesError.refusal(reason);
        };
    }

    private Future<Void> checkOpen(SqlConnection transaction, Offer offer, Instant now) {
        return invitations.openBeside(transaction, offer, now).compose(open -> open.count() < InvitationTerms.OPEN_MAX
                ? Future.succeededFuture()
                : Future.failedFuture(InvitationError.TOO_MANY_OPEN.refusal(InvitationTerms.OPEN_MAX)
                        .retryAfter(InvitationTerms.secondsUntil(open.firstExpiry().orElseThrow(), now))));
    }

    private Future<Void> countToday(SqlConnection transaction, Requester requester, Instant now) {
        return invitations.countToday(transaction, requester.userId(), UtcDay.of(now), InvitationTerms.A_DAY_MAX).compose(counted -> counted
                ? Future.succeededFuture()
                : Future.failedFuture(InvitationError.TOO_MANY_TODAY.refusal(InvitationTerms.A_DAY_MAX)
                        .retryAfter(UtcDay.secondsToNext(now))));
    }

    /** The invitations that the requester can accept. */
    Future<PageByTime<Invitation>> list(Requester requester, PageByTime.Wanted wanted) {
        return invitations.listFor(new UserId(requester.userId()), now(), wanted).map(rows -> page(wanted, rows));
    }

    /** The open invitations of a case to the sides to which the requester may add people. */
    Future<PageByTime<Invitation>> list(Requester requester, Optional<CaseId> caseId, PageByTime.Wanted wanted) {
        CaseUser caseUser = CaseChanges.caseUser(requester);
        return changes.existing(caseId).compose(seen -> {
            permissions.rejectsInvitations(seen, caseUser).ifPresent(reason -> {
                throw CasesError.refusal(reason);
            });
            List<PartyId> sides = definitions.parties().stream().map(Party::id).filter(party -> permissions.mayChangeSide(seen, party, caseUser)).toList();
            return invitations.listOf(seen.caseId(), sides, now(), wanted);
        }).map(rows -> page(wanted, rows));
    }

    private static PageByTime<Invitation> page(PageByTime.Wanted wanted, List<Invitation> rows) {
        return wanted.page(rows, invitation -> new TimeKey(invitation.created(), invitation.id()));
    }

    /**
     * Adds the requester to the case; answers the revision of the case.
     *
     * @param ifMatch the revision that the case must have; empty: any
     */
    Future<Long> accept(Requester requester, Optional<UUID> invitationId, OrganizationChoice actsFor, OptionalLong ifMatch) {
        Instant now = now();
        return database.transaction(requester.key(), transaction -> lockFor(transaction, requester, invitationId, now)
                .compose(invitation -> changes.acting(transaction, requester, actsFor)
                        .compose(member -> changes.carryOut(transaction, invitation.caseId(),
                                new CaseCommand.AcceptInvitation(invitation.partyId(), invitation.isPrimary(), invitation.isObserver()),
                                Optional.of(member), ifMatch, requester, now))
                        .compose(joined -> answer(transaction, invitation, "accepted", requester, now).map(joined.revision()))));
    }

    Future<Void> decline(Requester requester, Optional<UUID> invitationId) {
        Instant now = now();
        return database.transaction(requester.key(), transaction -> lockFor(transaction, requester, invitationId, now)
                .compose(invitation -> answer(transaction, invitation, "declined", requester, now)));
    }

    /** Revokes an invitation, for users who may invite to its side. For others it is answered as not found. */
    Future<Void> revoke(Requester requester, Optional<UUID> invitationId) {
        UUID id = invitationId.orElseThrow(InvitationError.NOT_FOUND::refusal);
        Instant now = now();
        return database.transaction(requester.key(), transaction -> lockCase(transaction, id)
                .compose(current -> invitations.lock(transaction, id).map(Optional::orElseThrow).compose(invitation ->
                        permissions.mayChangeSide(current, invitation.partyId(), CaseChanges.caseUser(requester))
                                ? unless(invitation.obstacleToRevoking(now), invitation)
                                : Future.failedFuture(InvitationError.NOT_FOUND.refusal())))
                .compose(invitation -> answer(transaction, invitation, "revoked", requester, now)));
    }

    /**
     * Locks the case, then the invitation. Every write to the case locks it first, so the inviter is not removed, nor the case
     * closed, while the invitation is accepted.
     */
    private Future<Case> lockCase(SqlConnection transaction, UUID invitationId) {
        return invitations.caseOf(transaction, invitationId)
                .map(found -> found.orElseThrow(InvitationError.NOT_FOUND::refusal))
                .compose(caseId -> changes.locked(transaction, caseId));
    }

    private Future<Invitation> lockFor(SqlConnection transaction, Requester requester, Optional<UUID> invitationId, Instant now) {
        UUID id = invitationId.orElseThrow(InvitationError.NOT_FOUND::refusal);
        return lockCase(transaction, id)
                .compose(current -> invitations.lockFor(transaction, new UserId(requester.userId()), id))
                .map(found -> found.orElseThrow(InvitationError.NOT_FOUND::refusal))
                .compose(invitation -> unless(invitation.obstacle(now), invitation));
    }

    private static Future<Invitation> unless(Optional<InvitationError> obstacle, Invitation invitation) {
        return obstacle
                .map(error -> Future.<Invitation>failedFuture(error.refusal()))
                .orElseGet(() -> Future.succeededFuture(invitation));
    }

    private Future<Void> answer(SqlConnection transaction, Invitation invitation, String outcome, Requester requester, Instant now) {
        return invitations.answer(transaction, invitation.id(), outcome, now)
                .compose(answered -> note(transaction, invitation.caseId(), "invitation." + outcome, invitation.id(), requester, now));
    }

    private Future<Void> note(SqlConnection transaction, CaseId caseId, String action, UUID invitationId, Requester requester, Instant now) {
        return audit.append(transaction, List.of(new AuditTrail.Line(
                caseId.value(), now, requester.userId(), action, invitationId.toString(), requester.requestId(), requester.address())));
    }

    private Instant now() {
        return Timestamps.milliseconds(clock.instant());
    }

    /** Deletes invitations that expired before the given time, a bounded number at a time. */
    public Future<Void> sweep(Instant before) {
        return invitations.deleteBefore(before, SWEPT_AT_ONCE).mapEmpty();
    }
}
