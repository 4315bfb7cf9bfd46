package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.FileRule;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.filing.FilingRules;
import io.arbitration.domain.filing.FilingTerms;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Shows filings to those who may see them. */
final class FilingReadService {

    /** The most bytes of title and fields in a page; a page has at least one filing. */
    private static final int PAGE_BYTES_MAX = 256 * 1024;
    /**
     * Few pages are read at once, because a hundred pages of long filings would occupy the database and the event loops for seconds. As
     * many of one caller may wait as an HTTP/2 connection has streams, so that a client that sends many list requests at once gets all of
     * its answers.
     */
    private static final Bulkhead.Bounds PAGES = new Bulkhead.Bounds(4, 128, 1000);
    private static final int RETRY_SECONDS = 1;

    private final FilingReadRepository repository;
    private final FilingRules rules;
    private final CaseSnapshots snapshots;
    private final DocketRepository docket;
    private final Receipts receipts;
    private final Clock clock;
    private final Bulkhead pages = new Bulkhead(PAGES, () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
            () -> FilingError.PAGES_OF_CALLER.refusal(PAGES.mostPerCaller()).retryAfter(RETRY_SECONDS));

    FilingReadService(FilingReadRepository repository, FilingRules rules, CaseSnapshots snapshots, DocketRepository docket, Receipts receipts, Clock clock) {
        this.repository = repository;
        this.rules = rules;
        this.snapshots = snapshots;
        this.docket = docket;
        this.receipts = receipts;
        this.clock = clock;
    }

    /** The rule for the files of a filing; refuses a user who may not add one now. */
    Future<FileRule> fileRule(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).map(seen -> {
            rules.files().refusesAdding(CaseSnapshots.ofCaseAlone(seen.participation), seen.participant, seen.filing).ifPresent(refusal -> {
                throw FilingError.of(refusal);
            });
            return rules.files().of(seen.filing);
        });
    }

    /** The party of the user; refuses one who may not view the filing. */
    Future<PartyId> seen(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).map(seen -> seen.participant.partyId());
    }

    Future<Filing> view(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).map(Seen::filing);
    }

    /** A filing that a participant may view, and its case. */
    private record Seen(FilingReadRepository.CaseOfRequester participation, Participant participant, Filing filing) {}

    private Future<Seen> visible(CaseId caseId, UserId userId, FilingId filingId) {
        return repository.participation(caseId, userId, filingId).map(found -> {
            FilingReadRepository.FilingParticipation participation = found.orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
            Participant participant = participant(participation.participation());
            FilingReadRepository.Read read = participation.read().filter(one -> one.filing().isVisibleTo(participant)).orElseThrow(FilingError.NOT_FOUND::refusal);
            if (read.withheld()) {
                throw FilingError.SEALED.refusal();
            }
            return new Seen(participation.participation(), participant, read.filing());
        });
    }

    private Future<Participant> participating(CaseId caseId, UserId userId) {
        return repository.participation(caseId, userId).map(found -> participant(found.orElseThrow(FilingError.CASE_NOT_FOUND::refusal)));
    }

    private static Participant participant(FilingReadRepository.CaseOfRequester participation) {
        return participation.participant().orElseThrow(FilingError.NOT_A_PARTICIPANT::refusal);
    }

    /** Filings of a case before an id, the newest first. */
    Future<Page<ListedFiling>> list(CaseId caseId, UserId userId, FilingReadRepository.Filter filter, long beforeFilingId, int limit) {
        return pages.run(userId.value(), () -> participating(caseId, userId)
                .compose(participant -> repository.visible(caseId, participant, filter, beforeFilingId, bound(limit))));
    }

    /** The filings that the user can approve or reject, the oldest first; for one case, the user must take part in it. */
    Future<Page<ListedFiling>> pendingApproval(UserId userId, Optional<CaseId> caseId, FilingReadRepository.PendingPlace after, int limit) {
        return pages.run(userId.value(), () -> {
            Future<?> allowed = caseId.isEmpty() ? Future.succeededFuture() : participating(caseId.get(), userId);
            return allowed.compose(seen -> repository.pendingApproval(userId, caseId, after, bound(limit)));
        });
    }

    private static FilingReadRepository.PageBound bound(int limit) {
        return new FilingReadRepository.PageBound(limit, PAGE_BYTES_MAX);
    }

    /** Why a filing cannot be submitted now, and the terms under which it would be submitted. */
    record Check(List<String> problems, FilingTerms.Current terms) {}

    Future<Check> check(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).compose(seen -> snapshots.of(seen.participation, seen.filing).map(snapshot -> new Check(
                rules.problems(snapshot, seen.participant, seen.filing, snapshot.clock().now(clock.instant())).stream()
                        .map(FilingError::of).map(Refusal::getMessage).toList(),
                rules.terms().now(snapshot, seen.filing))));
    }

    /** The receipt of a submitted filing, for a user who may view it. */
    Future<String> receipt(CaseId caseId, UserId userId, FilingId filingId) {
        return visible(caseId, userId, filingId).compose(seen -> {
            Filing filing = seen.filing;
            Filing.Submission submission = filing.submission().orElseThrow(FilingError.NOT_SUBMITTED::refusal);
            Future<Optional<DocketEntry>> entry = filing.docketedAs().isEmpty() ? Future.succeededFuture(Optional.empty())
                    : docket.find(caseId.value(), filing.docketedAs().get().value(), userId.value()).map(found -> found
                            .map(viewed -> viewed.withheld() ? null : viewed.entry()).map(Optional::of).orElseThrow(FilingError.SEALED::refusal));
            return entry.map(docketed -> receipts.receipt(filing.document(), submission, docketed, seen.participation.caseRow().clock()));
        });
    }
}
