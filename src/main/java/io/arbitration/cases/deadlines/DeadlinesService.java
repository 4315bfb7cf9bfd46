package io.arbitration.cases.deadlines;

import io.arbitration.cases.CaseChanges;
import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.ExtensionId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CasePermissions;
import io.arbitration.domain.cases.Extension;
import io.arbitration.domain.cases.Extension.Outcome;
import io.arbitration.domain.cases.ExtensionRefusal;
import io.arbitration.domain.cases.ExtensionRules;
import io.arbitration.domain.cases.ExtensionRules.Extended;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.arbitration.platform.events.EventLog;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** Lists deadlines, and extends them: a party requests an extension, and the case manager or an arbitrator decides. */
final class DeadlinesService {

    /** For a user with at least this many cases, the deadlines of all users are first read in the order of dates. */
    private static final int CASES_MANY = 300;
    private static final int CASES_COUNTED_MAX = 20_000;
    /** How many of those deadlines are read for each case of the user: reading them takes about as long as a lookup of the case. */
    private static final int DATES_PER_CASE = 5;

    private final Database database;
    private final DeadlineRepository deadlines;
    private final UserDeadlineRepository userDeadlines;
    private final ExtensionRepository extensions;
    private final CaseChanges cases;
    private final DeadlineStorage storage;
    private final CasePermissions permissions;
    private final EventLog eventLog;
    private final AuditTrail audit;
    private final Clock clock;
    private final RandomGenerator random;

    DeadlinesService(Database database, DeadlineRepository deadlines, ExtensionRepository extensions, CaseChanges cases, DeadlineStorage storage,
            CasePermissions permissions, EventLog eventLog, AuditTrail audit, Clock clock, RandomGenerator random) {
        this.database = database;
        this.deadlines = deadlines;
        this.userDeadlines = new UserDeadlineRepository(database);
        this.extensions = extensions;
        this.cases = cases;
        this.storage = storage;
        this.permissions = permissions;
        this.eventLog = eventLog;
        this.audit = audit;
        this.clock = clock;
        this.random = random;
    }

    /** A stored request, and the new revision of its case. */
    record Written(Extension extension, long revision) {}

    /** Deadlines at one moment. */
    record Listed(PageByTime<ListedDeadline> page, Instant now) {}

    /** The deadlines in all cases of the caller, the earliest first. */
    Future<Listed> ofCaller(TimeWindow window, PageByTime.Wanted wanted, Requester requester) {
        return ofUser(new UserId(requester.userId()), window, wanted).map(found -> page(found, wanted));
    }

    /**
     * There are two methods: a lookup for each case of the user, or reading the deadlines of all users in the order of dates. If
     * the user has many cases, the second is tried first, with at most {@value #DATES_PER_CASE} deadlines for each case; if the
     * page is not full then, the first method follows.
     */
    private Future<List<ListedDeadline>> ofUser(UserId userId, TimeWindow window, PageByTime.Wanted wanted) {
        return userDeadlines.casesOf(userId, CASES_COUNTED_MAX).compose(cases -> {
            int looked = DATES_PER_CASE * cases;
            return cases < CASES_MANY ? userDeadlines.ofUser(userId, window, wanted.after(), wanted.rows())
                    : userDeadlines.ofUserByDate(userId, window, wanted.after(), wanted.rows(), looked).compose(along -> along.hasAll()
                            ? Future.succeededFuture(along.found())
                            : userDeadlines.ofUser(userId, window, wanted.after(), wanted.rows()));
        });
    }

    /** The deadlines of a case, the earliest first; for its participants and super administrators. */
    Future<Listed> ofCase(Optional<CaseId> caseId, TimeWindow window, PageByTime.Wanted wanted, Requester requester) {
        return seen(caseId, requester)
                // The deadlines of an entry that was docketed a moment ago may not be stored yet, because the consumer of the event log has
                // not read its event.
                .compose(of -> storage.catchUp(of).map(of))
                .compose(of -> deadlines.ofCase(of.caseId(), window, wanted.after(), wanted.rows()))
                .map(found -> page(found, wanted));
    }

    /** The requests for more time in a case, the newest first. */
    Future<PageByTime<Extension>> extensions(Optional<CaseId> caseId, PageByTime.Wanted wanted, Requester requester) {
        return seen(caseId, requester)
                .compose(of -> extensions.ofCase(of.caseId(), wanted.after(), wanted.rows()))
                .map(found -> PageByTime.of(
                        Page.of(found, wanted.limit(), Page.BYTES_MAX, extension -> Page.jsonBytes(ExtensionJson.of(extension).encode())),
                        extension -> new TimeKey(extension.requestedAt(), extension.extensionId().value())));
    }

    Future<Written> request(Optional<CaseId> caseId, Optional<DeadlineId> deadlineId, ExtensionRules.Request request, Requester requester) {
        return write(caseId, requester, (transaction, of) -> extended(transaction, of, deadlineId, requester)
                .map(extended -> ExtensionRules.request(of, extended, request, CaseChanges.caseUser(requester), now(of), new ExtensionId(Identifiers.random(random)))));
    }

    Future<Written> withdraw(Optional<CaseId> caseId, Optional<ExtensionId> extensionId, OptionalLong expectedRevision, Requester requester) {
        return write(caseId, requester, (transaction, of) -> extension(transaction, of, extensionId, requester)
                .compose(extension -> extended(transaction, of, Optional.of(extension.deadlineId()), requester)
                        .map(extended -> ExtensionRules.withdraw(of, extended, extension, expectedRevision, CaseChanges.caseUser(requester), now(of)))));
    }

    Future<Written> decide(Optional<CaseId> caseId, Optional<ExtensionId> extensionId, ExtensionRules.Ruling ruling, Requester requester) {
        return write(caseId, requester, (transaction, of) -> extension(transaction, of, extensionId, requester)
                .compose(extension -> extended(transaction, of, Optional.of(extension.deadlineId()), requester)
                        .map(extended -> ExtensionRules.decide(of, extended, extension, ruling, CaseChanges.caseUser(requester), now(of)))));
    }

    /** A decision about a locked case. */
    @FunctionalInterface
    private interface Deciding {
        Future<Decision<Extension, ExtensionRefusal>> on(SqlConnection transaction, Case of);
    }

    private Future<Written> write(Optional<CaseId> caseId, Requester requester, Deciding deciding) {
        CaseId id = caseId.orElseThrow(cases::caseNotFound);
        return database.transaction(requester.key(), transaction -> cases.locked(transaction, id)
                .compose(of -> deciding.on(transaction, of).compose(decision -> switch (decision) {
                    case Decision.Refused<Extension, ExtensionRefusal>(ExtensionRefusal reason) ->
                            Future.failedFuture(DeadlinesError.refusal(reason));
                    case Decision.Decided<Extension, ExtensionRefusal>(Extension extension) -> extensions.write(transaction, extension)
                            .compose(moved -> eventLog.append(transaction, moved.stream().map(deadlineId -> event(of, deadlineId, extension, requester)).toList()))
                            .compose(appended -> audit.append(transaction, List.of(line(extension, requester))))
                            .map(recorded -> new Written(extension, of.revision() + 1));
                })));
    }

    /**
     * A caller who is no participant of the case gets that answer before the deadline is looked up, and so does not learn which
     * deadlines exist.
     */
    private Future<Extended> extended(SqlConnection transaction, Case of, Optional<DeadlineId> deadlineId, Requester requester) {
        acceptParticipation(of, requester);
        DeadlineId id = deadlineId.orElseThrow(DeadlinesError.DEADLINE_NOT_FOUND::refusal);
        return storage.keep(transaction, of)
                .compose(kept -> deadlines.deadline(transaction, of.caseId(), id))
                .compose(found -> {
                    ListedDeadline deadline = found.orElseThrow(DeadlinesError.DEADLINE_NOT_FOUND::refusal);
                    return extensions.hasOpenRequest(transaction, id)
                            .map(open -> new Extended(deadline.deadline(), deadline.current().date(), open));
                });
    }

    private Future<Extension> extension(SqlConnection transaction, Case of, Optional<ExtensionId> extensionId, Requester requester) {
        acceptParticipation(of, requester);
        ExtensionId id = extensionId.orElseThrow(DeadlinesError.EXTENSION_NOT_FOUND::refusal);
        return extensions.find(transaction, of.caseId(), id).map(found -> found.orElseThrow(DeadlinesError.EXTENSION_NOT_FOUND::refusal));
    }

    private void acceptParticipation(Case of, Requester requester) {
        permissions.rejectsParticipation(of, CaseChanges.caseUser(requester)).ifPresent(reason -> {
            throw DeadlinesError.NOT_A_PARTICIPANT.refusal();
        });
    }

    private Future<Case> seen(Optional<CaseId> caseId, Requester requester) {
        return cases.existing(caseId).map(of -> {
            permissions.rejectsView(of, CaseChanges.caseUser(requester)).ifPresent(reason -> {
                throw DeadlinesError.NOT_A_PARTICIPANT.refusal();
            });
            return of;
        });
    }

    private Listed page(List<ListedDeadline> found, PageByTime.Wanted wanted) {
        Instant now = now();
        Page<ListedDeadline> page = Page.of(found, wanted.limit(), Page.BYTES_MAX, one -> Page.jsonBytes(ListedDeadlineJson.of(one, now).encode()));
        return new Listed(PageByTime.of(page, one -> new TimeKey(one.current().date(), one.deadline().deadlineId().value())), now);
    }

    /** The event that a granted extension moved this deadline. */
    private Event event(Case of, DeadlineId deadlineId, Extension extension, Requester requester) {
        return new Event(Identifiers.random(random), "deadline_extended", extension.caseId().value(), Optional.of(requester.userId()), now(of), new JsonObject()
                .put("caseID", extension.caseId().toString())
                .put("deadlineID", deadlineId.toString())
                .put("date", Timestamps.text(extension.grantedUntil().orElseThrow())), requester.trace(), of.clock().isSandbox());
    }

    private AuditTrail.Line line(Extension extension, Requester requester) {
        String action = switch (extension.outcome()) {
            case Outcome.Open() -> "extension.requested";
            case Outcome.Withdrawn(UserId by, Instant at) -> "extension.withdrawn";
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> "extension.granted";
            case Outcome.Refused(UserId by, Instant at, String reason) -> "extension.refused";
        };
        return new AuditTrail.Line(extension.caseId().value(), now(), requester.userId(), action, extension.extensionId().toString(),
                requester.requestId(), requester.address());
    }

    private Instant now(Case of) {
        return of.clock().now(clock.instant());
    }

    /** The time of the platform. */
    private Instant now() {
        return Timestamps.milliseconds(clock.instant());
    }
}
