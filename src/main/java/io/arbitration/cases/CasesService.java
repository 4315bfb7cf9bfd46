package io.arbitration.cases;

import io.arbitration.cases.CaseChange.Write;
import io.arbitration.cases.CasesRepository.KnownUser;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The rules of cases: who may open, see, change and close them. Conditions are checked in the order existence,
 * participation, state.
 */
final class CasesService {

    /** Keeps a case and its lists readable in one answer. */
    static final int PARTICIPANTS_MAX = 500;

    /** Filings for which actions are told, oldest first; more than any one side keeps open. */
    private static final int OPEN_FILINGS_MAX = 1000;

    private final CasesRepository repository;
    private final CaseRules rules;
    private final Clock clock;
    private final RandomGenerator random;

    CasesService(CasesRepository repository, CaseRules rules, Clock clock, RandomGenerator random) {
        this.repository = repository;
        this.rules = rules;
        this.clock = clock;
        this.random = random;
    }

    /** Someone who is to take part in a case, and as what. */
    record Joining(String userID, String partyID, boolean isPrimary, boolean isObserver) {
    }

    /** Some cases, newest first, and where the next page starts. */
    record Page(List<Case> cases, Optional<CaseCursor> next) {
    }

    Future<Case> create(NewCase wanted, Actor actor) {
        RuleSet ruleSet = rules.definitions().ruleSet(wanted.ruleSet()).orElseThrow(CasesError.RULE_SET_NOT_FOUND::refusal);
        int days = wanted.responseDeadlineDays().orElse(ruleSet.responseDeadlineDaysDefault());
        if (!ruleSet.responseDeadlineDaysAllowed().contains(days)) {
            throw Refusal.badRequest("responseDeadlineDays: must be one of " + list(ruleSet.responseDeadlineDaysAllowed()));
        }
        return repository.user(actor.userId())
                .compose(known -> organization(known.orElseThrow(CasesError.USERS_ONLY::refusal), wanted.organizationID()))
                .compose(organizationId -> repository.open(opening(wanted, days, organizationId, actor)))
                .map(opened -> {
                    // The case of an earlier request: the caller may have lost its part in it since.
                    checkPart(opened, actor, false);
                    return opened;
                });
    }

    Future<Case> view(String caseID, Actor actor) {
        return existing(caseID).map(found -> {
            checkPart(found, actor, true);
            return found;
        });
    }

    Future<Page> list(UUID userId, Optional<String> status, Optional<CaseCursor> after, int limit) {
        return repository.page(userId, status, after.orElse(CaseCursor.START), limit + 1).map(cases -> {
            if (cases.size() <= limit) {
                return new Page(cases, Optional.empty());
            }
            Case last = cases.get(limit - 1);
            return new Page(cases.subList(0, limit), Optional.of(new CaseCursor(last.created(), last.caseId())));
        });
    }

    /** The audit trail of a case, the newest line first, for its case manager and for super administrators. */
    Future<List<AuditTrail.Entry>> audit(String caseID, long before, int limit, Actor actor) {
        return existing(caseID).compose(found -> {
            if (!actor.isSuperAdministrator()) {
                checkCaseManager(found, actor);
            }
            return repository.audit(found.caseId(), before, limit);
        });
    }

    /** What an export of the case is ordered with: its participants may, each for what it sees, and super administrators. */
    Future<ExportOrder> exportOrder(String caseID, Actor actor, Function<Case, Future<Buffer>> show) {
        return existing(caseID).compose(seen -> {
            checkPart(seen, actor, true);
            boolean isCaseManager = seen.part(actor.userId()).filter(part -> part.actsFor(Party.CASE_MANAGER)).isPresent();
            return show.apply(seen).map(shown -> new ExportOrder(seen.caseId(), seen.title(), seen.revision(), shown, actor.userId(),
                    actor.isSuperAdministrator(), isCaseManager || actor.isSuperAdministrator(), actor.requestId(), actor.address()));
        });
    }

    Future<Case> addParticipant(String caseID, Joining joining, OptionalLong ifMatch, Actor actor) {
        Optional<UUID> userId = Identifiers.uuid(joining.userID());
        return change(caseID, userId, standing -> {
            Case current = standing.current();
            if (rules.definitions().party(joining.partyID()).isEmpty()) {
                throw CasesError.PARTY_NOT_FOUND.refusal();
            }
            KnownUser user = standing.user().orElseThrow(CasesError.USER_NOT_FOUND::refusal);
            checkMayChangeSide(current, joining.partyID(), actor);
            checkWritable(current, ifMatch);
            if (current.part(user.userId()).isPresent()) {
                throw CasesError.ALREADY_ADDED.refusal();
            }
            if (current.participants().size() >= PARTICIPANTS_MAX) {
                throw CasesError.TOO_MANY_PARTICIPANTS.refusal(PARTICIPANTS_MAX);
            }
            return recorded(current, actor, "participant.added", user.userId().toString(), Optional.empty(), new Write.ParticipantAdded(
                    new Participant(user.userId(), user.organizationId(), joining.partyID(), joining.isPrimary(), joining.isObserver())));
        });
    }

    /** @param partyID what the user must take part as; empty: as anything */
    Future<Case> removeParticipant(String caseID, String userID, Optional<String> partyID, OptionalLong ifMatch, Actor actor) {
        return change(caseID, Optional.empty(), standing -> {
            Case current = standing.current();
            // Who takes part is known to those who take part: they alone learn that somebody doesn't.
            checkPart(current, actor, true);
            Participant leaving = Identifiers.uuid(userID).flatMap(current::part)
                    .filter(participant -> partyID.isEmpty() || participant.partyID().equals(partyID.get()))
                    .orElseThrow(CasesError.PARTICIPANT_NOT_FOUND::refusal);
            checkMayChangeSide(current, leaving.partyID(), actor);
            checkWritable(current, ifMatch);
            if (current.isLastPrimaryOfClaimant(leaving)) {
                throw CasesError.LAST_PRIMARY.refusal();
            }
            return recorded(current, actor, "participant.removed", leaving.userId().toString(), Optional.empty(),
                    new Write.ParticipantRemoved(leaving.userId()));
        });
    }

    /** @param phaseID a later phase; empty: the next one */
    Future<Case> advance(String caseID, Optional<String> phaseID, OptionalLong ifMatch, Actor actor) {
        return change(caseID, Optional.empty(), standing -> {
            Case current = standing.current();
            Optional<Phase> named = phaseID.map(id ->
                    rules.definitions().phase(id).orElseThrow(CasesError.PHASE_NOT_FOUND::refusal));
            checkCaseManager(current, actor);
            checkWritable(current, ifMatch);
            Phase from = rules.definitions().phase(current.phaseID()).orElseThrow();
            Phase to = named.or(() -> rules.definitions().phaseAfter(from.id())).orElseThrow(CasesError.LAST_PHASE::refusal);
            if (!to.isAfter(from)) {
                throw CasesError.PHASE_NOT_LATER.refusal();
            }
            JsonObject data = new JsonObject()
                    .put("caseID", current.caseId().toString())
                    .put("previousPhaseID", from.id())
                    .put("currentPhaseID", to.id());
            return recorded(current, actor, "phase.advanced", to.id(), Optional.of(new Told("phase_changed", data)),
                    new Write.PhaseBegun(to.id()));
        });
    }

    Future<Case> close(String caseID, String reason, OptionalLong ifMatch, Actor actor) {
        return change(caseID, Optional.empty(), standing -> {
            Case current = standing.current();
            checkCaseManager(current, actor);
            checkWritable(current, ifMatch);
            JsonObject data = new JsonObject().put("caseID", current.caseId().toString());
            return recorded(current, actor, "case.closed", null, Optional.of(new Told("case_closed", data)), new Write.Closed(reason));
        });
    }

    /** What that participant can do right now. */
    Future<List<Action>> actions(String caseID, Actor actor) {
        return existing(caseID).compose(seen -> {
            checkPart(seen, actor, false);
            Participant part = seen.part(actor.userId()).orElseThrow();
            return repository.openFilings(seen.caseId(), part.partyID(), OPEN_FILINGS_MAX)
                    .compose(filings -> repository.quotaUsed(seen.caseId(), seen.phaseID(), part.partyID())
                            .compose(used -> repository.docketed(List.of(seen.caseId()))
                                    .map(docketed -> new CaseActions(rules, seen, part, actor.isSuperAdministrator(), used,
                                            docketed.getOrDefault(seen.caseId(), Map.of()), now()).all(filings))));
        });
    }

    /** Docketing dates of those of the cases whose schedule follows them; the others are left out. */
    Future<Map<UUID, Map<String, Instant>>> docketed(List<Case> cases) {
        List<UUID> following = cases.stream().filter(one -> rules.scheduleFollowsDocket(one.ruleSet())).map(Case::caseId).toList();
        return following.isEmpty() ? Future.succeededFuture(Map.of()) : repository.docketed(following);
    }

    private Future<Case> existing(String caseID) {
        return Identifiers.uuid(caseID)
                .map(id -> repository.find(id).map(found -> found.orElseThrow(CasesError.CASE_NOT_FOUND::refusal)))
                .orElseGet(() -> Future.failedFuture(CasesError.CASE_NOT_FOUND.refusal()));
    }

    private Future<Case> change(String caseID, Optional<UUID> userId, Function<CasesRepository.Standing, CaseChange> decide) {
        return Identifiers.uuid(caseID)
                .map(id -> repository.change(id, userId, decide).map(found -> found.orElseThrow(CasesError.CASE_NOT_FOUND::refusal)))
                .orElseGet(() -> Future.failedFuture(CasesError.CASE_NOT_FOUND.refusal()));
    }

    /** The organization for which a user opens a case. */
    private Future<Optional<UUID>> organization(KnownUser user, Optional<String> organizationID) {
        if (organizationID.isEmpty()) {
            return Future.succeededFuture(user.organizationId());
        }
        Optional<UUID> wanted = Identifiers.uuid(organizationID.get());
        if (wanted.isPresent() && wanted.equals(user.organizationId())) {
            return Future.succeededFuture(wanted);
        }
        return wanted.map(repository::organizationExists).orElse(Future.succeededFuture(false))
                .compose(exists -> Future.failedFuture(
                        (exists ? CasesError.NOT_A_MEMBER : CasesError.ORGANIZATION_NOT_FOUND).refusal()));
    }

    private CasesRepository.Opening opening(NewCase wanted, int days, Optional<UUID> organizationId, Actor actor) {
        Instant now = now();
        Participant claimant = new Participant(actor.userId(), organizationId, Party.CLAIMANT, true, false);
        String firstPhaseID = rules.definitions().firstPhase().id();
        Case opened = new Case(Identifiers.random(random), wanted.title(), wanted.ruleSet(), firstPhaseID, true, 1, days, now,
                List.of(claimant), Map.of(firstPhaseID, now));
        JsonObject data = new JsonObject()
                .put("caseID", opened.caseId().toString())
                .put("title", opened.title())
                .put("ruleSet", opened.ruleSet())
                .put("created", Timestamps.text(now))
                .put("userID", actor.userId().toString())
                .put("organizationID", organizationId.map(UUID::toString).orElse(null));
        return new CasesRepository.Opening(opened, actor.userId(), organizationId, wanted.requestID(),
                event(opened, new Told("case_created", data), now, actor), line(opened, "case.created", null, now, actor));
    }

    /** An event in the making: its kind and its payload. */
    private record Told(String kind, JsonObject data) {
    }

    /** @param subject what it was done to; null: the case itself */
    private CaseChange recorded(Case current, Actor actor, String action, String subject, Optional<Told> told, Write write) {
        Instant now = now();
        return new CaseChange(write, now, told.map(happened -> event(current, happened, now, actor)),
                line(current, action, subject, now, actor));
    }

    private Event event(Case of, Told told, Instant at, Actor actor) {
        return new Event(Identifiers.random(random), told.kind(), of.caseId(), Optional.of(actor.userId()), at, told.data(), actor.trace());
    }

    private static AuditTrail.Line line(Case of, String action, String subject, Instant at, Actor actor) {
        return new AuditTrail.Line(of.caseId(), at, actor.userId(), action, subject, actor.requestId(), actor.address());
    }

    private static void checkPart(Case of, Actor actor, boolean superAdministratorPasses) {
        if (of.part(actor.userId()).isEmpty() && !(superAdministratorPasses && actor.isSuperAdministrator())) {
            throw CasesError.NOT_A_PARTICIPANT.refusal();
        }
    }

    private static void checkCaseManager(Case of, Actor actor) {
        checkPart(of, actor, false);
        if (!of.part(actor.userId()).orElseThrow().actsFor(Party.CASE_MANAGER)) {
            throw CasesError.NOT_CASE_MANAGER.refusal();
        }
    }

    private static void checkMayChangeSide(Case of, String partyID, Actor actor) {
        checkPart(of, actor, true);
        if (!actor.isSuperAdministrator() && !of.part(actor.userId()).orElseThrow().mayChangeSide(partyID)) {
            throw CasesError.NOT_YOUR_SIDE.refusal();
        }
    }

    private static void checkWritable(Case current, OptionalLong ifMatch) {
        if (!current.isOpen()) {
            throw CasesError.CLOSED.refusal();
        }
        if (ifMatch.isPresent() && ifMatch.getAsLong() != current.revision()) {
            throw CasesError.STALE.refusal();
        }
    }

    private Instant now() {
        return Timestamps.milliseconds(clock.instant());
    }

    private static String list(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
