package io.arbitration.webhooks.sending;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.queue.WorkQueue;
import io.arbitration.platform.telemetry.Traces;
import io.arbitration.webhooks.deliveries.DeliveryRepository;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue on a node that runs no dispatcher of its own, so that the test is the only claimant. */
class QueueRepositoryIT {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration FAILING_MAX = Duration.ofDays(5);

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;
    private static QueueRepository queue;

    @BeforeAll
    static void open() {
        platform = RunningPlatform.start(folder, Map.of("ACP_AREAS_ENABLED", "auth"));
        queue = new QueueRepository(platform.database());
    }

    @AfterAll
    static void close() {
        platform.close();
    }

    @BeforeEach
    void clean() {
        platform.rows("""
                with q as (delete from webhooks.queue), d as (delete from webhooks.deliveries), a as (delete from webhooks.attempts) select 1
                """);
        platform.rows("with gone as (delete from webhooks.urls) select 1");
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    /** URLs, each with this many deliveries ready; the numbers of the URLs. */
    private static List<Long> ready(int... perUrl) {
        return Arrays.stream(perUrl).mapToObj(count -> Long.parseLong(platform.rows("""
                with organization as (
                  insert into webhooks.organizations (organization_id) values (gen_random_uuid()) returning organization_id),
                url as (
                  insert into webhooks.urls (organization_id, url, events, created, created_by, secret)
                  select organization_id, 'https://hooks.example.org/', '{docket_filing}', now(), organization_id, 'sealed' from organization
                  returning url_id, organization_id),
                event as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                  select gen_random_uuid(), 'docket_filing', organization_id, now(), '{"n":' || n || '}'
                  from url, generate_series(1, ?) n returning sequence, event_id),
                delivery as (
                  insert into webhooks.deliveries (url_id, organization_id, sequence, event_id, event, state, created)
                  select url_id, organization_id, sequence, event_id, 'docket_filing', 'pending', now() from url, event
                  returning delivery_id, url_id, sequence),
                queued as (
                  insert into webhooks.queue (slot, delivery_id, url_id, sequence, replay, ready, due)
                  select 1, delivery_id, url_id, sequence, false, true, now() from delivery)
                select url_id from url
                """, count).getFirst().getFirst())).toList();
    }

    private static DeliveryOutcome delivered(ClaimedDelivery claimed) {
        return new DeliveryOutcome.Delivered(claimed, DeliveryAttempt.answered(Instant.now(), 200, 5, "ok"));
    }

    private static List<ClaimedDelivery> claim(long after, int perUrl, int most, Duration lease) throws Exception {
        return claims(after, perUrl, most, lease).claimed();
    }

    private static QueueRepository.Claims claims(long after, int perUrl, int most, Duration lease) throws Exception {
        return done(queue.claim(UUID.randomUUID(), after, perUrl, most, lease));
    }

    private static String count(String what) {
        return platform.rows("select count(*) from webhooks." + what).getFirst().getFirst();
    }

    @Test
    void aClaimantWhoseLeaseEndedChangesNothing() throws Exception {
        ready(1);
        ClaimedDelivery stale = claim(0, 16, 64, Duration.ZERO).getFirst();
        assertThat(claim(0, 16, 64, LEASE)).isEmpty();
        assertThat(done(queue.activateDue())).isEqualTo(1);
        ClaimedDelivery current = claim(0, 16, 64, LEASE).getFirst();
        assertThat(current.deliveryId()).isEqualTo(stale.deliveryId());
        assertThat(current.eventId()).isEqualTo(stale.eventId());
        assertThat(current.envelope()).isEqualTo(stale.envelope());
        done(queue.record(List.of(delivered(stale)), FAILING_MAX));
        done(queue.record(List.of(new DeliveryOutcome.Again(stale, DeliveryAttempt.answered(Instant.now(), 500, 5, ""), Duration.ofHours(1))), FAILING_MAX));
        done(queue.release(List.of(stale)));
        assertThat(count("attempts")).isEqualTo("0");
        assertThat(platform.rows("select claim from webhooks.queue")).containsExactly(List.of(current.claim().toString()));
        done(queue.record(List.of(delivered(current)), FAILING_MAX));
        assertThat(count("attempts")).isEqualTo("1");
        assertThat(count("queue")).isEqualTo("0");
        assertThat(platform.rows("select state from webhooks.deliveries")).containsExactly(List.of("delivered"));
    }

    /** On a URL whose secret cannot be decrypted, so that no attempt sends anything. */
    private static DeliveryQueue deliveries() {
        GuardedClient client = new GuardedClient(platform.vertx(), platform.services().callable(), List.of());
        return new DeliveryQueue(platform.vertx(), queue, new WebhookMessage(client, Clock.systemUTC(), Duration.ofSeconds(10)),
                new SecretCipher(platform.services().kms()), new DeliveryQueue.Bounds(64, 16, Duration.ofSeconds(10)), new SimpleMeterRegistry(),
                Traces.OFF, Clock.systemUTC(), new Random(1));
    }

    /** The event was distributed at the same time, so that the disabling did not see the delivery. */
    @ParameterizedTest
    @ValueSource(strings = {"disabled_at = now(), disabled_reason = 'It answered 410 Gone.'", "deleted_at = now()"})
    void theDeliveryQueueCancelsADeliveryToAUrlThatWasClosedAfterItsDistributionAndDoesNotAttemptIt(String closed) throws Exception {
        ready(1);
        execute("update webhooks.urls set " + closed);
        DeliveryOutcome outcome = done(deliveries().attempt(claim(0, 16, 64, LEASE).getFirst()));
        done(deliveries().record(List.of(outcome)));
        assertThat(platform.rows("select state from webhooks.deliveries")).containsExactly(List.of("cancelled"));
        assertThat(count("queue")).isEqualTo("0");
        assertThat(count("attempts")).isEqualTo("0");
        assertThat(count("urls where failing_since is not null")).isEqualTo("0");
    }

    @Test
    void anOutcomeThatTheDatabaseRefusesDelaysNoOther() throws Exception {
        ready(3);
        List<ClaimedDelivery> claimed = claim(0, 16, 64, LEASE);
        DeliveryOutcome refused = new DeliveryOutcome.Delivered(claimed.get(1), DeliveryAttempt.answered(Instant.now(), 200, 5, "\0"));
        done(deliveries().record(List.of(delivered(claimed.getFirst()), refused, delivered(claimed.getLast()))));
        assertThat(count("deliveries where state = 'delivered'")).isEqualTo("2");
        assertThat(platform.rows("select delivery_id from webhooks.queue")).containsExactly(List.of(String.valueOf(refused.claimed().deliveryId())));
    }

    @Test
    void aLeaseThatStillRunsIsNotTakenOver() throws Exception {
        ready(1);
        claim(0, 16, 64, LEASE);
        assertThat(done(queue.activateDue())).isZero();
        assertThat(claim(0, 16, 64, LEASE)).isEmpty();
    }

    @Test
    void noUrlHasMoreOnItsWayThanItMay() throws Exception {
        List<Long> urls = ready(100, 3);
        List<ClaimedDelivery> first = claim(0, 16, 64, LEASE);
        assertThat(first.stream().collect(Collectors.groupingBy(ClaimedDelivery::urlId, Collectors.counting())))
                .isEqualTo(Map.of(urls.get(0), 16L, urls.get(1), 3L));
        assertThat(claim(0, 16, 64, LEASE)).isEmpty();
        done(queue.record(first.stream().filter(one -> one.urlId() == urls.get(0)).limit(5).map(QueueRepositoryIT::delivered).toList(), FAILING_MAX));
        assertThat(claim(0, 16, 64, LEASE)).hasSize(5);
    }

    @Test
    void aUrlThatFailsHasTwoOnItsWayUntilItWorksAgain() throws Exception {
        List<Long> urls = ready(40, 1);
        List<ClaimedDelivery> first = claim(0, 16, 64, LEASE);
        DeliveryAttempt failed = DeliveryAttempt.unanswered(Instant.now(), "the exchange did not end within 15000 ms", 15_000);
        done(queue.record(first.stream().<DeliveryOutcome>map(one -> new DeliveryOutcome.Again(one, failed, LEASE)).toList(), FAILING_MAX));
        List<ClaimedDelivery> again = claim(0, 16, 64, LEASE);
        assertThat(again).hasSize(2).allMatch(one -> one.urlId() == urls.getFirst());
        assertThat(claim(0, 16, 64, LEASE)).isEmpty();
        done(queue.record(again.stream().map(QueueRepositoryIT::delivered).toList(), FAILING_MAX));
        assertThat(claim(0, 16, 64, LEASE)).hasSize(16);
    }

    @Test
    void urlsTakeTurns() throws Exception {
        List<Long> urls = ready(50, 50, 50, 50, 50, 50);
        List<ClaimedDelivery> first = claim(0, 16, 64, LEASE);
        assertThat(first.stream().map(ClaimedDelivery::urlId).distinct()).containsExactlyElementsOf(urls.subList(0, 4));
        List<ClaimedDelivery> second = claim(urls.get(3), 16, 64, LEASE);
        assertThat(second.stream().map(ClaimedDelivery::urlId).distinct()).containsExactlyElementsOf(urls.subList(4, 6));
    }

    @Test
    void aClaimTellsWhetherThereIsMore() throws Exception {
        assertThat(claims(0, 16, 64, LEASE).remain()).isFalse();
        ready(20, 2);
        assertThat(claims(0, 16, 64, LEASE)).matches(claims -> claims.claimed().size() == 18 && claims.remain());
        assertThat(claims(0, 16, 64, LEASE)).matches(claims -> claims.claimed().isEmpty() && claims.remain());
        assertThat(claims(0, 20, 64, LEASE)).matches(claims -> claims.claimed().size() == 4 && !claims.remain());
    }

    @Test
    void twoClaimantsNeverGetTheSame() throws Exception {
        ready(40, 40, 40, 40);
        List<Future<QueueRepository.Claims>> claims = IntStream.range(0, 8)
                .mapToObj(i -> queue.claim(UUID.randomUUID(), 0, 40, 20, LEASE)).toList();
        List<Long> ids = new ArrayList<>();
        for (Future<QueueRepository.Claims> claim : claims) {
            done(claim).claimed().forEach(one -> ids.add(one.deliveryId()));
        }
        assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void aBatchThatFailsWaitsAndKeepsItsCountOfAttempts() throws Exception {
        ready(2);
        List<ClaimedDelivery> claimed = claim(0, 16, 64, LEASE);
        DeliveryAttempt attempt = DeliveryAttempt.unanswered(Instant.now(), "the connection was refused", 2);
        done(queue.record(claimed.stream().<DeliveryOutcome>map(one -> new DeliveryOutcome.Again(one, attempt, Duration.ZERO)).toList(), FAILING_MAX));
        assertThat(done(queue.activateDue())).isEqualTo(2);
        assertThat(claim(0, 16, 64, LEASE)).extracting(ClaimedDelivery::attempts).containsExactly(1, 1);
    }

    @Test
    void aUrlThatIsGoneOrFailsForTooLongIsToldSoThatItBeDisabled() throws Exception {
        List<Long> urls = ready(1, 1, 1);
        List<ClaimedDelivery> claimed = claim(0, 16, 64, LEASE);
        platform.rows("update webhooks.urls set failing_since = now() - interval '6 days' where url_id = ? returning 1", urls.get(1));
        assertThat(done(queue.record(List.of(
                new DeliveryOutcome.Failed(claimed.get(0), DeliveryAttempt.answered(Instant.now(), 410, 1, "")),
                new DeliveryOutcome.Again(claimed.get(1), DeliveryAttempt.answered(Instant.now(), 500, 1, ""), LEASE),
                new DeliveryOutcome.Again(claimed.get(2), DeliveryAttempt.answered(Instant.now(), 500, 1, ""), LEASE)), FAILING_MAX)))
                .containsExactlyInAnyOrder(new QueueRepository.Broken(urls.get(0), true), new QueueRepository.Broken(urls.get(1), false));
    }

    /** The size of a slot in pages of the database. */
    private static long pages(String slot) {
        return Long.parseLong(platform.rows("select pg_relation_size('webhooks." + slot + "') / 8192").getFirst().getFirst());
    }

    private static void fillAndDeliver() throws Exception {
        ready(3000);
        done(queue.record(claim(0, 3000, 3000, LEASE).stream().map(QueueRepositoryIT::delivered).toList(), FAILING_MAX));
    }

    @Test
    void deadRowsOfASlotGoAlsoWhileATransactionKeepsThemFromBeingRemoved() throws Exception {
        try (Connection analysis = platform.sql(); Statement statement = analysis.createStatement()) {
            analysis.setAutoCommit(false);
            analysis.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("select count(*) from webhooks.deliveries");
            fillAndDeliver();
            assertThat(count("queue")).isEqualTo("0");
            assertThat(pages("queue_a")).isGreaterThan(64);
            done(queue.emptySlots());
            assertThat(pages("queue_a")).isZero();
            analysis.rollback();
        }
    }

    @Test
    void aSlotIsKeptWhileSomethingIsInIt() throws Exception {
        fillAndDeliver();
        ready(1);
        done(queue.emptySlots());
        assertThat(pages("queue_a")).isPositive();
        assertThat(claim(0, 16, 64, LEASE)).hasSize(1);
    }

    @Test
    void aSlotThatATransactionHasReadIsLeftAsItIsUntilThatEnds() throws Exception {
        fillAndDeliver();
        try (Connection reader = platform.sql(); Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("select count(*) from webhooks.queue");
            done(queue.emptySlots());
            assertThat(pages("queue_a")).isPositive();
            reader.rollback();
        }
        done(queue.emptySlots());
        assertThat(pages("queue_a")).isZero();
    }

    /** As when a URL is disabled or deleted while an event is being fanned out to it. */
    @Test
    void aDeliveryWhoseUrlIsGoneMeanwhileIsCancelledWithoutAnAttempt() throws Exception {
        List<Long> urls = ready(1, 1, 1);
        platform.rows("update webhooks.urls set disabled_at = now(), disabled_reason = 'It answered 410 Gone.' where url_id = ? returning 1", urls.get(0));
        platform.rows("update webhooks.urls set deleted_at = now() where url_id = ? returning 1", urls.get(1));
        List<ClaimedDelivery> claimed = claim(0, 16, 64, LEASE);
        assertThat(claimed).extracting(ClaimedDelivery::isCancelled).containsExactlyInAnyOrder(false, true, true);

        done(queue.record(claimed.stream().<DeliveryOutcome>map(one -> one.isCancelled() ? new DeliveryOutcome.Cancelled(one) : delivered(one)).toList(), FAILING_MAX));
        assertThat(platform.rows("""
                select d.state, count(a.at) from webhooks.deliveries d left join webhooks.attempts a on a.delivery_id = d.delivery_id
                group by d.delivery_id, d.state order by d.state
                """))
                .containsExactly(List.of("cancelled", "0"), List.of("cancelled", "0"), List.of("delivered", "1"));
        assertThat(platform.rows("select delivery_id from webhooks.queue")).isEmpty();
        assertThat(platform.rows("select url_id from webhooks.urls where failing_since is not null")).isEmpty();
    }

    /** A notification may get lost; then only the poll finds what is ready. */
    @Test
    void whatIsReadyIsClaimedAlsoWhileSlotsCannotBeEmptied() throws Exception {
        ready(1);
        execute("alter function webhooks.empty_queue_slot rename to empty_queue_slot_away");
        AtomicInteger due = new AtomicInteger();
        // A watch neither sends nor signs.
        WorkQueue.Watch watch = new DeliveryQueue(platform.vertx(), queue, null, null, new DeliveryQueue.Bounds(16, 16, Duration.ofSeconds(1)),
                new SimpleMeterRegistry(), null, Clock.systemUTC(), new Random(1)).watch(due::incrementAndGet);
        try {
            Await.until(() -> due.get() > 1);
        } finally {
            watch.end();
            execute("alter function webhooks.empty_queue_slot_away rename to empty_queue_slot");
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = platform.sql(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void whatWaitsForItsUrlLeavesItsSlotAndIsClaimedAsBefore() throws Exception {
        ready(40);
        List<ClaimedDelivery> claimed = claim(0, 16, 64, LEASE);
        platform.rows("update webhooks.queue set due = due - interval '1 minute' where ready returning 1");
        done(queue.emptySlots());
        assertThat(platform.rows("select slot, ready, count(*) from webhooks.queue group by slot, ready order by slot"))
                .containsExactly(List.of("0", "t", "24"), List.of("1", "f", "16"));
        done(queue.record(claimed.stream().map(QueueRepositoryIT::delivered).toList(), FAILING_MAX));
        assertThat(claim(0, 16, 64, LEASE)).hasSize(16).doesNotContainAnyElementsOf(claimed);
    }

    @Test
    void whatIsOlderThanTheHistoryGoesInOneCallHoweverMuchItIs() throws Exception {
        ready(12_001);
        platform.rows("update webhooks.deliveries set state = 'delivered', created = now() - interval '2 days' returning 1");
        platform.rows("update webhooks.deliveries set state = 'pending' where delivery_id = (select min(delivery_id) from webhooks.deliveries) returning 1");
        ready(1);
        assertThat(done(new DeliveryRepository(platform.database()).deleteExpired(Duration.ofDays(1)))).isEqualTo(12_000);
        assertThat(platform.rows("select state from webhooks.deliveries")).containsOnly(List.of("pending")).hasSize(2);
    }
}
