package io.arbitration.mainapi.docket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Docket lists ready to send, as bytes, by case and number of their last entry. A docket only grows, so a list is current
 * when its last number is, and a stale one needs just the entries it lacks. Bounded in bytes.
 */
final class DocketListCache {

    private static final int ENTRY_OVERHEAD_BYTES = 200;

    private record Kept(int lastNumber, DocketListBody body, Buffer document) {}

    private record Loading(UUID caseId, int lastNumber) {}

    private final DocketRepository repository;
    private final Cache<UUID, Kept> lists;
    /** Readers of the same new list wait for one query. */
    private final Map<Loading, Future<Kept>> loading = new ConcurrentHashMap<>();

    DocketListCache(DocketRepository repository, long bytesMax) {
        this.repository = repository;
        this.lists = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((UUID caseId, Kept kept) -> ENTRY_OVERHEAD_BYTES + 2 * kept.document.length())
                .build();
    }

    /** The list of a case up to the given number at least. */
    Future<Buffer> list(UUID caseId, int lastNumber) {
        Kept kept = lists.getIfPresent(caseId);
        if (kept != null && kept.lastNumber >= lastNumber) {
            return Future.succeededFuture(kept.document);
        }
        Loading key = new Loading(caseId, lastNumber);
        Future<Kept> running = loading.get(key);
        if (running == null) {
            running = load(key, kept);
            loading.put(key, running);
            running.onComplete(done -> loading.remove(key));
        }
        return running.map(Kept::document);
    }

    private Future<Kept> load(Loading key, Kept older) {
        int from = older == null ? 0 : older.lastNumber;
        DocketListBody before = older == null ? DocketListBody.EMPTY : older.body;
        return repository.body(key.caseId, from, key.lastNumber).map(more -> {
            DocketListBody body = before.followedBy(more);
            Kept kept = new Kept(key.lastNumber, body, body.document());
            lists.asMap().merge(key.caseId, kept, (one, other) -> one.lastNumber >= other.lastNumber ? one : other);
            return kept;
        });
    }
}
