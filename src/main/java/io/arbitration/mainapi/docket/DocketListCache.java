package io.arbitration.mainapi.docket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.arbitration.mainapi.docket.DocketRepository.View;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.limits.Bulkhead;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Docket lists ready to send, as bytes, by view. A docket only grows, so a list is current when its last number is and no seal has
 * changed since, and an older list needs only the entries that it lacks. Those that this node committed are added as it commits them;
 * those of other nodes are read from the database when somebody asks. Bounded in bytes.
 *
 * <p>The list of a view is loaded once at a time, however many wait for it and however fast the docket grows: whoever needs more
 * than is being loaded waits for it, and all of these are then served by one load of what is still missing. May be used from
 * any thread; each caller gets its list on its own Vert.x context.
 */
final class DocketListCache {

    private static final int ENTRY_OVERHEAD_BYTES = 200;
    /** Of the connections to the database, so that lists that are not in memory leave some to all that is answered sooner. */
    private static final int WHOLE_LISTS_AT_ONCE = 3;
    private static final int WHOLE_LISTS_WAITING_MAX = 10_000;
    /** Cases of which it is known that some entry was ever sealed: some 2 MB. One that is forgotten costs a question more. */
    private static final int SEALED_CASES_MAX = 20_000;
    /** A list is copied when entries are written into it: so many wait for a reader, and are then written together. */
    private static final int UNWRITTEN_MAX = 16;

    /**
     * @param seals     number of the seals that it was read under, or an earlier one
     * @param list      its first entries
     * @param unwritten its last entries, which are not yet among these bytes
     */
    private record Kept(int lastNumber, int seals, Buffer list, List<ListedEntry> unwritten) {

        /** What every list begins with. */
        static final Kept NOTHING = new Kept(0, 0, DocketListBody.of(List.of()));

        Kept(int lastNumber, int seals, Buffer list) {
            this(lastNumber, seals, list, List.of());
        }

        /** The list with entries that follow its last one; the same list when they do not, or when an entry of the case was ever sealed. */
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

        /** Of two that are equally new, the one whose entries are written. */
        boolean isAsNewAs(Kept other) {
            return seals > other.seals || seals == other.seals && (lastNumber > other.lastNumber
                    || lastNumber == other.lastNumber && unwritten.size() <= other.unwritten.size());
        }

        boolean serves(Wanted wanted) {
            return seals >= wanted.seals && lastNumber >= wanted.lastNumber;
        }
    }

    /** A list up to this number at least, and not older than these seals. */
    private record Wanted(int lastNumber, int seals) {

        static final Wanted ANYTHING = new Wanted(0, 0);

        boolean serves(Wanted other) {
            return seals >= other.seals && lastNumber >= other.lastNumber;
        }

        Wanted and(Wanted other) {
            return new Wanted(Math.max(lastNumber, other.lastNumber), Math.max(seals, other.seals));
        }
    }

    /** A load that is under way, and what is to be loaded after it. */
    private static final class Loading {

        private final Wanted wanted;
        private final Future<Kept> running;
        private Wanted wantedNext = Wanted.ANYTHING;
        private Promise<Kept> next;

        Loading(Wanted wanted, Future<Kept> running) {
            this.wanted = wanted;
            this.running = running;
        }
    }

    private final Vertx vertx;
    private final DocketLists lists;
    private final Bulkhead wholeLists = Bulkhead.ofNode(WHOLE_LISTS_AT_ONCE, WHOLE_LISTS_WAITING_MAX, () -> HttpError.OVERLOADED.refusal().retryAfter(1));
    private final Cache<View, Kept> kept;
    /** They stay so: the number of a case's seals only grows. Known also where the lists themselves have no room in memory. */
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
                // Evicting takes less time than handing it to another thread.
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
     * The whole list, read together with the reader's right to it: for the first reader of a case of which no list is kept.
     * Empty for every other reader, for one who has no part in the case, for an empty docket, and for one with entries that were
     * ever sealed.
     */
    Future<Optional<Buffer>> opened(DocketRepository.Reader reader) {
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
        Future<Optional<Kept>> whole = wholeLists.run(() -> lists.whole(reader))
                .map(found -> found.map(list -> keep(view, new Kept(list.lastNumber(), 0, list.json()))));
        // Of a reader without a right to it nothing was read.
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

    /** Adds entries of one case that were committed, in order, to its list, if that is kept and they follow its last entry. */
    void docketed(UUID caseId, List<ListedEntry> entries) {
        kept.asMap().computeIfPresent(ofEverybody(caseId), (view, list) -> list.followedBy(entries));
    }

    private Kept keep(View view, Kept list) {
        kept.asMap().merge(view, list, (one, other) -> one.isAsNewAs(other) ? one : other);
        return list;
    }

    /** The list that somebody may read, up to the last number at least and not older than the seals. */
    Future<Buffer> list(DocketRepository.Access access) {
        Wanted wanted = new Wanted(access.lastNumber(), access.seals());
        if (access.seals() > 0) {
            // Each party has a list of its own, so that nobody asks again for one that all may read, and none of before is kept.
            everSealed.put(access.view().caseId(), true);
            keep(ofEverybody(access.view().caseId()), new Kept(0, access.seals(), Kept.NOTHING.list));
        }
        Kept present = kept.getIfPresent(access.view());
        if (present != null && present.serves(wanted)) {
            fromKept.increment();
            return Future.succeededFuture(written(access.view(), present).list);
        }
        (present == null || present.seals < wanted.seals ? fromRows : fromGrown).increment();
        return onOwnContext(loaded(access.view(), wanted)).map(Kept::list);
    }

    private Future<Kept> loaded(View view, Wanted wanted) {
        Promise<Kept> first = Promise.promise();
        synchronized (loading) {
            Loading now = loading.get(view);
            if (now != null && now.wanted.serves(wanted)) {
                return now.running;
            }
            if (now != null) {
                now.wantedNext = now.wantedNext.and(wanted);
                now.next = now.next == null ? Promise.promise() : now.next;
                return now.next.future();
            }
            loading.put(view, new Loading(wanted, first.future()));
        }
        load(view, newest(view), wanted, first);
        return first.future();
    }

    private void load(View view, Kept older, Wanted wanted, Promise<Kept> loaded) {
        grown(view, older.seals >= wanted.seals ? older : Kept.NOTHING, wanted).onComplete(list -> ended(view, loaded, list));
    }

    private Future<Kept> grown(View view, Kept older, Wanted wanted) {
        if (older.serves(wanted)) {
            return Future.succeededFuture(older);
        }
        // What these throw is a failure like any other: else the view would be loading for ever.
        Supplier<Future<DocketLists.Part>> missing = () -> lists.between(view, older.lastNumber, wanted.lastNumber);
        return (older.lastNumber == 0 ? wholeLists.run(missing) : Future.succeededFuture().compose(now -> missing.get()))
                .map(more -> keep(view, new Kept(wanted.lastNumber, Math.max(older.seals, wanted.seals), DocketListBody.joined(older.list, more.json()))));
    }

    /** Answers those who wait for a load that has ended, and begins the next one. */
    private void ended(View view, Promise<Kept> loaded, AsyncResult<Kept> list) {
        Loading after;
        Promise<Kept> next;
        synchronized (loading) {
            Loading before = loading.remove(view);
            next = before.next;
            after = next == null ? null : new Loading(before.wantedNext, next.future());
            if (after != null) {
                loading.put(view, after);
            }
        }
        loaded.handle(list);
        if (after != null) {
            // What was just loaded may be too large to be kept, and serves the next load all the same.
            load(view, list.succeeded() ? list.result() : newest(view), after.wanted, next);
        }
    }

    private <T> Future<T> onOwnContext(Future<T> future) {
        Context own = vertx.getOrCreateContext();
        Promise<T> answer = Promise.promise();
        future.onComplete(result -> own.runOnContext(back -> answer.handle(result)));
        return answer.future();
    }
}
