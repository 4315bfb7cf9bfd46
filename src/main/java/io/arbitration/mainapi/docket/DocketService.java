package io.arbitration.mainapi.docket;

import io.arbitration.domain.docket.ChainCheck;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.platform.batching.BatchingLoader;
import io.arbitration.platform.paper.PaperWorkers;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads dockets for the participants of a case, makes PDFs of entries, and verifies the hash chain. */
public final class DocketService {

    private final DocketRepository repository;
    private final DocketListRepository listed;
    private final DocketLists lists;
    private final DocketListCache cache;
    private final BatchingLoader<DocketListRepository.Reader, Optional<DocketListRepository.Access>> accesses;
    private final ChainVerifier verifier;
    private final EntryPaper paper;
    private final PaperWorkers workers;

    /** @param cacheBytesMax the most heap of the cache of lists */
    public DocketService(Vertx vertx, DocketRepository repository, DocketListRepository listed, long cacheBytesMax, MeterRegistry meters, EntryPaper paper, PaperWorkers workers) {
        this.repository = repository;
        this.listed = listed;
        this.lists = new DocketLists(listed);
        this.cache = new DocketListCache(vertx, lists, cacheBytesMax, meters);
        this.accesses = new BatchingLoader<>(vertx, listed::accesses);
        this.verifier = new ChainVerifier(vertx, repository);
        this.paper = paper;
        this.workers = workers;
    }

    /** The whole docket, as the JSON that is sent. */
    Future<Buffer> list(UUID caseId, UUID userId) {
        return cache.loadFirst(new DocketListRepository.Reader(caseId, userId))
                .compose(opened -> opened.map(Future::succeededFuture).orElseGet(() -> current(caseId, userId)));
    }

    /** Adds entries that this node has committed, in the order of their numbers, to the cached lists. */
    public void docketed(List<DocketEntry> entries) {
        entries.stream().collect(Collectors.groupingBy(entry -> entry.caseId().value(), Collectors.mapping(ListedEntry::of, Collectors.toList())))
                .forEach(cache::docketed);
    }

    private Future<Buffer> current(UUID caseId, UUID userId) {
        return access(caseId, userId, DocketError.LIST_CASE_NOT_FOUND).compose(access -> cache.list(access, userId));
    }

    /** The entries after a given one that pass the filter, at most so many, as the JSON that is sent. */
    Future<Buffer> filtered(UUID caseId, UUID userId, OptionalLong afterEntryId, DocketListRepository.Filter filter, int limit) {
        return access(caseId, userId, DocketError.LIST_CASE_NOT_FOUND)
                .compose(access -> afterEntryId.isEmpty() ? Future.succeededFuture(0) : numberOf(caseId, afterEntryId.getAsLong()))
                .compose(afterNumber -> lists.filtered(new DocketListRepository.Reader(caseId, userId), filter, afterNumber, limit));
    }

    private Future<Integer> numberOf(UUID caseId, long entryId) {
        return listed.numberOf(caseId, entryId).map(found -> found.orElseThrow(DocketError.ENTRY_NOT_FOUND::refusal));
    }

    Future<DocketRepository.Viewed> view(UUID caseId, UUID userId, long entryId) {
        // A caller who takes no part in the case must not learn which entries exist.
        return access(caseId, userId, DocketError.CASE_NOT_FOUND)
                .compose(access -> repository.find(caseId, entryId, userId))
                .map(found -> {
                    DocketRepository.Viewed viewed = found.orElseThrow(DocketError.ENTRY_NOT_FOUND::refusal);
                    if (viewed.withheld()) {
                        throw DocketError.SEALED.refusal();
                    }
                    return viewed;
                });
    }

    /** The PDF of an entry. */
    Future<Buffer> render(UUID caseId, UUID userId, long entryId) {
        return access(caseId, userId, DocketError.CASE_NOT_FOUND)
                .compose(access -> repository.paper(caseId, entryId, userId))
                .map(found -> {
                    PaperEntry paperEntry = found.orElseThrow(DocketError.ENTRY_NOT_FOUND::refusal);
                    if (paperEntry.withheld()) {
                        throw DocketError.SEALED.refusal();
                    }
                    return paperEntry;
                })
                .compose(entry -> workers.make(userId, () -> Buffer.buffer(paper.render(entry))));
    }

    /** Recomputes the chain of a docket: numbers without a gap, each hash over its entry and the hash before, the head at the end. */
    Future<ChainCheck.Report> verify(UUID caseId, UUID userId) {
        return access(caseId, userId, DocketError.CASE_NOT_FOUND).compose(access -> verifier.verify(caseId, userId));
    }

    private Future<DocketListRepository.Access> access(UUID caseId, UUID userId, DocketError notFound) {
        return accesses.load(new DocketListRepository.Reader(caseId, userId)).map(found -> {
            DocketListRepository.Access access = found.orElseThrow(notFound::refusal);
            if (!access.participant()) {
                throw DocketError.NOT_A_PARTICIPANT.refusal();
            }
            return access;
        });
    }
}
