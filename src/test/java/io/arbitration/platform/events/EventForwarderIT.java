package io.arbitration.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publishing the log to something outside the database, from nodes that share a cursor. */
class EventForwarderIT {

    @TempDir
    private static Path folder;

    private static RunningPlatform platform;
    private static Vertx vertx;
    private static CommitNotifications notifications;
    private final List<EventForwarder> started = new ArrayList<>();

    /** Keeps what is published, and fails as often as it is asked to. */
    private static final class Kept implements EventSink {

        private final List<UUID> published = new CopyOnWriteArrayList<>();
        private final List<String> calls = new CopyOnWriteArrayList<>();
        private volatile boolean failing;
        private volatile Promise<Void> pause;

        @Override
        public Future<Void> open() {
            calls.add("open");
            return failing ? Future.failedFuture("away on purpose") : Future.succeededFuture();
        }

        @Override
        public Future<Void> publish(List<LoggedEvent> events) {
            calls.add("publish");
            if (failing) {
                return Future.failedFuture("away on purpose");
            }
            Promise<Void> waits = pause;
            return (waits == null ? Future.<Void>succeededFuture() : waits.future())
                    .onSuccess(now -> events.forEach(event -> published.add(event.id())));
        }

        @Override
        public Future<Void> close() {
            calls.add("close");
            return Future.succeededFuture();
        }
    }

    @BeforeAll
    static void open() throws Exception {
        platform = RunningPlatform.start(folder, Map.of("ACP_AREAS_ENABLED", "auth"));
        vertx = Vertx.vertx();
        notifications = new CommitNotifications(vertx, platform.database());
        done(notifications.start());
    }

    @AfterAll
    static void close() throws Exception {
        done(notifications.close());
        done(vertx.close());
        platform.close();
    }

    @AfterEach
    void stop() throws Exception {
        for (EventForwarder forwarder : started) {
            done(forwarder.stop());
        }
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    /** A node: what it does runs on a context of its own. */
    private EventForwarder start(String name, EventForwarder.From from, EventSink sink) throws Exception {
        EventForwarder forwarder = new EventForwarder(vertx, platform.database(), notifications, new SimpleMeterRegistry(), name, from, sink);
        Promise<Void> running = Promise.promise();
        vertx.getOrCreateContext().runOnContext(here -> forwarder.start().onComplete(running));
        done(running.future());
        started.add(forwarder);
        return forwarder;
    }

    private static List<UUID> append(int count) {
        List<UUID> ids = Stream.generate(UUID::randomUUID).limit(count).toList();
        try (var sql = platform.sql(); var insert = sql.prepareStatement("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                  values (?, 'docket_filing', gen_random_uuid(), now(), '{}') returning sequence)
                select pg_notify('platform_events', '') from appended
                """)) {
            for (UUID id : ids) {
                insert.setObject(1, id);
                insert.execute();
            }
            return ids;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void ofTwoNodesOnePublishesEachEventOnceAndInOrder() throws Exception {
        Kept one = new Kept();
        Kept other = new Kept();
        start("pair", EventForwarder.From.NOW, one);
        start("pair", EventForwarder.From.NOW, other);
        List<UUID> events = append(600);
        Await.until(() -> one.published.size() + other.published.size() >= events.size());
        assertThat(one.published.isEmpty() ? other.published : one.published).isEqualTo(events);
        assertThat(List.of(one.published.size(), other.published.size())).contains(0);
    }

    @Test
    void aNodeThatStopsReleasesItsLeaseAtOnceAndTheNextPublishesTheRest() throws Exception {
        Kept first = new Kept();
        EventForwarder holder = start("handover", EventForwarder.From.NOW, first);
        List<UUID> before = append(3);
        Await.until(() -> first.published.containsAll(before));
        done(holder.stop());
        Kept second = new Kept();
        List<UUID> after = append(3);
        start("handover", EventForwarder.From.NOW, second);
        Await.until(() -> second.published.containsAll(after));
        assertThat(first.published).isEqualTo(before);
        assertThat(second.published).isEqualTo(after);
        assertThat(first.calls.getLast()).isEqualTo("close");
    }

    @Test
    void whereOneNodeCannotPublishAnotherDoesAndTheOneSaysWhy() throws Exception {
        Kept cut = new Kept();
        cut.failing = true;
        EventForwarder cutOff = start("cut", EventForwarder.From.NOW, cut);
        List<UUID> events = append(5);
        Await.until(() -> cutOff.lastFailure().isPresent());
        assertThat(cutOff.lastFailure().orElseThrow()).hasMessage("away on purpose");
        Kept well = new Kept();
        start("cut", EventForwarder.From.NOW, well);
        Await.until(() -> well.published.containsAll(events));
        assertThat(well.published).isEqualTo(events);
        assertThat(cut.published).isEmpty();
        // It has seen that nothing stands in the log any more.
        Await.until(() -> cutOff.lastFailure().isEmpty());
    }

    @Test
    void aSinkThatComesBackIsOpenedAnewAndMissesNothing() throws Exception {
        Kept kept = new Kept();
        EventForwarder forwarder = start("back", EventForwarder.From.NOW, kept);
        List<UUID> events = new ArrayList<>(append(2));
        Await.until(() -> kept.published.containsAll(events));
        kept.failing = true;
        events.addAll(append(300));
        Await.until(() -> forwarder.lastFailure().isPresent());
        kept.failing = false;
        Await.until(() -> kept.published.containsAll(events));
        assertThat(kept.published).isEqualTo(events);
        assertThat(forwarder.lastFailure()).isEmpty();
        assertThat(kept.calls.stream().filter("open"::equals).count()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aLeaseIsKeptForAsLongAsPublishingTakes() throws Exception {
        Kept slow = new Kept();
        slow.pause = Promise.promise();
        start("slow", EventForwarder.From.NOW, slow);
        List<UUID> events = append(1);
        Await.until(() -> slow.calls.contains("publish"));
        // As long as an event is being published, the end of the lease is moved on; twice is enough to see it.
        String first = heldUntil("slow");
        Await.until(() -> !heldUntil("slow").equals(first));
        String second = heldUntil("slow");
        Await.until(() -> !heldUntil("slow").equals(second));
        slow.pause.complete();
        Await.until(() -> slow.published.equals(events));
    }

    private static String heldUntil(String consumer) {
        return platform.rows("select held_until from platform.event_consumers where consumer = ?", consumer).getFirst().getFirst();
    }

    /** As a consumer does: else writes that were undone would keep every later event from the broker. */
    @Test
    void whenAllOfTooMuchThatIsMissingWasRolledBackTheForwarderGoesOn() throws Exception {
        Kept before = new Kept();
        EventForwarder first = start("stuck", EventForwarder.From.NOW, before);
        done(first.stop());
        platform.rows("""
                update platform.event_consumers set settles_at = '3', missing = (
                  select range_agg(int8range(-2 * i, 1 - 2 * i)) from generate_series(1, ?) as i)
                where consumer = 'stuck' returning 1""", EventCursor.MISSING_MAX + 1);
        Kept after = new Kept();
        List<UUID> events = append(3);
        start("stuck", EventForwarder.From.NOW, after);
        Await.until(() -> after.published.containsAll(events));
        assertThat(after.published).doesNotHaveDuplicates();
    }

    @Test
    void aNewPurposeBeginsWithTheWholeLogOrWithNow() throws Exception {
        List<UUID> before = append(300);
        Kept all = new Kept();
        Kept fromNow = new Kept();
        start("all", EventForwarder.From.BEGINNING, all);
        start("now", EventForwarder.From.NOW, fromNow);
        List<UUID> after = append(2);
        Await.until(() -> all.published.containsAll(after) && fromNow.published.containsAll(after));
        assertThat(all.published).containsSubsequence(before);
        assertThat(fromNow.published).containsSubsequence(after).doesNotContain(before.getFirst());
    }
}
