package io.arbitration.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The platform is killed at random moments while it sends from its queue: before a POST, during it, after the 201 and before
 * that is recorded. {@code -Dpush.kills=100} kills it more often than the few times of an ordinary run.
 */
class PushCrashIT {

    private static final int KILLS = Integer.getInteger("push.kills", 2);
    private static final int MESSAGES_AT_ONCE = 5;
    private static final int BROWSERS = 3;
    /** Of the lease of 5 s, when a message that its attempt of at most 2 s sent at its end is read a little late. */
    private static final Duration LEASE_LEFT = Duration.ofMillis(2500);

    @TempDir
    private Path folder;

    private final Random random = new Random(20261121);
    private final List<String> put = new ArrayList<>();

    @Test
    void afterAnyNumberOfKillsEveryMessageHasArrivedAndOnlyWhatWasOnItsWayTwice() throws Exception {
        List<Instant> kills = new ArrayList<>();
        try (PushServer service = new PushServer().answering((exchange, taken) -> {
            // Some answers take long enough to be killed in front of.
            Await.elapsed(Duration.ofMillis(random.nextInt(30)));
            exchange.sendResponseHeaders(201, -1);
        })) {
            // Attempts of at most 2 s, so that the lease of a killed node ends after 5 s.
            Map<String, String> settings = new HashMap<>(Pushed.settings(service));
            settings.put("ACP_PUSH_EXCHANGE_SECONDS", "2");
            PlatformProcess process = PlatformProcess.start(folder, settings);
            Pushed pushed = Pushed.on(process.platform(), service);
            Person person = pushed.person();
            List<Browser> browsers = IntStream.range(0, BROWSERS).mapToObj(i -> pushed.browser()).toList();
            browsers.forEach(browser -> pushed.subscribe(browser, person));
            for (int kill = 0; kill < KILLS; kill++) {
                long killAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(900));
                while (System.nanoTime() < killAt) {
                    put(process, person);
                    Await.elapsed(Duration.ofMillis(random.nextInt(20)));
                }
                kills.add(Instant.now());
                process.kill();
                process.awaitEnd();
                process = PlatformProcess.start(folder, settings);
            }
            try (PlatformProcess last = process) {
                put(last, person);
                awaitEmptyQueue(last);
                assertThat(states(last)).isEqualTo(Map.of("sent", (long) put.size() * BROWSERS));
                Map<String, Integer> attempts = attempts(last);
                browsers.forEach(browser -> check(browser, service.all(browser), kills, attempts));
            }
            assertThat(service.refused()).isEmpty();
        }
    }

    /**
     * An arrival beyond the attempts that are recorded was cut off: by a kill, or because the machine stood still for longer than
     * a lease. Either way the message was sent again only after the lease of the one before had ended, and by its topic it
     * replaces itself.
     */
    private void check(Browser browser, List<PushServer.Taken> all, List<Instant> kills, Map<String, Integer> attempts) {
        Map<String, List<PushServer.Taken>> byTitle = all.stream().collect(Collectors.groupingBy(taken -> taken.message().getString("title")));
        assertThat(byTitle.keySet()).containsExactlyInAnyOrderElementsOf(put);
        byTitle.forEach((title, same) -> {
            long afterALease = IntStream.range(1, same.size())
                    .filter(i -> Duration.between(same.get(i - 1).at(), same.get(i).at()).compareTo(LEASE_LEFT) >= 0).count();
            assertThat((long) same.size() - attempts.get(title + " " + browser.endpoint()))
                    .as("%s arrived at %s; kills %s", title, same.stream().map(PushServer.Taken::at).toList(), kills).isLessThanOrEqualTo(afterALease);
            assertThat(same.stream().map(taken -> taken.header("Topic")).distinct()).hasSize(1);
        });
        System.out.printf("%d kills, %d messages to a browser, %d arrivals more%n", kills.size(), put.size(), all.size() - put.size());
    }

    /** Recorded ones, by message and endpoint. */
    private static Map<String, Integer> attempts(PlatformProcess process) throws IOException, SQLException {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery("""
                select m.idempotency_key || ' ' || s.endpoint, d.attempts
                from push.deliveries d join push.messages m using (message_id) join push.subscriptions s using (subscription_id)
                """)) {
            Map<String, Integer> attempts = new HashMap<>();
            while (rows.next()) {
                attempts.put(rows.getString(1), rows.getInt(2));
            }
            return attempts;
        }
    }

    /** As another area does over the event bus, whose other side is in the process: the same statement. */
    private void put(PlatformProcess process, Person person) throws IOException, SQLException {
        try (Connection sql = process.sql(); PreparedStatement insert = sql.prepareStatement("""
                with message as (
                  insert into push.messages (idempotency_key, user_id, payload, created, expires)
                  values (?, ?::uuid, convert_to(?, 'UTF8'), now(), now() + interval '1 hour') returning message_id, user_id)
                insert into push.deliveries (message_id, subscription_id, service, ready, due)
                select m.message_id, s.subscription_id, s.service, true, now() from message m join push.subscriptions s using (user_id)
                """); PreparedStatement wake = sql.prepareStatement("select pg_notify('push_due', '')")) {
            sql.setAutoCommit(false);
            List<String> titles = new ArrayList<>();
            for (int i = 0; i < MESSAGES_AT_ONCE; i++) {
                String title = "message " + (put.size() + i);
                insert.setString(1, title);
                insert.setString(2, person.id());
                insert.setString(3, new JsonObject().put("title", title).encode());
                insert.addBatch();
                titles.add(title);
            }
            insert.executeBatch();
            wake.execute();
            sql.commit();
            put.addAll(titles);
        }
    }

    private static void awaitEmptyQueue(PlatformProcess process) {
        Await.until("the queue empties", () -> !states(process).containsKey("pending"));
    }

    private static Map<String, Long> states(PlatformProcess process) throws IOException, SQLException {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery("select state, count(*) from push.deliveries group by state")) {
            Map<String, Long> states = new HashMap<>();
            while (rows.next()) {
                states.put(rows.getString(1), rows.getLong(2));
            }
            return states;
        }
    }
}
