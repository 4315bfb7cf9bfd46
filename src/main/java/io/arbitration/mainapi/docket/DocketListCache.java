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
 * Docket lists ready to send, as bytes, by case and number of their last entry. A docket only grows, so a list is current when
 * its last number is, and an older list needs only the entries that it lacks. Bounded in bytes.
 */
final class DocketListCache {

    private static final int ENTRY_OVERHEAD_BYTES = 200;

    private record Kept(int lastNumber, Buffer list) {}

    private record Loading(UUID caseId, int lastNumber) {}

    private final DocketLists lists;
    private final Cache<UUID, Kept> kept;
    /** Readers of the same new list wait for one query. */
    private final Map<Loading, Future<Kept>> loading = new ConcurrentHashMap<>();
    /** Cases whose list the first reader is loading. */
    private final Set<UUID> opening = ConcurrentHashMap.newKeySet();

    DocketListCache(DocketLists lists, long bytesMax) {
        this.lists = lists;
        this.kept = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((UUID caseId, Kept list) -> ENTRY_OVERHEAD_BYTES + list.list.length())
                // Evicting takes less time than handing it to another thread.
                .executor(Runnable::run)
                .build();
    }

    /**
     * The whole list, read together with the reader's right to it: for the first reader of a case of which no list is kept.
     * Empty for every other reader, for one who has no part in the case, and for an empty docket.
     */
    Future<Optional<Buffer>> opened(DocketRepository.Reader reader) {
        if (kept.getIfPresent(reader.caseId()) != null || !opening.add(reader.caseId())) {
            return Future.succeededFuture(Optional.empty());
        }
        return lists.whole(reader)
                .map(found -> {
                    found.ifPresent(list -> keep(reader.caseId(), new Kept(list.lastNumber(), list.json())));
                    return found.map(DocketLists.Part::json);
                })
                .onComplete(done -> opening.remove(reader.caseId()));
    }

    private void keep(UUID caseId, Kept list) {
        kept.asMap().merge(caseId, list, (one, other) -> one.lastNumber >= other.lastNumber ? one : other);
    }

    /** The list of a case up to the given number at least. */
    Future<Buffer> list(UUID caseId, int lastNumber) {
        Kept present = kept.getIfPresent(caseId);
        if (present != null && present.lastNumber >= lastNumber) {
            return Future.succeededFuture(present.list);
        }
        Loading key = new Loading(caseId, lastNumber);
        Future<Kept> running = loading.get(key);
        if (running == null) {
            running = load(key, present);
            loading.put(key, running);
            running.onComplete(done -> loading.remove(key));
        }
        return running.map(Kept::list);
    }

    private Future<Kept> load(Loading key, Kept older) {
        return lists.between(key.caseId, older == null ? 0 : older.lastNumber, key.lastNumber).map(more -> {
            Kept list = new Kept(key.lastNumber, older == null ? more.json() : DocketListBody.joined(older.list, more.json()));
            keep(key.caseId, list);
            return list;
        });
    }
}
