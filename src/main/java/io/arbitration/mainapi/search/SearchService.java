package io.arbitration.mainapi.search;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.search.SearchQuery;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Searches for participants of cases. The number of concurrent searches is bounded, in total and for each caller. */
final class SearchService {

    private static final int AT_ONCE = 16;
    private static final int AT_ONCE_PER_CALLER = 4;
    private static final int WAITING_MAX = 128;
    private static final int RETRY_SECONDS = 1;

    private final SearchRepository repository;
    private final Bulkhead bulkhead = new Bulkhead(new Bulkhead.Bounds(AT_ONCE, AT_ONCE_PER_CALLER, WAITING_MAX),
            () -> SearchError.BUSY.refusal().retryAfter(RETRY_SECONDS),
            () -> SearchError.BUSY_OF_CALLER.refusal(AT_ONCE_PER_CALLER).retryAfter(RETRY_SECONDS));

    SearchService(SearchRepository repository) {
        this.repository = repository;
    }

    /** The documents that the reader may see, the newest first; a search in one case needs a participant of that case. */
    Future<Page<SearchRepository.Found>> find(
            UserId reader, SearchQuery query, Optional<CaseId> caseId, List<String> kinds, SearchRepository.Place after, int limit) {
        return caseId.map(of -> participating(of, reader)).orElseGet(Future::succeededFuture)
                .compose(allowed -> bulkhead.run(reader, () -> repository.find(
                        new SearchRepository.Asked(reader, query, caseId, kinds, after, limit + 1))))
                .map(found -> new Page<>(found.subList(0, Math.min(limit, found.size())), found.size() > limit));
    }

    private Future<Void> participating(CaseId caseId, UserId reader) {
        return repository.takesPart(caseId, reader).map(found -> {
            if (!found.orElseThrow(SearchError.CASE_NOT_FOUND::refusal)) {
                throw SearchError.NOT_A_PARTICIPANT.refusal();
            }
            return null;
        });
    }
}
