package io.arbitration.ai.analyses;

import io.arbitration.ai.analyses.AnalysisRepository.Listed;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Shows the analyses of a case to those who decide it. */
final class AnalysisService {

    private static final Set<PartyId> READERS = Set.of(Party.CASE_MANAGER, Party.ARBITRATOR);

    private static final int RETRY_SECONDS = 1;

    private final AnalysisRepository repository;
    /** A page of long analyses takes the database long. */
    private final Bulkhead pages = new Bulkhead(Bulkhead.PAGES, () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
            () -> AnalysisError.PAGES_OF_CALLER.refusal(Bulkhead.PAGES.mostPerCaller()).retryAfter(RETRY_SECONDS));

    AnalysisService(AnalysisRepository repository) {
        this.repository = repository;
    }

    /** Analyses before an id, the newest first, in a page that is bounded in bytes. */
    Future<Page<Listed>> list(Optional<CaseId> caseId, UUID callerId, long before, int limit) {
        CaseId in = caseId.orElseThrow(AnalysisError.CASE_NOT_FOUND::refusal);
        return repository.participation(in, callerId)
                // One more than asked for tells whether there is a next page.
                .compose(found -> pages.run(callerId, () -> repository.visible(in, reader(found), before, limit + 1, Page.BYTES_MAX)))
                .map(all -> Page.of(all, limit, Page.BYTES_MAX, Listed::bytes));
    }

    private static PartyId reader(Optional<AnalysisRepository.CaseParticipation> found) {
        PartyId party = found.orElseThrow(AnalysisError.CASE_NOT_FOUND::refusal).partyId().orElseThrow(AnalysisError.NOT_A_PARTICIPANT::refusal);
        if (!READERS.contains(party)) {
            throw AnalysisError.NOT_A_READER.refusal();
        }
        return party;
    }
}
