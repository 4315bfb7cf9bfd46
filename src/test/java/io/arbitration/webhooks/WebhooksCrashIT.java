package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.PlatformProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The platform is killed at random moments while it delivers: before a POST, during it, after the 2xx and before that is
 * recorded. {@code -Dwebhooks.kills=300} kills it more often than the few times of an ordinary run.
 */
class WebhooksCrashIT {

    private static final int KILLS = Integer.getInteger("webhooks.kills", 2);
    private static final int EVENTS_AT_ONCE = 10;
    /** One URL is registered: no more than this is on its way to it, or sent and not yet recorded, when the platform is killed. */
    private static final int IN_FLIGHT_MAX = 16;
    /** Attempts of at most 2 s, so that the lease of a killed node ends after 5 s. */
    private static final Map<String, String> SETTINGS = Map.of("ACP_WEBHOOKS_EXCHANGE_SECONDS", "2");

    @TempDir
    private Path folder;

    private final long seed = Long.getLong("webhooks.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<String> logged = Collections.synchronizedList(new ArrayList<>());

    /** Three hundred kills take an hour on a busy machine. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void afterAnyNumberOfKillsEveryEventHasArrivedWithTheSameBytesAndOnlyWhatWasOnItsWayTwice() throws Exception {
        List<Kill> kills = new ArrayList<>();
        try (Receiver receiver = new Receiver().answering((exchange, received) -> {
            // Some answers take long enough to be killed in front of.
            Await.elapsed(Duration.ofMillis(Math.floorMod(received.header("webhook-id").hashCode(), 30)));
            exchange.sendResponseHeaders(200, -1);
        })) {
            PlatformProcess process = PlatformProcess.start(folder, SETTINGS);
            Hooked hooked = Hooked.on(process.platform());
            hooked.register(receiver.url());
            for (int kill = 0; kill < KILLS; kill++) {
                long killAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200 + random.nextInt(1800));
                while (System.nanoTime() < killAt) {
                    log(process, hooked.caseId());
                    Await.elapsed(Duration.ofMillis(random.nextInt(20)));
                }
                Instant from = Instant.now();
                process.kill();
                process.awaitEnd();
                awaitQuiet(receiver);
                kills.add(new Kill(from, Instant.now()));
                process = PlatformProcess.start(folder, SETTINGS);
            }
            try (PlatformProcess last = process) {
                log(last, hooked.caseId());
                awaitEmptyQueue(last);
                assertThat(states(last)).isEqualTo(Map.of("delivered", logged.size()));
                check(receiver.all(), kills, attempts(last));
            }
        }
    }

    /**
     * An arrival beyond the attempts that are recorded was cut off by a kill: there are no more of them than there were
     * kills since the event first arrived, and in all no more than what can be in flight at so many kills. And what is
     * recorded as delivered is not sent again.
     */
    private void check(List<Receiver.Received> all, List<Kill> kills, Map<String, Attempts> recorded) {
        Map<String, List<Receiver.Received>> byId = all.stream().collect(Collectors.groupingBy(one -> one.header("webhook-id")));
        long lost = logged.stream().filter(id -> !byId.containsKey(id)).count();
        System.out.printf("seed %d: %d kills, %d events, %d attempts recorded, %d arrivals: %d beyond the events, %d events lost%n", seed, kills.size(),
                logged.size(), recorded.values().stream().mapToInt(Attempts::made).sum(), all.size(), all.size() - byId.size(), lost);
        assertThat(byId.keySet()).containsExactlyInAnyOrderElementsOf(logged);
        long cutOff = 0;
        for (Map.Entry<String, List<Receiver.Received>> one : byId.entrySet()) {
            List<Receiver.Received> same = one.getValue();
            Attempts attempts = recorded.get(one.getKey());
            assertThat(same.stream().map(Receiver.Received::body).distinct()).hasSize(1);
            assertThat(attempts.successful()).as(one.getKey()).isEqualTo(1);
            long killed = kills.stream().filter(kill -> !kill.until().isBefore(same.getFirst().at()) && !kill.from().isAfter(same.getLast().at())).count();
            long unrecorded = Math.max(0, same.size() - attempts.made());
            assertThat(unrecorded).as("%s arrived %s, %d attempts are recorded, kills %s", one.getKey(),
                    same.stream().map(Receiver.Received::at).toList(), attempts.made(), kills).isLessThanOrEqualTo(killed);
            cutOff += unrecorded;
        }
        assertThat(cutOff).isLessThanOrEqualTo((long) IN_FLIGHT_MAX * kills.size());
    }

    /** @param until when the receiver had taken the last of what was sent before the kill */
    private record Kill(Instant from, Instant until) {}

    /** What was sent before the kill may wait in the receiver's sockets. */
    private static void awaitQuiet(Receiver receiver) {
        int before;
        do {
            before = receiver.all().size();
            Await.elapsed(Duration.ofMillis(100));
        } while (receiver.all().size() > before);
    }

    private record Attempts(int made, int successful) {}

    private static Map<String, Attempts> attempts(PlatformProcess process) throws IOException, SQLException {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery("""
                select d.event_id, count(*), count(*) filter (where a.status = 200)
                from webhooks.deliveries d join webhooks.attempts a using (delivery_id) group by d.event_id
                """)) {
            Map<String, Attempts> attempts = new HashMap<>();
            while (rows.next()) {
                attempts.put(rows.getString(1), new Attempts(rows.getInt(2), rows.getInt(3)));
            }
            return attempts;
        }
    }

    private void log(PlatformProcess process, String caseId) throws IOException, SQLException {
        try (Connection sql = process.sql(); PreparedStatement append = sql.prepareStatement("""
                insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                select ?::uuid, 'docket_filing', ?::uuid, now(), json_build_object('id', ?, 'event', 'docket_filing', 'data', json_build_object('n', ?))::text
                """); PreparedStatement wake = sql.prepareStatement("select pg_notify('platform_events', '')")) {
            sql.setAutoCommit(false);
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < EVENTS_AT_ONCE; i++) {
                String id = UUID.randomUUID().toString();
                append.setString(1, id);
                append.setString(2, caseId);
                append.setString(3, id);
                append.setInt(4, logged.size() + i);
                append.addBatch();
                ids.add(id);
            }
            append.executeBatch();
            wake.execute();
            sql.commit();
            logged.addAll(ids);
        }
    }

    private static void awaitEmptyQueue(PlatformProcess process) {
        Await.until("the queue empties", () -> count(process, """
                select (select count(*) from webhooks.queue)
                  + (select count(*) from platform.events e where not exists (select from webhooks.feed f where f.sequence = e.sequence))
                """).equals("0"));
    }

    private static Map<String, Integer> states(PlatformProcess process) throws IOException, SQLException {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery(
                "select state, count(*) from webhooks.deliveries group by state")) {
            Map<String, Integer> states = new HashMap<>();
            while (rows.next()) {
                states.put(rows.getString(1), rows.getInt(2));
            }
            return states;
        }
    }

    private static String count(PlatformProcess process, String query) throws IOException, SQLException {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
