package io.arbitration.mainapi.docket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.mainapi.docket.DocketListRepository.View;
import io.arbitration.platform.request.OwnContext;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A cache of docket lists as the bytes that are sent, one for each {@link View}; its size in bytes is bounded. A docket only grows. So a
 * cached list is current if its last number is and no seal has changed since, and an older list only lacks the newer entries. The entries
 * that this node commits are added at once; those of other nodes are read from the database when a reader asks for the list.
 *
 * <p>At most one load of a view runs at a time. A reader who needs entries beyond that load waits until it has ended; one further load then
 * reads what is still missing, for all who wait. A load takes the share of one of the users who asked for it. If it is refused because that
 * user's share is used up, the others load again for themselves. May be used from any thread; each caller gets its list on its own Vert.x
 * context.
 */
final class DocketListCache {

    private static final int ENTRY_OVERHEAD_BYTES = 200;
    /** Cases that are known to have had a sealed entry; they take about 2 MB. A case that was evicted costs one more query. */
    private static final int SEALED_CASES_MAX = 20_000;
    /** Writing entries into a list copies it. So up to this many entries are collected and then written together, or when a reader asks. */
    private static final int UNWRITTEN_MAX = 16;

    /**
     * A cached list.
     *
     * @param seals     the count of seal changes that it includes at least
     * @param list      the JSON of its first entries
     * @param unwritten its last entries, which are not in that JSON yet
     */
    private record Kept(int lastNumber, int seals, Buffer list, List<ListedEntry> unwritten) {

        /** The empty list, which every load begins with. */
        static final Kept NOTHING = new Kept(0, 0, DocketListBody.of(List.of()));

        Kept(int lastNumber, int seals, Buffer list) {
            this(lastNumber, seals, list, List.of());
        }

        /** The list extended by entries; unchanged if they do not follow its last one, or if an entry of the case was ever sealed. */
        Kept followedBy(List<ListedEntry> entries) {
            if (seals > 0 || entries.getFirst().number() != lastNumber + 1) {
                return this;
            }
            Kept longer = new Kept(entries.getLast().number(), seals, list, Stream.concat(unwritten.stream(), entries.stream()).toList());
            return longer.unwritten.size() > UNWRITTEN_MAX ? longer.written() : longer;
        }

        Kept written() {
            return unwritten.isEmpty() ? this : new Kept(lastNumber, seals, DocketListBody.joined(list, DocketListBody.of(unwritten)));
        }

        int bytes() {
            return ENTRY_OVERHEAD_BYTES + list.length() + unwritten.size() * DocketListBody.BYTES_PER_ENTRY;
        }

        /** Whether this list replaces the other. Of two that are equally new, the one with fewer unwritten entries does. */
        boolean isAsNewAs(Kept other) {
            return seals > other.seals || seals == other.seals && (lastNumber > other.lastNumber
                    || lastNumber == other.lastNumber && unwritten.size() <= other.unwritten.size());
        }

        boolean serves(Wanted wanted) {
            return seals >= wanted.seals && lastNumber >= wanted.lastNumber;
        }
    }

    /** What a reader needs: a list up to at least this number, which includes at least these seal changes. */
    private record Wanted(int lastNumber, int seals) {

        static final Wanted ANYTHING = new Wanted(0, 0);

        boolean serves(Wanted other) {
            return seals >= other.seals && lastNumber >= other.lastNumber;
        }

        Wanted and(Wanted other) {
            return new Wanted(Math.max(lastNumber, other.lastNumber), Math.max(seals, other.seals));
        }
    }

    /** A running load, and what has to be loaded after it. */
    private static final class Loading {

        private final Wanted wanted;
        private final Future<Kept> running;
        private Wanted wantedNext = Wanted.ANYTHING;
        private Promise<Kept> next;
        private UUID nextReadFor;

        Loading(Wanted wanted, Future<Kept> running) {
            this.wanted = wanted;
            this.running = running;
        }
    }

    private final Vertx vertx;
    private final DocketLists lists;
    private final Cache<View, Kept> kept;
    /** Cases that ever had a sealed entry, which never changes back. Remembered also if their lists do not fit into the cache. */
    private final Cache<UUID, Boolean> everSealed = Caffeine.newBuilder().maximumSize(SEALED_CASES_MAX).executor(Runnable::run).build();
    private final Map<View, Loading> loading = new HashMap<>();
    private final Counter fromKept;
    private final Counter fromGrown;
    private final Counter fromRows;

    DocketListCache(Vertx vertx, DocketLists lists, long bytesMax, MeterRegistry meters) {
        this.vertx = vertx;
        this.lists = lists;
        this.kept = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((View view, Kept list) -> list.bytes())
                // On the same thread, because evicting takes less time than a hand-over to another one.
                .executor(Runnable::run)
                .build();
        this.fromKept = counter(meters, "kept");
        this.fromGrown = counter(meters, "grown");
        this.fromRows = counter(meters, "rows");
    }

    private static Counter counter(MeterRegistry meters, String from) {
        return Counter.builder("acp.docket.lists")
                .description("Whole docket lists that were answered from memory (kept), loaded but for what was in memory (grown), or loaded whole (rows)")
                .tag("from", from).register(meters);
    }

    /**
     * Loads the whole list for the first reader of a case without a cached list; the same statement checks the reader's right. Empty if
     * there is a cached list or a running load, if the reader takes no part in the case, if the docket is empty, and if one of its entries
     * was ever sealed.
     */
    Future<Optional<Buffer>> loadFirst(DocketListRepository.Reader reader) {
        if (everSealed.getIfPresent(reader.caseId()) != null) {
            return Future.succeededFuture(Optional.empty());
        }
        View view = ofEverybody(reader.caseId());
        Promise<Kept> loaded = Promise.promise();
        synchronized (loading) {
            if (kept.getIfPresent(view) != null || loading.containsKey(view)) {
                return Future.succeededFuture(Optional.empty());
            }
            loading.put(view, new Loading(Wanted.ANYTHING, loaded.future()));
        }
        Future<Optional<Kept>> whole = lists.whole(reader)
                .map(found -> found.map(list -> keep(view, new Kept(list.lastNumber(), 0, list.json()))));
        // For a reader without that right nothing was read, so others who wait for this load begin with an empty list.
        whole.map(found -> found.orElse(Kept.NOTHING)).onComplete(list -> ended(view, loaded, list));
        return whole.map(found -> found.map(list -> {
            fromRows.increment();
            return list.list;
        }));
    }

    private static View ofEverybody(UUID caseId) {
        return new View(caseId, "");
    }

    private Kept newest(View view) {
        Kept present = kept.getIfPresent(view);
        return present == null ? Kept.NOTHING : written(view, present);
    }

    private Kept written(View view, Kept list) {
        return list.unwritten.isEmpty() ? list : keep(view, list.written());
    }

    /** Adds committed entries of a case, in order, to its cached list, if there is one and they follow its last entry. */
    void docketed(UUID caseId, List<ListedEntry> entries) {
        kept.asMap().computeIfPresent(ofEverybody(caseId), (view, list) -> list.followedBy(entries));
    }

    private Kept keep(View view, Kept list) {
        kept.asMap().merge(view, list, (one, other) -> one.isAsNewAs(other) ? one : other);
        return list;
    }

    /** The list that this reader may see, as new as the access was when it was read. */
    Future<Buffer> list(DocketListRepository.Access access, UUID userId) {
        Wanted wanted = new Wanted(access.lastNumber(), access.seals());
        if (access.seals() > 0) {
            // From now on each party has a list of its own. The empty list replaces the one for everybody, which could show what is sealed
            // now.
            everSealed.put(access.view().caseId(), true);
            keep(ofEverybody(access.view().caseId()), new Kept(0, access.seals(), Kept.NOTHING.list));
        }
        Kept present = kept.getIfPresent(access.view());
        if (present != null && present.serves(wanted)) {
            fromKept.increment();
            return Future.succeededFuture(written(access.view(), present).list);
        }
        (present == null || present.seals < wanted.seals ? fromRows : fromGrown).increment();
        return OwnContext.of(vertx, loaded(access.view(), wanted, userId)).map(Kept::list);
    }

    private Future<Kept> loaded(View view, Wanted wanted, UUID userId) {
        Promise<Kept> first = Promise.promise();
        synchronized (loading) {
            Loading now = loading.get(view);
            if (now != null && now.wanted.serves(wanted)) {
                return joined(now.running, view, wanted, userId);
            }
            if (now != null) {
                now.wantedNext = now.wantedNext.and(wanted);
                if (now.next == null) {
                    now.next = Promise.promise();
                    now.nextReadFor = userId;
                }
                return joined(now.next.future(), view, wanted, userId);
            }
            loading.put(view, new Loading(wanted, first.future()));
        }
        load(userId, view, newest(view), wanted, first);
        return first.future();
    }

    /** The result of another user's load; if it was refused because of that user's share, loads again for this one. */
    private Future<Kept> joined(Future<Kept> ofAnother, View view, Wanted wanted, UUID userId) {
        return ofAnother.recover(failure -> DocketLists.isBeyondShare(failure) ? loaded(view, wanted, userId) : Future.failedFuture(failure));
    }

    private void load(UUID readFor, View view, Kept older, Wanted wanted, Promise<Kept> loaded) {
        grown(readFor, view, older.seals >= wanted.seals ? older : Kept.NOTHING, wanted).onComplete(list -> ended(view, loaded, list));
    }

    private Future<Kept> grown(UUID readFor, View view, Kept older, Wanted wanted) {
        if (older.serves(wanted)) {
            return Future.succeededFuture(older);
        }
        // Called within a future, so that an exception ends the load as a failure does: otherwise it would never end.
        return Future.succeededFuture().compose(now -> lists.between(readFor, view, older.lastNumber, wanted.lastNumber))
                .map(more -> keep(view, new Kept(wanted.lastNumber, Math.max(older.seals, wanted.seals), DocketListBody.joined(older.list, more.json()))));
    }

    /** Answers those who wait for a load that has ended, and begins the next one. */
    private void ended(View view, Promise<Kept> loaded, AsyncResult<Kept> list) {
        Loading before;
        Loading after;
        Promise<Kept> next;
        synchronized (loading) {
            before = loading.remove(view);
            next = before.next;
            after = next == null ? null : new Loading(before.wantedNext, next.future());
            if (after != null) {
                loading.put(view, after);
            }
        }
        loaded.handle(list);
        if (after != null) {
            // The list that was just loaded may be too large for the cache; the next load continues from it nevertheless.
            load(before.nextReadFor, view, list.succeeded() ? list.result() : newest(view), after.wanted, next);
        }
    }
}
