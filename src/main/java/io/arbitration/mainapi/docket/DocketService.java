package io.arbitration.mainapi.docket;

import io.arbitration.platform.batching.BatchingLoader;
import io.arbitration.platform.paper.PaperWorkers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads dockets for those who have a part in the case, and proves them. */
final class DocketService {

    private static final int VERIFY_PAGE = 500;

    private final Vertx vertx;
    private final DocketRepository repository;
    private final DocketListCache cache;
    private final BatchingLoader<DocketRepository.Reader, Optional<DocketRepository.Access>> accesses;
    private final EntryPaper paper;
    private final PaperWorkers workers;

    DocketService(Vertx vertx, DocketRepository repository, DocketListCache cache, EntryPaper paper, PaperWorkers workers) {
        this.paper = paper;
        this.workers = workers;
        this.vertx = vertx;
        this.repository = repository;
        this.cache = cache;
        this.accesses = new BatchingLoader<>(vertx, repository::accesses);
    }

    Future<Buffer> list(UUID caseId, UUID userId) {
        return cache.opened(new DocketRepository.Reader(caseId, userId))
                .compose(opened -> opened.map(Future::succeededFuture).orElseGet(() -> current(caseId, userId)));
    }

    private Future<Buffer> current(UUID caseId, UUID userId) {
        return access(caseId, userId, DocketError.LIST_CASE_NOT_FOUND).compose(access -> cache.list(caseId, access.lastNumber()));
    }

    Future<Buffer> filtered(UUID caseId, UUID userId, long afterEntryId, DocketRepository.Filter filter) {
        return access(caseId, userId, DocketError.LIST_CASE_NOT_FOUND)
                .compose(access -> afterEntryId < 0 ? Future.succeededFuture(0) : numberOf(caseId, afterEntryId))
                .compose(afterNumber -> repository.filtered(caseId, new DocketRepository.Filter(
                        filter.documentId(), filter.partyId(), filter.phaseId(), afterNumber, filter.limit())));
    }

    private Future<Integer> numberOf(UUID caseId, long entryId) {
        return repository.find(caseId, entryId)
                .map(found -> found.orElseThrow(DocketError.ENTRY_NOT_FOUND::refusal).entry().number());
    }

    Future<JsonObject> view(UUID caseId, UUID userId, long entryId) {
        // A caller without a part must not learn which entries exist.
        return access(caseId, userId, DocketError.CASE_NOT_FOUND)
                .compose(access -> repository.find(caseId, entryId))
                .map(found -> found.orElseThrow(DocketError.ENTRY_NOT_FOUND::refusal))
                .map(viewed -> viewed.entry().view(viewed.supersededBy()));
    }

    Future<Buffer> render(UUID caseId, UUID userId, long entryId) {
        return access(caseId, userId, DocketError.CASE_NOT_FOUND)
                .compose(access -> repository.paper(caseId, entryId))
                .map(found -> found.orElseThrow(DocketError.ENTRY_NOT_FOUND::refusal))
                .compose(entry -> workers.make(() -> Buffer.buffer(paper.render(entry))));
    }

    private Future<DocketRepository.Access> access(UUID caseId, UUID userId, DocketError notFound) {
        return accesses.load(new DocketRepository.Reader(caseId, userId)).map(found -> {
            DocketRepository.Access access = found.orElseThrow(notFound::refusal);
            if (!access.participant()) {
                throw DocketError.NOT_A_PARTICIPANT.refusal();
            }
            return access;
        });
    }

    /** Recomputes the chain of a docket: numbers without a gap, each hash over its entry and the hash before, the head the end. */
    Future<JsonObject> verify(UUID caseId, UUID userId) {
        return access(caseId, userId, DocketError.CASE_NOT_FOUND)
                .compose(access -> repository.head(caseId))
                .compose(head -> verifyAfter(caseId, Chain.START, head));
    }

    /**
     * How far the chain has been followed.
     *
     * @param number of the last entry, as are its hash and id
     * @param brokenAt first entry that does not follow from the one before; null when all do
     */
    private record Chain(int entries, int number, String hash, Long entryId, Long brokenAt) {

        static final Chain START = new Chain(0, 0, DocketEntry.FIRST_PREVIOUS_HASH, null, null);

        Chain followed(List<ChainLink> page) {
            Chain chain = this;
            for (ChainLink link : page) {
                boolean holds = link.follows(chain.number, chain.hash);
                Long broken = chain.brokenAt != null || holds ? chain.brokenAt : Long.valueOf(link.entryId());
                chain = new Chain(chain.entries + 1, link.number(), link.hash(), link.entryId(), broken);
            }
            return chain;
        }
    }

    /** Page by page, hashing on a worker: a long docket must not hold an event loop. */
    private Future<JsonObject> verifyAfter(UUID caseId, Chain chain, DocketRepository.Head head) {
        return repository.links(caseId, chain.number, VERIFY_PAGE).compose(page -> {
            // Entries made after the head was read are another verification's.
            List<ChainLink> known = page.stream().filter(link -> link.number() <= head.lastNumber()).toList();
            return vertx.executeBlocking(() -> chain.followed(known), false).compose(followed ->
                    known.size() == VERIFY_PAGE ? verifyAfter(caseId, followed, head) : Future.succeededFuture(report(followed, head)));
        });
    }

    private static JsonObject report(Chain chain, DocketRepository.Head head) {
        boolean ends = chain.number == head.lastNumber() && chain.hash.equals(head.hash()) && head.firstBehind() == null;
        JsonObject report = new JsonObject()
                .put("valid", chain.brokenAt == null && ends)
                .put("entries", chain.entries)
                .put("headHash", head.hash());
        Long firstBroken = chain.brokenAt != null ? chain.brokenAt : ends ? null : brokenEnd(chain, head);
        return firstBroken == null ? report : report.put("firstBroken", firstBroken.toString());
    }

    /** The entry at which head and chain part; null when it is one that is not there any more. */
    private static Long brokenEnd(Chain chain, DocketRepository.Head head) {
        boolean lastIsAnother = chain.number == head.lastNumber() && !chain.hash.equals(head.hash());
        return lastIsAnother ? chain.entryId : head.firstBehind();
    }
}
