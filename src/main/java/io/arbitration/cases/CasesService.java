package io.arbitration.cases;

import io.arbitration.cases.CasesRepository.Listed;
import io.arbitration.cases.CasesRepository.Opening;
import io.arbitration.cases.deadlines.DeadlineStorage;
import io.arbitration.cases.sandbox.SandboxError;
import io.arbitration.cases.sandbox.SandboxSettings;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Action;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseActions;
import io.arbitration.domain.cases.CaseCommand;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.domain.cases.CasePermissions;
import io.arbitration.domain.cases.CaseRefusal;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Member;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Seat;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.domain.time.UtcDay;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.auth.Permission;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Opens, shows and changes cases. A write locks its case first and is decided on the locked case. So writes to a case do not
 * overlap, and rights that have ended in the meantime have no effect.
 */
final class CasesService {

    /** The maximum number of filings whose actions are listed, the oldest first; one side has fewer open ones. */
    private static final int OPEN_FILINGS_MAX = 1000;

    private final Database database;
    private final CasesRepository repository;
    private final CaseFilingsRepository filings;
    private final TriggeringEntryRepository triggeringEntries = new TriggeringEntryRepository();
    private final EventLog eventLog;
    private final AuditTrail audit;
    private final CaseRules rules;
    private final Function<Seat, Future<Boolean>> knownSeats;
    private final DeadlineStorage deadlines;
    private final CasePermissions permissions;
    private final CaseEvents events;
    private final CaseChanges changes;
    private final SandboxSettings sandbox;
    private final Optional<NewCasesSettings> bounds;
    private final Clock clock;
    private final RandomGenerator random;

    /**
     * @param knownSeats whether the holidays of a place are known
     * @param bounds daily bounds on new cases; empty: there are none
     */
    CasesService(Database database, CasesRepository repository, CaseFilingsRepository filings, EventLog eventLog, AuditTrail audit, CaseEvents events, CaseChanges changes,
            CaseRules rules, Function<Seat, Future<Boolean>> knownSeats, DeadlineStorage deadlines, SandboxSettings sandbox,
            Optional<NewCasesSettings> bounds, Clock clock, RandomGenerator random) {
        this.database = database;
        this.repository = repository;
        this.filings = filings;
        this.eventLog = eventLog;
        this.audit = audit;
        this.rules = rules;
        this.knownSeats = knownSeats;
        this.deadlines = deadlines;
        this.permissions = new CasePermissions(rules.definitions());
        this.events = events;
        this.changes = changes;
        this.sandbox = sandbox;
        this.bounds = bounds;
        this.clock = clock;
        this.random = random;
    }

    /** Some cases, newest first, and where the next page starts. */
    record Page(List<CaseView> cases, Optional<TimeKey> next) {}

    /** A case that the requester may export, and whether the export includes the audit trail. */
    record Exportable(CaseView shown, boolean withAudit) {}

    Future<CaseView> create(NewCase wanted, Requester requester) {
        if (wanted.isSandbox() && !sandbox.enabled()) {
            throw SandboxError.NOT_ENABLED.refusal();
        }
        RuleSet ruleSet = rules.definitions().ruleSet(wanted.ruleSet()).orElseThrow(CasesError.RULE_SET_NOT_FOUND::refusal);
        int days = wanted.responseDeadlineDays().orElse(ruleSet.responseDeadlineDaysDefault());
        if (!ruleSet.responseDeadlineDaysAllowed().contains(days)) {
            throw Refusal.badRequest("responseDeadlineDays: must be one of " + list(ruleSet.responseDeadlineDaysAllowed()));
        }
        Optional<Seat> seat = wanted.seat().map(code -> Seat.of(code).orElseThrow(CasesError.SEAT_UNKNOWN::refusal)).or(ruleSet::seat);
        return seat.map(knownSeats).orElse(Future.succeededFuture(true)).compose(isKnown -> isKnown
                ? database.read(client -> changes.acting(client, requester, wanted.actsFor())) : Future.failedFuture(CasesError.SEAT_UNKNOWN.refusal()))
                .compose(member -> {
                    Opening opening = opening(wanted, days, seat, member.organizationId(), requester);
                    return database.transaction(requester.key(), transaction -> open(transaction, opening, requester));
                })
                .map(opened -> {
                    // It may be the case of an earlier request with the same requestID, in which the caller is no longer a
                    // participant.
                    accept(permissions.rejectsParticipation(opened, CaseChanges.caseUser(requester)));
                    return opened;
                })
                .compose(this::withDocket);
    }

    Future<CaseView> view(Optional<CaseId> caseId, Requester requester) {
        return seen(caseId, requester).compose(this::withDocket);
    }

    Future<List<Participant>> participants(Optional<CaseId> caseId, Requester requester) {
        return seen(caseId, requester).map(Case::participants);
    }

    /**
     * The cases in which the caller is a participant, or the open ones without a case manager, newest first.
     *
     * @param withoutCaseManager for super administrators, who may see every case and give it its case manager
     * @param bytesMax of the page
     * @param bytesOf the maximum bytes of a case in the page
     */
    Future<Page> list(
            Requester requester, boolean withoutCaseManager, Optional<String> status, Optional<TimeKey> after, int limit, long bytesMax,
            ToLongFunction<Listed> bytesOf) {
        if (withoutCaseManager && !requester.isSuperAdministrator()) {
            throw HttpError.PERMISSION.refusal(Permission.SUPER_ADMINISTRATOR);
        }
        TimeKey key = after.orElse(TimeKey.LAST);
        // One case more than the limit shows whether there is a next page.
        return (withoutCaseManager ? repository.pageWithoutCaseManager(status, key, limit + 1)
                : repository.page(new UserId(requester.userId()), status, key, limit + 1)).compose(found -> {
            List<Listed> page = new ArrayList<>();
            long bytes = 0;
            for (Listed listed : found.subList(0, Math.min(limit, found.size()))) {
                bytes += bytesOf.applyAsLong(listed);
                // A page has at least one case, whatever its size; otherwise the list could not continue.
                if (bytes > bytesMax && !page.isEmpty()) {
                    break;
                }
                page.add(listed);
            }
            Optional<TimeKey> next = page.size() == found.size() ? Optional.empty()
                    : Optional.of(new TimeKey(page.getLast().created(), page.getLast().caseId().value()));
            return repository.find(page.stream().map(Listed::caseId).toList())
                    .compose(cases -> withDocket(cases))
                    .map(cases -> new Page(cases, next));
        });
    }

    /** The audit trail of a case before a given line, the newest line first. */
    Future<List<AuditTrail.Entry>> audit(Optional<CaseId> caseId, long before, int limit, Requester requester) {
        return changes.existing(caseId).compose(found -> {
            accept(permissions.rejectsAudit(found, CaseChanges.caseUser(requester)));
            return audit.before(database, found.caseId().value(), before, requester.userId(), limit);
        });
    }

    /** The actions that the requester can take in the case now. */
    Future<List<Action>> actions(Optional<CaseId> caseId, Requester requester) {
        UserId userId = new UserId(requester.userId());
        return changes.existing(caseId).compose(seen -> {
            accept(permissions.rejectsParticipation(seen, CaseChanges.caseUser(requester)));
            Participant part = seen.part(userId).orElseThrow();
            return filings.openFilings(seen.caseId(), part.partyId(), OPEN_FILINGS_MAX)
                    .compose(open -> filings.quotaUsed(seen.caseId(), seen.phaseId(), part.partyId())
                            .compose(used -> database.read(client -> triggeringEntries.current(client, List.of(seen.caseId()), rules.documentTypesThatStartDeadlines()))
                                    .map(triggering -> new CaseActions(rules, seen, part, requester.isSuperAdministrator(), used,
                                            triggering.getOrDefault(seen.caseId(), List.of()), seen.clock().now(now())).all(open))));
        });
    }

    /**
     * The case for an export. Its participants may export what they can see, and super administrators everything that the case manager can
     * see.
     */
    Future<Exportable> exportable(Optional<CaseId> caseId, Requester requester) {
        return seen(caseId, requester).compose(this::withDocket).map(shown ->
                new Exportable(shown, permissions.rejectsAudit(shown.of(), CaseChanges.caseUser(requester)).isEmpty()));
    }

    /** Changes a case; answers the changed case. */
    Future<CaseView> change(
            Optional<CaseId> caseId, CaseCommand command, OrganizationChoice actsFor, OptionalLong expectedRevision, Requester requester) {
        CaseId id = caseId.orElseThrow(CasesError.CASE_NOT_FOUND::refusal);
        return database.transaction(requester.key(), transaction -> changes.lock(transaction, id)
                        .compose(locked -> member(transaction, command, actsFor))
                        .compose(member -> changes.carryOut(transaction, id, command, member, expectedRevision, requester, now())))
                .compose(this::withDocket);
    }

    /** The user to whom a command refers; empty if it refers to none, or there is no such user. */
    private Future<Optional<Member>> member(SqlConnection transaction, CaseCommand command, OrganizationChoice actsFor) {
        return command instanceof CaseCommand.AddParticipant add && add.userId().isPresent()
                ? changes.member(transaction, add.userId().get(), actsFor)
                : Future.succeededFuture(Optional.empty());
    }

    private Future<Case> open(SqlConnection transaction, Opening opening, Requester requester) {
        return repository.insert(transaction, opening).compose(inserted -> inserted
                ? countToday(transaction, opening, requester)
                        .compose(few -> eventLog.append(transaction, List.of(events.opened(opening.opened(), opening.organizationId(), requester))))
                        .compose(appended -> audit.append(transaction, List.of(CaseEvents.openedLine(opening.opened(), requester))))
                        .compose(recorded -> deadlines.keep(transaction, opening.opened()))
                        .map(opening.opened())
                : repository.ofRequest(transaction, opening.createdBy(), opening.requestName().orElseThrow()));
    }

    /** The user first, so that concurrent transactions lock the two counters in the same order. */
    private Future<Void> countToday(SqlConnection transaction, Opening opening, Requester requester) {
        if (bounds.isEmpty() || requester.isSuperAdministrator()) {
            return Future.succeededFuture();
        }
        int ofUser = bounds.get().perUserAndDay();
        int ofOrganization = bounds.get().perOrganizationAndDay();
        Instant now = now();
        return countToday(transaction, opening.createdBy().value(), ofUser, CasesError.TOO_MANY_OF_USER, now)
                .compose(few -> opening.organizationId().isEmpty() ? Future.succeededFuture()
                        : countToday(transaction, opening.organizationId().get().value(), ofOrganization, CasesError.TOO_MANY_OF_ORGANIZATION, now));
    }

    private Future<Void> countToday(SqlConnection transaction, UUID owner, int most, CasesError error, Instant now) {
        return repository.countToday(transaction, owner, UtcDay.of(now), most).compose(counted -> counted ? Future.succeededFuture()
                : Future.failedFuture(error.refusal(most).retryAfter(UtcDay.secondsToNext(now))));
    }

    private Opening opening(NewCase wanted, int days, Optional<Seat> seat, Optional<OrganizationId> organizationId, Requester requester) {
        Instant now = now();
        UserId userId = new UserId(requester.userId());
        Participant claimant = Participant.joining(userId, organizationId, Party.CLAIMANT, true, false);
        PhaseId first = rules.definitions().firstPhase().id();
        Case opened = new Case(new CaseId(Identifiers.random(random)), wanted.title(), wanted.ruleSet(), first, true, 1, days, now,
                List.of(claimant), Map.of(first, now), Map.of(), wanted.isSandbox() ? CaseClock.standingAt(now) : CaseClock.PLATFORM, seat);
        return new Opening(opened, userId, organizationId, wanted.requestName());
    }

    private Future<Case> seen(Optional<CaseId> caseId, Requester requester) {
        return changes.existing(caseId).map(found -> {
            accept(permissions.rejectsView(found, CaseChanges.caseUser(requester)));
            return found;
        });
    }

    private Future<CaseView> withDocket(Case shown) {
        return withDocket(List.of(shown)).map(List::getFirst);
    }

    /** Adds the docket entries that start deadlines, but only to cases whose rule set has such deadlines. */
    private Future<List<CaseView>> withDocket(List<Case> cases) {
        List<CaseId> following = cases.stream().filter(one -> rules.scheduleFollowsDocket(one.ruleSet())).map(Case::caseId).toList();
        Future<Map<CaseId, List<TriggeringEntry>>> triggering = following.isEmpty() ? Future.succeededFuture(Map.of())
                : database.read(client -> triggeringEntries.current(client, following, rules.documentTypesThatStartDeadlines()));
        return triggering.map(entries -> cases.stream().map(one -> new CaseView(one, entries.getOrDefault(one.caseId(), List.of()))).toList());
    }

    private static void accept(Optional<CaseRefusal> rejection) {
        rejection.ifPresent(reason -> {
            throw CasesError.refusal(reason);
        });
    }

    private Instant now() {
        return Timestamps.milliseconds(clock.instant());
    }

    private static String list(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
