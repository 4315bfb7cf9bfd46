package io.arbitration.mainapi.filings;

import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/** Filings for those who may see them; every change goes through the lanes. */
final class FilingService {

    static final int PENDING_MAX = 1000;

    private final FilingRepository repository;
    private final FilingRules rules;
    private final DecisionLanes lanes;
    private final DocketRepository docket;
    private final Receipts receipts;

    FilingService(FilingRepository repository, FilingRules rules, DecisionLanes lanes, DocketRepository docket, Receipts receipts) {
        this.docket = docket;
        this.receipts = receipts;
        this.repository = repository;
        this.rules = rules;
        this.lanes = lanes;
    }

    Future<Filing> decide(FilingCommand command) {
        return lanes.decide(command);
    }

    private Future<FilingRepository.Seen> participating(UUID caseId, UUID userId) {
        return repository.seen(caseId, userId).map(found -> {
            FilingRepository.Seen seen = found.orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
            if (seen.part().isEmpty()) {
                throw FilingError.NOT_A_PARTICIPANT.refusal();
            }
            return seen;
        });
    }

    Future<Filing> view(UUID caseId, UUID userId, long filingId) {
        return participating(caseId, userId).compose(seen -> visible(seen, caseId, filingId));
    }

    private Future<Filing> visible(FilingRepository.Seen seen, UUID caseId, long filingId) {
        return repository.find(caseId, filingId).map(found -> found
                .filter(filing -> FilingRules.isVisible(filing, seen.part().orElseThrow()))
                .orElseThrow(FilingError.NOT_FOUND::refusal));
    }

    Future<List<Filing>> list(UUID caseId, UUID userId, FilingRepository.Filter filter) {
        return participating(caseId, userId).compose(seen -> repository.visible(caseId, seen.part().orElseThrow(), filter));
    }

    /** What the caller can decide on; in one case, only for one who has a part in it. */
    Future<List<Filing>> pendingApproval(UUID userId, UUID caseId) {
        return caseId == null
                ? repository.pendingApproval(userId, null, PENDING_MAX)
                : participating(caseId, userId).compose(seen -> repository.pendingApproval(userId, caseId, PENDING_MAX));
    }

    /** What stands against submitting a filing now, and under which rule it would be submitted. */
    record Check(List<String> problems, FilingRules.Terms terms) {}

    Future<Check> check(UUID caseId, UUID userId, long filingId) {
        return participating(caseId, userId).compose(seen -> visible(seen, caseId, filingId).compose(filing ->
                repository.boardOf(seen.facts(), filing).map(board -> {
                    List<Refusal> problems = rules.problems(board, seen.facts(), seen.part().orElseThrow(), filing);
                    return new Check(problems.stream().map(Refusal::getMessage).toList(), rules.terms(board, seen.facts(), filing));
                })));
    }

    /** A receipt of a filing that has been submitted, for whoever may view it. */
    Future<String> receipt(UUID caseId, UUID userId, long filingId) {
        return view(caseId, userId, filingId).compose(filing -> {
            if (filing.submittedAt() == null) {
                throw FilingError.NOT_SUBMITTED.refusal();
            }
            return filing.entryId() == null
                    ? Future.succeededFuture(receipts.receipt(filing, null))
                    : docket.find(caseId, filing.entryId()).map(found -> receipts.receipt(filing, found.orElseThrow().entry()));
        });
    }
}
