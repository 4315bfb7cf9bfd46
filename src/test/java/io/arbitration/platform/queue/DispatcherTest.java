package io.arbitration.platform.queue;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.arbitration.Await;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.DatabaseSettings;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.events.CommitNotifications;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The dispatcher on a queue in memory: what it claims, attempts, records and gives back, and when. */
class DispatcherTest {

    private static final String CHANNEL = "test_due";

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final InMemory queue = new InMemory();
    private Dispatcher<String, String> dispatcher;

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    /** Gives each piece once; what is released it gives again. Touched by the dispatcher's context alone, but for what tests read. */
    private static final class InMemory implements WorkQueue<String, String> {

        private final Deque<String> due = new ArrayDeque<>();
        private final List<UUID> claims = new CopyOnWriteArrayList<>();
        private final List<String> attempted = new CopyOnWriteArrayList<>();
        private final List<List<String>> recorded = new CopyOnWriteArrayList<>();
        private final List<String> released = new CopyOnWriteArrayList<>();
        private final Map<String, Promise<String>> held = new ConcurrentHashMap<>();
        private final AtomicInteger mostInFlight = new AtomicInteger();
        private final AtomicInteger inFlight = new AtomicInteger();
        private volatile Function<String, Future<String>> work = piece -> Future.succeededFuture(piece + " done");
        private volatile Optional<Runnable> watching = Optional.empty();
        private volatile int claimsThatFail;
        private volatile int recordsThatFail;

        @Override
        public Future<Claims<String>> claim(UUID claim, int most) {
            claims.add(claim);
            if (claimsThatFail > 0) {
                claimsThatFail--;
                throw new IllegalStateException("no connection");
            }
            List<String> claimed = new ArrayList<>();
            while (claimed.size() < most && !due.isEmpty()) {
                claimed.add(due.poll());
            }
            return Future.succeededFuture(Claims.of(claimed, most));
        }

        @Override
        public String key(String piece) {
            return "of %d letters".formatted(piece.length());
        }

        @Override
        public Future<String> attempt(String piece) {
            attempted.add(piece);
            mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            return work.apply(piece).onComplete(ended -> inFlight.decrementAndGet());
        }

        @Override
        public Future<Void> record(List<String> outcomes) {
            if (recordsThatFail > 0) {
                recordsThatFail--;
                return Future.failedFuture("no connection");
            }
            recorded.add(List.copyOf(outcomes));
            return Future.succeededFuture();
        }

        @Override
        public Watch watch(Runnable due) {
            watching = Optional.of(due);
            return () -> watching = Optional.empty();
        }

        @Override
        public Future<Void> release(List<String> claimed) {
            released.addAll(claimed);
            return Future.succeededFuture();
        }

        Future<String> hold(String piece) {
            return held.computeIfAbsent(piece, key -> Promise.promise()).future();
        }

        List<String> outcomes() {
            return recorded.stream().flatMap(List::stream).sorted().toList();
        }
    }

    /** Notifications that only a test sends: of a database that nobody connects to. */
    private CommitNotifications notifications() {
        return new CommitNotifications(vertx, Database.open(vertx, DatabaseUrl.parse("postgresql://nobody:nothing@127.0.0.1:1/none"),
                new DatabaseSettings(Optional.empty(), Optional.empty(), Duration.ZERO, 1, 1, Duration.ofSeconds(1), 0, Duration.ZERO)));
    }

    private void start(int inFlightMax, String... due) {
        onContext(() -> {
            queue.due.addAll(List.of(due));
            dispatcher = new Dispatcher<>(vertx, "test", queue, notifications(), CHANNEL, Dispatcher.Bounds.of(inFlightMax), new Random(1));
            dispatcher.start();
        });
    }

    private void onContext(Runnable work) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(now -> {
            work.run();
            done.complete();
        });
        Await.result(done.future());
    }

    private void stop() {
        Promise<Void> stopped = Promise.promise();
        context.runOnContext(now -> dispatcher.stop().onComplete(stopped));
        Await.result(stopped.future());
    }

    private static String[] pieces(int count) {
        return IntStream.range(0, count).mapToObj("piece-%03d"::formatted).toArray(String[]::new);
    }

    @Test
    void allThatIsDueIsDoneOnceAndRecordedInFewBatches() {
        start(16, pieces(100));
        Await.until("all are recorded", () -> queue.outcomes().size() == 100);
        assertThat(queue.attempted).hasSize(100).doesNotHaveDuplicates();
        assertThat(queue.mostInFlight.get()).isLessThanOrEqualTo(16);
        assertThat(queue.recorded.size()).as("records").isLessThan(100);
        assertThat(queue.claims).as("each claim has a token of its own").doesNotHaveDuplicates();
    }

    @Test
    void aNotificationStartsAClaimAtOnce() {
        start(4);
        Await.until("it has looked", () -> !queue.claims.isEmpty());
        onContext(() -> queue.due.add("new"));
        int before = queue.claims.size();
        notifications().notifyLocally(CHANNEL);
        Await.until("it is done", () -> queue.outcomes().equals(List.of("new done")));
        assertThat(queue.claims.size()).isGreaterThan(before);
    }

    /** Its notification was lost, or its pause has ended. */
    @Test
    void whatTheWatchFindsIsClaimedUntilTheStop() {
        start(4);
        Await.until("it has looked", () -> !queue.claims.isEmpty());
        onContext(() -> {
            queue.due.add("late");
            queue.watching.orElseThrow().run();
        });
        Await.until("it is done", () -> queue.outcomes().equals(List.of("late done")));
        stop();
        assertThat(queue.watching).isEmpty();
    }

    @Test
    void aPieceThatFailsOrThrowsHoldsUpNoneOfTheOthersAndIsNotRecorded() {
        queue.work = piece -> switch (piece) {
            case "piece-001" -> Future.failedFuture("broken");
            case "piece-002" -> throw new IllegalStateException("broken before there is a future");
            default -> Future.succeededFuture(piece);
        };
        start(2, pieces(10));
        Await.until("the others are recorded", () -> queue.outcomes().size() == 8);
        assertThat(queue.outcomes()).doesNotContain("piece-001", "piece-002");
        assertThat(dispatcher.inFlight()).as("places that broken ones hold").isZero();
    }

    @Test
    void theLogNamesAPieceThatFailedAndDoesNotTellItsContent() {
        Logger log = (Logger) LoggerFactory.getLogger(Dispatcher.class);
        List<String> written = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                written.add(event.getFormattedMessage());
            }
        };
        appender.setContext(log.getLoggerContext());
        appender.start();
        log.addAppender(appender);
        try {
            queue.work = piece -> Future.failedFuture("broken");
            start(4, "confidential");
            Await.until("it is logged", () -> written.contains("test: attempting item of 12 letters failed; it is attempted again when its lease ends"));
            assertThat(written).noneMatch(line -> line.contains("confidential"));
        } finally {
            log.detachAppender(appender);
        }
    }

    @Test
    void aClaimThatFailsIsTriedAgain() {
        queue.claimsThatFail = 2;
        start(4, "a");
        Await.until("it is done", () -> queue.outcomes().equals(List.of("a done")));
        assertThat(queue.claims.size()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void whatCouldNotBeRecordedIsRecordedLaterAndNotAttemptedAgain() {
        queue.recordsThatFail = 2;
        start(4, "a", "b");
        Await.until("both are recorded", () -> queue.outcomes().equals(List.of("a done", "b done")));
        assertThat(queue.attempted).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void whileAsManyAsAllowedAreInFlightNothingIsClaimed() {
        queue.work = queue::hold;
        start(2, "a", "b", "c");
        Await.until("two are in flight", () -> queue.attempted.size() == 2);
        int claims = queue.claims.size();
        notifications().notifyLocally(CHANNEL);
        onContext(() -> assertThat(queue.claims).hasSize(claims));
        queue.held.get("a").complete("a");
        Await.until("the third follows", () -> queue.attempted.size() == 3);
        assertThat(queue.mostInFlight.get()).isEqualTo(2);
    }

    @Test
    void aStopWaitsForWhatIsInFlightRecordsItAndClaimsNothingMore() {
        queue.work = queue::hold;
        start(2, "a", "b", "c", "d");
        Await.until("two are in flight", () -> queue.attempted.size() == 2);
        vertx.setTimer(100, timer -> List.of("a", "b").forEach(piece -> queue.held.get(piece).complete(piece)));
        stop();
        assertThat(queue.outcomes()).containsExactly("a", "b");
        assertThat(queue.released).isEmpty();
        assertThat(queue.attempted).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aStopGivesBackWhatDoesNotEndInTime() {
        queue.work = piece -> piece.equals("a") ? Future.succeededFuture("a") : queue.hold(piece);
        start(3, "a", "b", "c");
        Await.until("two hang", () -> queue.held.size() == 2);
        stop();
        assertThat(queue.outcomes()).containsExactly("a");
        assertThat(queue.released).containsExactlyInAnyOrder("b", "c");
    }
}
