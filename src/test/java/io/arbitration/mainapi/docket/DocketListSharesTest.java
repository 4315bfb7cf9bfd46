package io.arbitration.mainapi.docket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.mainapi.docket.DocketListRepository.Access;
import io.arbitration.mainapi.docket.DocketListRepository.Filter;
import io.arbitration.mainapi.docket.DocketListRepository.Reader;
import io.arbitration.mainapi.docket.DocketListRepository.View;
import io.arbitration.platform.answer.Refusal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One user's lists of long dockets are that user's problem alone. */
class DocketListSharesTest {

    private static final int LONG = 2001;
    private static final UUID BUSY = UUID.randomUUID();
    private static final UUID OTHER = UUID.randomUUID();
    private static final String REFUSED = "At most 8 long lists of dockets of one caller are read at once.";

    private final Vertx vertx = Vertx.vertx();
    private final HeldRows rows = new HeldRows();
    private final DocketLists lists = new DocketLists(rows);
    private final DocketListCache cache = new DocketListCache(vertx, lists, 0, new SimpleMeterRegistry());

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    /** Dockets in memory whose pages come when the test lets them. */
    private static final class HeldRows implements DocketRows {

        private final Map<UUID, Integer> entries = new HashMap<>();
        private final Map<UUID, Promise<Void>> firstPages = new HashMap<>();
        private final List<Promise<Void>> laterPages = new ArrayList<>();
        private int firstPagesAsked;

        UUID docket(int count) {
            UUID caseId = UUID.randomUUID();
            entries.put(caseId, count);
            return caseId;
        }

        private List<ListedEntry> page(UUID caseId, int after, int limit) {
            return IntStream.rangeClosed(after + 1, Math.min(after + limit, entries.get(caseId))).mapToObj(number -> new ListedEntry(number, number,
                    OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC), OTHER, Optional.empty(), "response", "motion", "claimant", number, "A", Optional.empty(), Optional.empty())).toList();
        }

        private Future<List<ListedEntry>> held(UUID caseId, int after, int limit) {
            if (after == 0) {
                firstPagesAsked++;
                return Optional.ofNullable(firstPages.get(caseId)).map(Promise::future).orElse(Future.succeededFuture()).map(now -> page(caseId, 0, limit));
            }
            Promise<Void> later = Promise.promise();
            laterPages.add(later);
            return later.future().map(now -> page(caseId, after, limit));
        }

        @Override
        public Future<List<ListedEntry>> firstListed(Reader reader, int limit) {
            return held(reader.caseId(), 0, limit);
        }

        @Override
        public Future<List<ListedEntry>> listed(View view, int afterNumber, int lastNumber, int limit) {
            return held(view.caseId(), afterNumber, limit);
        }

        @Override
        public Future<List<ListedEntry>> filtered(Reader reader, Filter filter, int afterNumber, int limit) {
            return held(reader.caseId(), afterNumber, limit);
        }

        void release() {
            while (!laterPages.isEmpty()) {
                laterPages.removeFirst().complete();
            }
        }
    }

    private Future<Optional<Buffer>> opens(UUID user, UUID caseId) {
        return cache.loadFirst(new Reader(caseId, user));
    }

    private static Access access(UUID caseId) {
        return new Access(true, LONG, 0, new View(caseId, ""));
    }

    @Test
    void wholeListsOfOneUserAreBoundedAndAnotherIsAnsweredBesideThem() {
        List<Future<Optional<Buffer>>> eight = IntStream.range(0, 8).mapToObj(i -> opens(BUSY, rows.docket(LONG))).toList();
        assertThat(opens(BUSY, rows.docket(LONG)).cause()).hasMessage(REFUSED).isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(429));
        assertThat(lists.filtered(new Reader(rows.docket(LONG), BUSY), new Filter(Optional.empty(), Optional.empty(), Optional.empty(), false), 0, 5000).cause()).hasMessage(REFUSED);
        assertThat(opens(BUSY, rows.docket(1)).succeeded()).as("a short one of the same user").isTrue();
        assertThat(opens(OTHER, rows.docket(2000 - 1)).succeeded()).as("a list of a page, while long ones wait").isTrue();
        Future<Optional<Buffer>> another = opens(OTHER, rows.docket(LONG));
        assertThat(rows.laterPages).as("two are read at once").hasSize(2);
        rows.laterPages.removeFirst().complete();
        rows.laterPages.removeLast().complete();
        assertThat(another.succeeded()).as("the other's before those of the first that wait").isTrue();
        rows.release();
        assertThat(eight).allMatch(Future::succeeded);
        assertThat(eight.getLast().result().orElseThrow().toJsonObject().getJsonArray("entries")).hasSize(LONG);
        assertThat(opens(BUSY, rows.docket(1)).succeeded()).as("all places are free again").isTrue();
    }

    @Test
    void whoWaitsForALoadThatIsBeyondTheShareOfAnotherBeginsItsOwn() {
        IntStream.range(0, 8).forEach(i -> opens(BUSY, rows.docket(LONG)));
        UUID caseId = rows.docket(LONG);
        rows.firstPages.put(caseId, Promise.promise());
        Future<Buffer> ofBusy = cache.list(access(caseId), BUSY);
        Future<Buffer> ofOther = cache.list(access(caseId), OTHER);
        rows.firstPages.get(caseId).complete();
        assertThatThrownBy(() -> Await.result(ofBusy)).hasMessage(REFUSED);
        rows.release();
        assertThat(Await.result(ofOther).toJsonObject().getJsonArray("entries")).hasSize(LONG);
    }

    /** Asking twice must not read it on nobody's share. */
    @Test
    void aListThatIsAskedForTwiceByOneUserIsBeyondItsShareTwice() {
        IntStream.range(0, 8).forEach(i -> opens(BUSY, rows.docket(LONG)));
        UUID caseId = rows.docket(LONG);
        rows.firstPages.put(caseId, Promise.promise());
        Future<Optional<Buffer>> first = opens(BUSY, caseId);
        Future<Buffer> second = cache.list(access(caseId), BUSY);
        rows.firstPages.get(caseId).complete();
        assertThat(first.cause()).hasMessage(REFUSED);
        assertThatThrownBy(() -> Await.result(second)).hasMessage(REFUSED);
    }

    /** A first page of 2,000 entries takes a connection as long as a whole list, whichever filter it has and wherever it begins. */
    @Test
    void firstPagesOfFilteredAndGrownListsHaveTheSharesOfWholeListsAndShortOnesDoNotWait() {
        Filter all = new Filter(Optional.empty(), Optional.empty(), Optional.empty(), false);
        Promise<Void> held = Promise.promise();
        UUID caseId = rows.docket(LONG);
        rows.firstPages.put(caseId, held);
        Reader busy = new Reader(caseId, BUSY);
        List<Future<Buffer>> ofBusy = IntStream.range(0, 500).mapToObj(i -> lists.filtered(busy, all, 0, 1000)).toList();
        assertThat(rows.firstPagesAsked).as("read at once").isEqualTo(3);
        assertThat(lists.filtered(busy, all, 0, 1000).cause()).hasMessage("At most 500 lists of dockets of one caller are read at once.");
        assertThat(lists.between(BUSY, new View(caseId, ""), 1, LONG).cause()).hasMessage("At most 500 lists of dockets of one caller are read at once.");
        UUID ofOther = rows.docket(LONG);
        assertThat(lists.filtered(new Reader(ofOther, OTHER), all, 0, 200).succeeded()).as("a short page").isTrue();
        assertThat(lists.filtered(new Reader(rows.docket(LONG), BUSY), all, 0, 200).succeeded()).as("a short page of the busy user").isTrue();
        lists.between(OTHER, new View(ofOther, ""), LONG - 200, LONG);
        assertThat(rows.laterPages).as("what was added to a list that is kept").hasSize(1);
        Future<Buffer> another = lists.filtered(new Reader(ofOther, OTHER), all, 0, 1000);
        assertThat(another.isComplete()).as("waits for a place").isFalse();
        held.complete();
        assertThat(another.succeeded()).isTrue();
        assertThat(ofBusy.subList(0, 3)).allMatch(Future::succeeded);
    }

    @Test
    void aUserHasFiveHundredListsReadAtOnce() {
        Promise<Void> held = Promise.promise();
        for (int i = 0; i < 500; i++) {
            UUID caseId = rows.docket(1);
            rows.firstPages.put(caseId, held);
            opens(BUSY, caseId);
        }
        assertThat(opens(BUSY, rows.docket(1)).cause()).hasMessage("At most 500 lists of dockets of one caller are read at once.");
        UUID ofOther = rows.docket(1);
        rows.firstPages.put(ofOther, held);
        Future<Optional<Buffer>> other = opens(OTHER, ofOther);
        held.complete();
        assertThat(other.succeeded()).isTrue();
    }
}
