package io.arbitration.mainapi.docket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
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

/**
 * Docket lists ready to send, as bytes, by case and number of their last entry. A docket only grows, so a list is current when
 * its last number is, and an older list needs only the entries that it lacks. Bounded in bytes.
 *
 * <p>The list of a case is loaded once at a time, however many wait for it and however fast the docket grows: whoever needs more
 * than is being loaded waits for it, and all of these are then served by one load of what is still missing. May be used from
 * any thread; each caller gets its list on its own Vert.x context.
 */
final class DocketListCache {

    private static final int ENTRY_OVERHEAD_BYTES = 200;
    /** Of the connections to the database, so that lists that are not in memory leave some to all that is answered sooner. */
    private static final int WHOLE_LISTS_AT_ONCE = 3;
    private static final int WHOLE_LISTS_WAITING_MAX = 10_000;

    private record Kept(int lastNumber, Buffer list) {

        /** What every list begins with. */
        static final Kept NOTHING = new Kept(0, DocketListBody.of(List.of()));
    }

    /** A load that is under way, and what is to be loaded after it. */
    private static final class Loading {

        private final int lastNumber;
        private final Future<Kept> running;
        private int wanted;
        private Promise<Kept> next;

        Loading(int lastNumber, Future<Kept> running) {
            this.lastNumber = lastNumber;
            this.running = running;
        }
    }

    private final Vertx vertx;
    private final DocketLists lists;
    private final Bulkhead wholeLists = Bulkhead.ofNode(WHOLE_LISTS_AT_ONCE, WHOLE_LISTS_WAITING_MAX, () -> HttpError.OVERLOADED.refusal().retryAfter(1));
    private final Cache<UUID, Kept> kept;
    private final Map<UUID, Loading> loading = new HashMap<>();
    private final Counter fromKept;
    private final Counter fromGrown;
    private final Counter fromRows;

    DocketListCache(Vertx vertx, DocketLists lists, long bytesMax, MeterRegistry meters) {
        this.vertx = vertx;
        this.lists = lists;
        this.kept = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((UUID caseId, Kept list) -> ENTRY_OVERHEAD_BYTES + list.list.length())
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
     * Empty for every other reader, for one who has no part in the case, and for an empty docket.
     */
    Future<Optional<Buffer>> opened(DocketRepository.Reader reader) {
        Promise<Kept> loaded = Promise.promise();
        synchronized (loading) {
            if (kept.getIfPresent(reader.caseId()) != null || loading.containsKey(reader.caseId())) {
                return Future.succeededFuture(Optional.empty());
            }
            loading.put(reader.caseId(), new Loading(0, loaded.future()));
        }
        fromRows.increment();
        Future<Optional<Kept>> whole = wholeLists.run(() -> lists.whole(reader))
                .map(found -> found.map(list -> keep(reader.caseId(), new Kept(list.lastNumber(), list.json()))));
        // Of a reader without a right to it nothing was read.
        whole.map(found -> found.orElse(Kept.NOTHING)).onComplete(list -> ended(reader.caseId(), loaded, list));
        return whole.map(found -> found.map(Kept::list));
    }

    private Kept newest(UUID caseId) {
        Kept present = kept.getIfPresent(caseId);
        return present == null ? Kept.NOTHING : present;
    }

    private Kept keep(UUID caseId, Kept list) {
        kept.asMap().merge(caseId, list, (one, other) -> one.lastNumber >= other.lastNumber ? one : other);
        return list;
    }

    /** The list of a case up to the given number at least. */
    Future<Buffer> list(UUID caseId, int lastNumber) {
        Kept present = kept.getIfPresent(caseId);
        if (present != null && present.lastNumber >= lastNumber) {
            fromKept.increment();
            return Future.succeededFuture(present.list);
        }
        (present == null ? fromRows : fromGrown).increment();
        return onOwnContext(loaded(caseId, lastNumber)).map(Kept::list);
    }

    private Future<Kept> loaded(UUID caseId, int lastNumber) {
        Promise<Kept> first = Promise.promise();
        synchronized (loading) {
            Loading now = loading.get(caseId);
            if (now != null && now.lastNumber >= lastNumber) {
                return now.running;
            }
            if (now != null) {
                now.wanted = Math.max(now.wanted, lastNumber);
                now.next = now.next == null ? Promise.promise() : now.next;
                return now.next.future();
            }
            loading.put(caseId, new Loading(lastNumber, first.future()));
        }
        load(caseId, newest(caseId), lastNumber, first);
        return first.future();
    }

    private void load(UUID caseId, Kept older, int lastNumber, Promise<Kept> loaded) {
        grown(caseId, older, lastNumber).onComplete(list -> ended(caseId, loaded, list));
    }

    private Future<Kept> grown(UUID caseId, Kept older, int lastNumber) {
        if (older.lastNumber >= lastNumber) {
            return Future.succeededFuture(older);
        }
        // What these throw is a failure like any other: else the case would be loading for ever.
        Supplier<Future<DocketLists.Part>> missing = () -> lists.between(caseId, older.lastNumber, lastNumber);
        return (older == Kept.NOTHING ? wholeLists.run(missing) : Future.succeededFuture().compose(now -> missing.get()))
                .map(more -> keep(caseId, new Kept(lastNumber, DocketListBody.joined(older.list, more.json()))));
    }

    /** Answers those who wait for a load that has ended, and begins the next one. */
    private void ended(UUID caseId, Promise<Kept> loaded, AsyncResult<Kept> list) {
        Loading after;
        Promise<Kept> next;
        synchronized (loading) {
            Loading before = loading.remove(caseId);
            next = before.next;
            after = next == null ? null : new Loading(before.wanted, next.future());
            if (after != null) {
                loading.put(caseId, after);
            }
        }
        loaded.handle(list);
        if (after != null) {
            // What was just loaded may be too large to be kept, and serves the next load all the same.
            load(caseId, list.succeeded() ? list.result() : newest(caseId), after.lastNumber, next);
        }
    }

    private <T> Future<T> onOwnContext(Future<T> future) {
        Context own = vertx.getOrCreateContext();
        Promise<T> answer = Promise.promise();
        future.onComplete(result -> own.runOnContext(back -> answer.handle(result)));
        return answer.future();
    }
}
