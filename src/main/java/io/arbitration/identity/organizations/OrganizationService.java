package io.arbitration.identity.organizations;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.organizations.OrganizationRepository.Joined;
import io.arbitration.identity.organizations.OrganizationRepository.Member;
import io.arbitration.identity.sessions.SessionRepository;
import io.arbitration.identity.users.UserError;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Organizations and their members. Each always has an administrator; members join only by invitation. */
public final class OrganizationService {

    static final int ORGANIZATIONS_MAX = 200;

    private final Database database;
    private final OrganizationRepository organizations;
    private final SessionRepository sessions;
    private final SecurityEvents security;
    private final Secrets secrets;
    private final int createdPerUserMax;
    private final Clock clock;

    /** @param createdPerUserMax the maximum number of organizations that a user creates; super administrators may create more */
    public OrganizationService(
            Database database, OrganizationRepository organizations, SessionRepository sessions, SecurityEvents security, Secrets secrets,
            int createdPerUserMax, Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.sessions = sessions;
        this.security = security;
        this.secrets = secrets;
        this.createdPerUserMax = createdPerUserMax;
        this.clock = clock;
    }

    /**
     * Creates an organization with the requester as its first administrator. If the session acts for no organization, it acts for this one
     * from now on.
     */
    Future<UUID> create(Requester requester, String name) {
        UUID organizationId = secrets.id();
        Instant now = clock.instant();
        return database.transaction(requester.key(), transaction -> lockUser(transaction, requester.userId())
                .compose(locked -> requester.isSuperAdministrator() ? Future.succeededFuture(0) : organizations.countCreatedBy(transaction, requester.userId()))
                .compose(created -> created < createdPerUserMax ? organizations.insert(transaction, organizationId, name, requester.userId(), now)
                        : Future.failedFuture(OrganizationError.TOO_MANY_CREATED.refusal(createdPerUserMax)))
                .compose(inserted -> organizations.insertMember(transaction, organizationId, requester.userId(), true, now))
                .compose(joined -> sessions.actForIfNone(transaction, requester.caller().sessionId(), requester.userId(), organizationId))
                .map(organizationId));
    }

    /** Locks a user who is to become a member; fails if the user belongs to as many organizations as allowed. */
    Future<Void> lockUser(SqlConnection transaction, UUID userId) {
        return organizations.lockUser(transaction, userId)
                .compose(found -> found ? organizations.countOf(transaction, userId) : Future.failedFuture(UserError.USER_NOT_FOUND.refusal()))
                .compose(count -> count < ORGANIZATIONS_MAX ? Future.succeededFuture()
                        : Future.failedFuture(OrganizationError.TOO_MANY_ORGANIZATIONS.refusal(ORGANIZATIONS_MAX)));
    }

    Future<PageByTime<Joined>> list(Requester requester, PageByTime.Wanted wanted) {
        return organizations.listOf(requester.userId(), wanted)
                .map(rows -> wanted.page(rows, joined -> new TimeKey(joined.since(), joined.organizationId())));
    }

    Future<PageByTime<Member>> members(Requester requester, Optional<OrganizationId> organizationId, PageByTime.Wanted wanted) {
        UUID id = id(organizationId);
        return organizations.isMember(id, requester.userId())
                .compose(member -> member ? organizations.members(id, wanted) : organizations.exists(id).compose(exists -> Future.failedFuture(
                        (exists ? OrganizationError.NOT_A_MEMBER : OrganizationError.ORGANIZATION_NOT_FOUND).refusal())))
                .map(rows -> wanted.page(rows, member -> new TimeKey(member.since(), member.userId())));
    }

    /** Removes a member. From now on, no session of that user acts for the organization, on any node. */
    Future<Void> remove(Requester requester, Optional<OrganizationId> organizationId, Optional<UserId> userId) {
        UUID id = id(organizationId);
        return database.transaction(requester.key(), transaction -> administered(transaction, id, requester.userId())
                        .compose(administrators -> memberOf(transaction, id, userId)
                                .compose(member -> lastOf(administrators, member)
                                        ? Future.failedFuture(OrganizationError.LAST_ADMINISTRATOR.refusal())
                                        : end(transaction, id, member.userId()))))
                .onSuccess(removed -> security.acted(requester.userId(), "member.removed", "%s of %s".formatted(userId.map(UserId::value).orElse(null), id)));
    }

    Future<Void> leave(Requester requester, Optional<OrganizationId> organizationId) {
        UUID id = id(organizationId);
        return database.transaction(requester.key(), transaction -> lock(transaction, id)
                .compose(locked -> organizations.member(transaction, id, requester.userId()))
                .compose(member -> member.isEmpty() ? Future.failedFuture(OrganizationError.NOT_A_MEMBER.refusal())
                        : organizations.administrators(transaction, id).compose(administrators -> lastOf(administrators, member.getFirst())
                                ? Future.failedFuture(OrganizationError.LAST_ADMINISTRATOR_STAYS.refusal())
                                : end(transaction, id, requester.userId()))));
    }

    private Future<Void> end(SqlConnection transaction, UUID organizationId, UUID userId) {
        return organizations.deleteMember(transaction, organizationId, userId)
                .compose(deleted -> sessions.actNoMoreFor(transaction, userId, organizationId));
    }

    /** Makes a member an administrator, or an administrator a member. Super administrators may, too. */
    Future<Void> setAdministrator(Requester requester, Optional<OrganizationId> organizationId, Optional<UserId> userId, boolean isAdministrator) {
        UUID id = id(organizationId);
        return database.transaction(requester.key(), transaction -> requester.isSuperAdministrator()
                        ? lock(transaction, id).compose(locked -> organizations.administrators(transaction, id))
                                .compose(administrators -> set(transaction, id, userId, administrators, isAdministrator))
                        : administered(transaction, id, requester.userId())
                                .compose(administrators -> set(transaction, id, userId, administrators, isAdministrator)))
                .onSuccess(set -> security.acted(requester.userId(), isAdministrator ? "organization-administrator.granted" : "organization-administrator.revoked",
                        "%s of %s".formatted(userId.orElseThrow().value(), id)));
    }

    private Future<Void> set(SqlConnection transaction, UUID organizationId, Optional<UserId> userId, List<Member> administrators, boolean isAdministrator) {
        return memberOf(transaction, organizationId, userId).compose(member -> !isAdministrator && lastOf(administrators, member)
                ? Future.failedFuture(OrganizationError.LAST_ADMINISTRATOR.refusal())
                : organizations.setAdministrator(transaction, organizationId, member.userId(), isAdministrator));
    }

    private static boolean lastOf(List<Member> administrators, Member member) {
        return administrators.size() == 1 && administrators.getFirst().userId().equals(member.userId());
    }

    private Future<Member> memberOf(SqlConnection transaction, UUID organizationId, Optional<UserId> userId) {
        UUID id = userId.orElseThrow(OrganizationError.MEMBER_NOT_FOUND::refusal).value();
        return organizations.member(transaction, organizationId, id)
                .map(member -> member.stream().findFirst().orElseThrow(OrganizationError.MEMBER_NOT_FOUND::refusal));
    }

    /**
     * The administrators of an organization; the user must be one of them. Locks the organization until the transaction ends, so that two
     * administrators who remove each other at the same time do not both succeed.
     */
    Future<List<Member>> administered(SqlConnection transaction, UUID organizationId, UUID userId) {
        return lock(transaction, organizationId)
                .compose(locked -> organizations.administrators(transaction, organizationId))
                .compose(administrators -> administrators.stream().anyMatch(member -> member.userId().equals(userId))
                        ? Future.succeededFuture(administrators)
                        : Future.failedFuture(OrganizationError.NOT_AN_ADMINISTRATOR.refusal()));
    }

    private Future<Void> lock(SqlConnection transaction, UUID organizationId) {
        return organizations.lock(transaction, organizationId).compose(found -> found
                ? Future.succeededFuture()
                : Future.failedFuture(OrganizationError.ORGANIZATION_NOT_FOUND.refusal()));
    }

    private static UUID id(Optional<OrganizationId> organizationId) {
        return organizationId.orElseThrow(OrganizationError.ORGANIZATION_NOT_FOUND::refusal).value();
    }
}
