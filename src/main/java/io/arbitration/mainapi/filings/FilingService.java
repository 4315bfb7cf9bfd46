package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.FileRule;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.domain.filing.FilingRules;
import io.arbitration.domain.filing.FilingTerms;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.batching.CommandBatcher;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.objects.Fingerprint;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Filings for those who may see them; every change is decided in a batch. */
final class FilingService {

    /** Of title and fields; a page has at least one filing. */
    private static final int PAGE_BYTES_MAX = 256 * 1024;
    /**
     * Few are read at once, else a hundred pages of long filings would take the database and the event loops from everybody for seconds. As
     * many of a caller may wait as a client has streams on a connection: lists are what every client asks for.
     */
    private static final Bulkhead.Bounds PAGES = new Bulkhead.Bounds(4, 128, 1000);
    private static final int RETRY_SECONDS = 1;

    private final FilingRepository repository;
    private final FilingRules rules;
    private final CaseSnapshots snapshots;
    private final CommandBatcher<FilingBatches.Asked, Decision<FilingChange, FilingRefusal>> batcher;
    private final DocketRepository docket;
    private final Receipts receipts;
    private final Clock clock;
    private final Bulkhead pages = new Bulkhead(PAGES, () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
            () -> FilingError.PAGES_OF_CALLER.refusal(PAGES.mostPerCaller()).retryAfter(RETRY_SECONDS));

    FilingService(
            FilingRepository repository, FilingRules rules, CaseSnapshots snapshots,
            CommandBatcher<FilingBatches.Asked, Decision<FilingChange, FilingRefusal>> batcher, DocketRepository docket, Receipts receipts, Clock clock) {
        this.repository = repository;
        this.rules = rules;
        this.snapshots = snapshots;
        this.batcher = batcher;
        this.docket = docket;
        this.receipts = receipts;
        this.clock = clock;
    }

    /** The filing after the command. */
    Future<Filing> decide(FilingCommand command, Requester requester) {
        return decide(command, requester, FilingBatches.Together.NOTHING);
    }

    /** The same together with what else belongs to the change; that must be repeatable. */
    Future<Filing> decide(FilingCommand command, Requester requester, FilingBatches.Together together) {
        return batcher.submit(command.caseId(), new FilingBatches.Asked(command, requester, together, Optional.empty())).map(FilingService::decided);
    }

    /** The filing with one more file, which is stored and has this fingerprint. */
    Future<Filing> add(FilingCommand.AddFile command, Fingerprint fingerprint, Requester requester) {
        return batcher.submit(command.caseId(), new FilingBatches.Asked(command, requester, FilingBatches.Together.NOTHING, Optional.of(fingerprint)))
                .map(FilingService::decided);
    }

    private static Filing decided(Decision<FilingChange, FilingRefusal> decision) {
        return switch (decision) {
            case Decision.Decided<FilingChange, FilingRefusal>(FilingChange change) -> change.filing();
            case Decision.Refused<FilingChange, FilingRefusal>(FilingRefusal reason) -> throw FilingError.of(reason);
        };
    }

    /** Which files the document of a filing may have; refuses a user who cannot add one to it now. */
    Future<FileRule> fileRule(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).map(seen -> {
            rules.files().refusesAdding(CaseSnapshots.ofCaseAlone(seen.standing), seen.participant, seen.filing).ifPresent(refusal -> {
                throw FilingError.of(refusal);
            });
            return rules.files().of(seen.filing);
        });
    }

    /** The party of a user who may view a filing. */
    Future<PartyId> seen(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).map(seen -> seen.participant.partyId());
    }

    Future<Filing> view(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).map(Seen::filing);
    }

    /** A filing that a participant may view, and its case. */
    private record Seen(FilingRepository.CaseStanding standing, Participant participant, Filing filing) {}

    private Future<Seen> visible(CaseId caseId, UserId userId, FilingId filingId) {
        return repository.standing(caseId, userId, filingId).map(found -> {
            FilingRepository.FilingStanding standing = found.orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
            Participant participant = participant(standing.standing());
            FilingRepository.Read read = standing.read().filter(one -> one.filing().isVisibleTo(participant)).orElseThrow(FilingError.NOT_FOUND::refusal);
            if (read.withheld()) {
                throw FilingError.SEALED.refusal();
            }
            return new Seen(standing.standing(), participant, read.filing());
        });
    }

    private Future<Participant> participating(CaseId caseId, UserId userId) {
        return repository.standing(caseId, userId).map(found -> participant(found.orElseThrow(FilingError.CASE_NOT_FOUND::refusal)));
    }

    private static Participant participant(FilingRepository.CaseStanding standing) {
        return standing.participant().orElseThrow(FilingError.NOT_A_PARTICIPANT::refusal);
    }

    /** Filings of a case before an id, the newest first. */
    Future<Page<ListedFiling>> list(CaseId caseId, UserId userId, FilingRepository.Filter filter, long beforeFilingId, int limit) {
        return pages.run(userId.value(), () -> participating(caseId, userId)
                .compose(participant -> repository.visible(caseId, participant, filter, beforeFilingId, bound(limit))));
    }

    /** What the user can decide on, the oldest first; in one case, only for one who has a part in it. */
    Future<Page<ListedFiling>> pendingApproval(UserId userId, Optional<CaseId> caseId, FilingRepository.PendingPlace after, int limit) {
        return pages.run(userId.value(), () -> {
            Future<?> allowed = caseId.isEmpty() ? Future.succeededFuture() : participating(caseId.get(), userId);
            return allowed.compose(seen -> repository.pendingApproval(userId, caseId, after, bound(limit)));
        });
    }

    private static FilingRepository.PageBound bound(int limit) {
        return new FilingRepository.PageBound(limit, PAGE_BYTES_MAX);
    }

    /** What stands against submitting a filing now, and under which terms it would be submitted. */
    record Check(List<String> problems, FilingTerms.Current terms) {}

    Future<Check> check(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).compose(seen -> snapshots.of(seen.standing, seen.filing).map(snapshot -> new Check(
                rules.problems(snapshot, seen.participant, seen.filing, snapshot.clock().now(clock.instant())).stream()
                        .map(FilingError::of).map(Refusal::getMessage).toList(),
                rules.terms().now(snapshot, seen.filing))));
    }

    /** A receipt of a filing that has been submitted, for whoever may view it. */
    Future<String> receipt(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).compose(seen -> {
            Filing filing = seen.filing;
            Filing.Submission submission = filing.submission().orElseThrow(FilingError.NOT_SUBMITTED::refusal);
            Future<Optional<DocketEntry>> entry = filing.docketedAs().isEmpty() ? Future.succeededFuture(Optional.empty())
                    : docket.find(caseId.value(), filing.docketedAs().get().value(), userId.value()).map(found -> found
                            .map(viewed -> viewed.withheld() ? null : viewed.entry()).map(Optional::of).orElseThrow(FilingError.SEALED::refusal));
            return entry.map(docketed -> receipts.receipt(filing.document(), submission, docketed, seen.standing.caseRow().clock()));
        });
    }
}
