package io.arbitration.mainapi.docket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Docket lists ready to send, as bytes, by case and number of their last entry. A docket only grows, so a list is current
 * when its last number is, and a stale one needs just the entries it lacks. Bounded in bytes.
 */
final class DocketListCache {

    private static final int ENTRY_OVERHEAD_BYTES = 200;

    private record Kept(int lastNumber, Buffer list) {}

    private record Loading(UUID caseId, int lastNumber) {}

    private final DocketRepository repository;
    private final Cache<UUID, Kept> lists;
    /** Readers of the same new list wait for one query. */
    private final Map<Loading, Future<Kept>> loading = new ConcurrentHashMap<>();
    /** Cases whose first reader is on its way. */
    private final Set<UUID> opening = ConcurrentHashMap.newKeySet();

    DocketListCache(DocketRepository repository, long bytesMax) {
        this.repository = repository;
        this.lists = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((UUID caseId, Kept kept) -> ENTRY_OVERHEAD_BYTES + kept.list.length())
                // What a put evicts is little work, less than waking another thread for it.
                .executor(Runnable::run)
                .build();
    }

    /**
     * The whole list and that the reader may have it, from one statement: for the first reader of a case of which no list is
     * kept. Empty for every other, and for one who has no part in the case or finds no entry.
     */
    Future<Optional<Buffer>> opened(DocketRepository.Reader reader) {
        if (lists.getIfPresent(reader.caseId()) != null || !opening.add(reader.caseId())) {
            return Future.succeededFuture(Optional.empty());
        }
        return repository.wholeList(reader)
                .map(found -> found.map(whole -> {
                    keep(reader.caseId(), new Kept(whole.lastNumber(), whole.list()));
                    return whole.list();
                }))
                .onComplete(done -> opening.remove(reader.caseId()));
    }

    private void keep(UUID caseId, Kept kept) {
        lists.asMap().merge(caseId, kept, (one, other) -> one.lastNumber >= other.lastNumber ? one : other);
    }

    /** The list of a case up to the given number at least. */
    Future<Buffer> list(UUID caseId, int lastNumber) {
        Kept kept = lists.getIfPresent(caseId);
        if (kept != null && kept.lastNumber >= lastNumber) {
            return Future.succeededFuture(kept.list);
        }
        Loading key = new Loading(caseId, lastNumber);
        Future<Kept> running = loading.get(key);
        if (running == null) {
            running = load(key, kept);
            loading.put(key, running);
            running.onComplete(done -> loading.remove(key));
        }
        return running.map(Kept::list);
    }

    private Future<Kept> load(Loading key, Kept older) {
        return repository.list(key.caseId, older == null ? 0 : older.lastNumber, key.lastNumber).map(more -> {
            Kept kept = new Kept(key.lastNumber, older == null ? more : DocketListBody.joined(older.list, more));
            keep(key.caseId, kept);
            return kept;
        });
    }
}
