package io.arbitration.mainapi.docket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.mainapi.docket.DocketRepository.View;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Docket lists ready to send, as bytes, by view. A docket only grows, so a list is current when its last number is and no seal has
 * changed since, and an older list needs only the entries that it lacks. Bounded in bytes.
 */
final class DocketListCache {

    private static final int ENTRY_OVERHEAD_BYTES = 200;
    /** Kept for everybody when each party has a list of its own, so that nobody asks again for one that all may read. */
    private static final Buffer OF_NOBODY = DocketListBody.of(List.of());

    /** @param seals number of the seals that it was read under, or an earlier one */
    private record Kept(int lastNumber, int seals, Buffer list) {

        boolean isAsNewAs(Kept other) {
            return seals > other.seals || seals == other.seals && lastNumber >= other.lastNumber;
        }
    }

    private record Loading(View view, int lastNumber, int seals) {}

    private final DocketLists lists;
    private final Cache<View, Kept> kept;
    /** Readers of the same new list wait for one query. */
    private final Map<Loading, Future<Kept>> loading = new ConcurrentHashMap<>();
    /** Cases whose list the first reader is loading. */
    private final Set<UUID> opening = ConcurrentHashMap.newKeySet();

    DocketListCache(DocketLists lists, long bytesMax) {
        this.lists = lists;
        this.kept = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((View view, Kept list) -> ENTRY_OVERHEAD_BYTES + list.list.length())
                // Evicting takes less time than handing it to another thread.
                .executor(Runnable::run)
                .build();
    }

    /**
     * The whole list, read together with the reader's right to it: for the first reader of a case of which no list is kept.
     * Empty for every other reader, for one who has no part in the case, for an empty docket, and for one with entries that were
     * ever sealed.
     */
    Future<Optional<Buffer>> opened(DocketRepository.Reader reader) {
        View view = new View(reader.caseId(), "");
        if (kept.getIfPresent(view) != null || !opening.add(reader.caseId())) {
            return Future.succeededFuture(Optional.empty());
        }
        return lists.whole(reader)
                .map(found -> {
                    found.ifPresent(list -> keep(view, new Kept(list.lastNumber(), 0, list.json())));
                    return found.map(DocketLists.Part::json);
                })
                .onComplete(done -> opening.remove(reader.caseId()));
    }

    private void keep(View view, Kept list) {
        kept.asMap().merge(view, list, (one, other) -> one.isAsNewAs(other) ? one : other);
    }

    /** The list that somebody may read, up to the last number at least and not older than the seals. */
    Future<Buffer> list(DocketRepository.Access access) {
        if (access.seals() > 0) {
            keep(new View(access.view().caseId(), ""), new Kept(0, access.seals(), OF_NOBODY));
        }
        Kept present = kept.getIfPresent(access.view());
        boolean asSealed = present != null && present.seals >= access.seals();
        if (asSealed && present.lastNumber >= access.lastNumber()) {
            return Future.succeededFuture(present.list);
        }
        Loading key = new Loading(access.view(), access.lastNumber(), access.seals());
        Future<Kept> running = loading.get(key);
        if (running == null) {
            running = load(key, asSealed ? present : null);
            loading.put(key, running);
            running.onComplete(done -> loading.remove(key));
        }
        return running.map(Kept::list);
    }

    private Future<Kept> load(Loading key, Kept older) {
        return lists.between(key.view, older == null ? 0 : older.lastNumber, key.lastNumber).map(more -> {
            Kept list = new Kept(key.lastNumber, key.seals, older == null ? more.json() : DocketListBody.joined(older.list, more.json()));
            keep(key.view, list);
            return list;
        });
    }
}
