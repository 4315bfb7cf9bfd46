package io.arbitration.cases.hearings;

import io.arbitration.cases.CaseChanges;
import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CasePermissions;
import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.cases.HearingRefusal;
import io.arbitration.domain.cases.HearingRules;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Schedules, shows, changes and cancels hearings. A write locks the case, so that the notifications of a hearing are queued in the order of
 * its changes.
 */
final class HearingService {

    private final Database database;
    private final HearingRepository hearings;
    private final CaseChanges cases;
    private final CasePermissions permissions;
    private final HearingTrail trail;
    private final Clock clock;
    private final RandomGenerator random;

    HearingService(Database database, HearingRepository hearings, CaseChanges cases, CasePermissions permissions, HearingTrail trail,
            Clock clock, RandomGenerator random) {
        this.database = database;
        this.hearings = hearings;
        this.cases = cases;
        this.permissions = permissions;
        this.trail = trail;
        this.clock = clock;
        this.random = random;
    }

    Future<Hearing> schedule(Optional<CaseId> caseId, Hearing.Schedule schedule, Requester requester) {
        return write(caseId, requester, HearingTrail.Change.SCHEDULED, (transaction, of, now) -> hearings.count(transaction, of.caseId())
                .map(count -> new Ruling(Optional.empty(),
                        HearingRules.schedule(of, schedule, count, CaseChanges.caseUser(requester), now, new HearingId(Identifiers.random(random))))));
    }

    Future<Hearing> change(Optional<CaseId> caseId, Optional<HearingId> hearingId, UnaryOperator<Hearing.Schedule> change, OptionalLong ifMatch, Requester requester) {
        return write(caseId, requester, HearingTrail.Change.CHANGED, (transaction, of, now) -> found(transaction, of, hearingId, requester)
                .map(hearing -> new Ruling(Optional.of(hearing), HearingRules.change(of, hearing, change, ifMatch, CaseChanges.caseUser(requester), now))));
    }

    Future<Hearing> cancel(Optional<CaseId> caseId, Optional<HearingId> hearingId, String reason, OptionalLong ifMatch, Requester requester) {
        return write(caseId, requester, HearingTrail.Change.CANCELLED, (transaction, of, now) -> found(transaction, of, hearingId, requester)
                .map(hearing -> new Ruling(Optional.of(hearing), HearingRules.cancel(of, hearing, reason, ifMatch, CaseChanges.caseUser(requester), now))));
    }

    /** @param before the hearing before the command; empty for a new one */
    private record Ruling(Optional<Hearing> before, Decision<Hearing, HearingRefusal> decision) {}

    /** A decision about a case under its lock. */
    @FunctionalInterface
    private interface Deciding {
        Future<Ruling> on(SqlConnection transaction, Case of, Instant now);
    }

    private Future<Hearing> write(Optional<CaseId> caseId, Requester requester, HearingTrail.Change change, Deciding deciding) {
        CaseId id = caseId.orElseThrow(cases::caseNotFound);
        return database.transaction(requester.key(), transaction -> cases.locked(transaction, id)
                .compose(of -> deciding.on(transaction, of, of.clock().now(clock.instant())).compose(ruling -> switch (ruling.decision()) {
                    case Decision.Refused<Hearing, HearingRefusal>(HearingRefusal reason) -> Future.failedFuture(HearingsError.refusal(reason));
                    // A request that changes nothing notifies nobody.
                    case Decision.Decided<Hearing, HearingRefusal>(Hearing hearing) when ruling.before().equals(Optional.of(hearing)) -> Future.succeededFuture(hearing);
                    case Decision.Decided<Hearing, HearingRefusal>(Hearing hearing) -> trail.write(transaction, of, hearing, change, requester, clock.instant()).map(hearing);
                })));
    }

    /**
     * A caller who is no participant of the case gets that answer before the hearing is looked up, and so does not learn which
     * hearings exist.
     */
    private Future<Hearing> found(SqlConnection transaction, Case of, Optional<HearingId> hearingId, Requester requester) {
        if (permissions.rejectsParticipation(of, CaseChanges.caseUser(requester)).isPresent()) {
            return Future.failedFuture(HearingsError.NOT_A_PARTICIPANT.refusal());
        }
        return hearingId.map(id -> hearings.find(transaction, of.caseId(), id)).orElse(Future.succeededFuture(Optional.empty()))
                .map(found -> found.orElseThrow(HearingsError.HEARING_NOT_FOUND::refusal));
    }

    Future<Hearing> view(Optional<CaseId> caseId, Optional<HearingId> hearingId, Requester requester) {
        return seen(caseId, requester)
                .compose(of -> hearingId.map(id -> hearings.find(of.caseId(), id)).orElse(Future.succeededFuture(Optional.empty())))
                .map(found -> found.orElseThrow(HearingsError.HEARING_NOT_FOUND::refusal));
    }

    /** The hearings of a case, the earliest first. */
    Future<PageByTime<Hearing>> ofCase(Optional<CaseId> caseId, TimeWindow window, PageByTime.Wanted wanted, Requester requester) {
        return seen(caseId, requester).compose(of -> hearings.ofCase(of.caseId(), window, wanted.after(), wanted.rows())).map(found -> page(found, wanted));
    }

    /** The hearings in all cases of the caller. */
    Future<PageByTime<Hearing>> ofCaller(TimeWindow window, PageByTime.Wanted wanted, Requester requester) {
        return hearings.ofUser(new UserId(requester.userId()), window, wanted.after(), wanted.rows()).map(found -> page(found, wanted));
    }

    private static PageByTime<Hearing> page(List<Hearing> found, PageByTime.Wanted wanted) {
        return PageByTime.of(Page.of(found, wanted.limit(), Page.BYTES_MAX, hearing -> Page.jsonBytes(HearingJson.of(hearing).encode())),
                hearing -> new TimeKey(hearing.schedule().start(), hearing.hearingId().value()));
    }

    private Future<Case> seen(Optional<CaseId> caseId, Requester requester) {
        return cases.existing(caseId).map(of -> {
            if (permissions.rejectsView(of, CaseChanges.caseUser(requester)).isPresent()) {
                throw HearingsError.NOT_A_PARTICIPANT.refusal();
            }
            return of;
        });
    }
}
