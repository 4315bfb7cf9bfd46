package io.arbitration.cases;

import io.arbitration.cases.deadlines.DeadlineStorage;
import io.arbitration.cases.hearings.HearingAttendance;
import io.arbitration.cases.hearings.HearingClosing;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseChange;
import io.arbitration.domain.cases.CaseCommand;
import io.arbitration.domain.cases.CasePermissions;
import io.arbitration.domain.cases.CaseRefusal;
import io.arbitration.domain.cases.CaseUser;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.Member;
import io.arbitration.domain.cases.Participant;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Executes commands on a case within a transaction. The case is locked first, and the command is decided on the locked case. So
 * writes to a case do not overlap, and rights that have ended in the meantime have no effect.
 */
public final class CaseChanges {

    private final CasesRepository repository;
    private final CaseMembersRepository members = new CaseMembersRepository();
    private final EventLog eventLog;
    private final AuditTrail audit;
    private final CaseEvents events;
    private final DeadlineStorage deadlines;
    private final HearingAttendance attendance;
    private final HearingClosing hearings;
    private final CasePermissions permissions;

    CaseChanges(CasesRepository repository, EventLog eventLog, AuditTrail audit, CaseEvents events, DeadlineStorage deadlines,
            HearingAttendance attendance, HearingClosing hearings, Definitions definitions) {
        this.repository = repository;
        this.eventLog = eventLog;
        this.audit = audit;
        this.events = events;
        this.deadlines = deadlines;
        this.attendance = attendance;
        this.hearings = hearings;
        this.permissions = new CasePermissions(definitions);
    }

    public static CaseUser caseUser(Requester requester) {
        return new CaseUser(new UserId(requester.userId()), requester.isSuperAdministrator());
    }

    /** The refusal for an unknown case. */
    public Refusal caseNotFound() {
        return CasesError.CASE_NOT_FOUND.refusal();
    }

    /**
     * Locks the case in the event log and then the case itself. Must be the first statement of the transaction: all transactions take these
     * locks in this order. Fails with 404 if there is no such case.
     */
    public Future<Void> lock(SqlConnection transaction, CaseId caseId) {
        return eventLog.lockCases(transaction, caseId.value())
                .compose(ordered -> repository.lock(transaction, caseId))
                .compose(exists -> exists ? Future.succeededFuture() : Future.failedFuture(CasesError.CASE_NOT_FOUND.refusal()));
    }

    /**
     * Locks the case, then reads it with a second statement: the statement that waited for the lock would see the participants as they were
     * before the wait.
     */
    public Future<Case> locked(SqlConnection transaction, CaseId caseId) {
        return lock(transaction, caseId).compose(locked -> repository.find(transaction, caseId)).map(Optional::orElseThrow);
    }

    /** The case as it is now; fails with 404 if there is no such case. */
    public Future<Case> existing(Optional<CaseId> caseId) {
        return caseId.map(id -> repository.find(List.of(id))).orElse(Future.succeededFuture(List.of()))
                .map(found -> found.stream().findFirst().orElseThrow(CasesError.CASE_NOT_FOUND::refusal));
    }

    /**
     * Decides a command on the locked case, writes the change with its event and its audit line, and answers the changed case.
     *
     * @param member the user to whom the command refers, if it exists
     * @param now the time of the platform
     */
    public Future<Case> carryOut(
            SqlConnection transaction, CaseId caseId, CaseCommand command, Optional<Member> member, OptionalLong expectedRevision, Requester requester, Instant now) {
        return repository.find(transaction, caseId).map(Optional::orElseThrow).compose(current -> {
            CaseChange change = switch (permissions.decide(current, command, member, caseUser(requester), expectedRevision)) {
                case Decision.Decided<CaseChange, CaseRefusal>(CaseChange decided) -> decided;
                case Decision.Refused<CaseChange, CaseRefusal>(CaseRefusal reason) -> throw CasesError.refusal(reason);
            };
            Instant at = change instanceof CaseChange.PhaseBegun ? current.clock().next(now) : current.clock().now(now);
            return repository.write(transaction, current, change, at, now)
                    .compose(written -> changeHearings(transaction, current, change, requester, now))
                    .compose(notified -> eventLog.append(transaction, events.changed(current, change, requester, at).stream().toList()))
                    .compose(appended -> audit.append(transaction, List.of(CaseEvents.changedLine(current, change, requester, now))));
        }).compose(recorded -> repository.find(transaction, caseId).map(Optional::orElseThrow))
                .compose(changed -> deadlines.keep(transaction, changed).map(changed));
    }

    /**
     * Notifies of the coming hearings: a person who joins, one who leaves, and, when the case is closed, everybody that they are cancelled.
     */
    private Future<Void> changeHearings(SqlConnection transaction, Case current, CaseChange change, Requester requester, Instant now) {
        return switch (change) {
            case CaseChange.ParticipantAdded(Participant participant) -> attendance.joined(transaction, current, participant.userId(), now);
            case CaseChange.ParticipantRemoved(Participant participant) -> attendance.left(transaction, current, participant.userId(), now);
            case CaseChange.Closed(String reason) -> hearings.closed(transaction, current, reason, requester, now);
            case CaseChange.ParticipantRestricted _, CaseChange.PhaseBegun _ -> Future.succeededFuture();
        };
    }

    /**
     * The requester with the organization for which it participates. Fails with 403 for a machine client, for an organization to
     * which the requester does not belong, and if the organization of the session is to be used but the request names another one
     * (header {@code Acting-Organization}). Fails with 404 for an organization that does not exist.
     */
    public Future<Member> acting(SqlClient client, Requester requester, OrganizationChoice actsFor) {
        UserId userId = new UserId(requester.userId());
        return members.acting(client, userId, requester.caller().sessionId())
                .map(known -> known.orElseThrow(CasesError.USERS_ONLY::refusal))
                .compose(user -> switch (actsFor) {
                    case OrganizationChoice.Usual usual -> {
                        requester.requireActingFor(user.organizationId().map(OrganizationId::value));
                        yield Future.succeededFuture(user);
                    }
                    case OrganizationChoice.None none -> Future.succeededFuture(new Member(userId, Optional.empty()));
                    case OrganizationChoice.Named(String organizationID) -> named(client, userId, organizationID);
                });
    }

    private Future<Member> named(SqlClient client, UserId userId, String organizationID) {
        OrganizationId wanted = OrganizationId.of(organizationID).orElseThrow(CasesError.ORGANIZATION_NOT_FOUND::refusal);
        return members.belongsTo(client, userId, wanted).compose(belongs -> belongs
                ? Future.succeededFuture(new Member(userId, Optional.of(wanted)))
                : members.organizationExists(client, wanted).compose(exists -> Future.failedFuture(
                        (exists ? CasesError.NOT_A_MEMBER : CasesError.ORGANIZATION_NOT_FOUND).refusal())));
    }

    /** Another user with the organization for which the user participates; empty if there is no such user. */
    Future<Optional<Member>> member(SqlConnection transaction, UserId userId, OrganizationChoice actsFor) {
        return members.member(transaction, userId).compose(found -> found.isEmpty() ? Future.succeededFuture(found) : switch (actsFor) {
            case OrganizationChoice.Usual usual -> Future.succeededFuture(found);
            case OrganizationChoice.None none -> Future.succeededFuture(Optional.of(new Member(userId, Optional.empty())));
            case OrganizationChoice.Named(String organizationID) -> {
                Optional<OrganizationId> wanted = OrganizationId.of(organizationID);
                yield wanted.map(id -> members.belongsTo(transaction, userId, id)).orElse(Future.succeededFuture(false))
                        .map(belongs -> Optional.of(new Member(userId, wanted, belongs)));
            }
        });
    }
}
