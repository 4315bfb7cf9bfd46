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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The platform as a process of its own whose database is restarted, or that sleeps while its lease ends. */
class WebhooksProcessFaultsIT {

    /** Attempts of at most 2 s, so that a lease ends after 5 s. */
    private static final Map<String, String> SETTINGS = Map.of("ACP_WEBHOOKS_EXCHANGE_SECONDS", "2");
    private static final Duration WAIT = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    @FunctionalInterface
    private interface Question {
        boolean answered() throws IOException, SQLException;
    }

    /** Logs an event; its id, or null when the commit did not come back. */
    private static String log(PlatformProcess process, String caseId) {
        String id = UUID.randomUUID().toString();
        try (Connection sql = process.sql(); PreparedStatement append = sql.prepareStatement("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                  select ?::uuid, 'docket_filing', ?::uuid, now(), json_build_object('id', ?, 'event', 'docket_filing')::text returning sequence)
                select pg_notify('platform_events', '') from appended
                """)) {
            append.setString(1, id);
            append.setString(2, caseId);
            append.setString(3, id);
            append.execute();
            return id;
        } catch (SQLException | IOException away) {
            return null;
        }
    }

    private static List<String> rows(PlatformProcess process, String query) throws IOException, SQLException {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery(query)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        }
    }

    /** Besides what came back as committed, an event whose commit's answer was lost may be in the log. */
    private static boolean isEverythingTold(PlatformProcess process) throws IOException, SQLException {
        return rows(process, """
                select (select count(*) from webhooks.queue)
                  + (select count(*) from platform.events e where not exists (select from webhooks.feed f where f.sequence = e.sequence))
                """).equals(List.of("0"));
    }

    @Test
    void aDatabaseThatIsRestartedUnderLoadLosesNothing() throws Exception {
        try (Receiver receiver = new Receiver(); PlatformProcess process = PlatformProcess.start(folder, SETTINGS)) {
            Hooked hooked = Hooked.on(process.platform());
            hooked.register(receiver.url());
            List<String> committed = new ArrayList<>();
            // Twice its sessions are thrown out and it recovers, twice the server itself is killed and started again.
            for (int restart = 0; restart < 4; restart++) {
                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
                while (System.nanoTime() < until) {
                    String id = log(process, hooked.caseId());
                    if (id != null) {
                        committed.add(id);
                    }
                }
                if (restart % 2 == 0) {
                    process.killDatabaseSession();
                } else {
                    process.killDatabase();
                }
                Await.despiteFailures("the database is back", WAIT, () -> log(process, hooked.caseId()) != null);
            }
            Await.despiteFailures("everything is told", WAIT, () -> isEverythingTold(process));
            Map<String, List<Receiver.Received>> arrived = receiver.all().stream().collect(Collectors.groupingBy(one -> one.header("webhook-id")));
            assertThat(committed).hasSizeGreaterThan(20);
            assertThat(arrived.keySet()).containsAll(committed);
            assertThat(rows(process, "select distinct state from webhooks.deliveries")).containsExactly("delivered");
            arrived.forEach((id, same) -> assertThat(same.stream().map(Receiver.Received::body).distinct()).as(id).hasSize(1));
            // Sent again is what was on its way when the database went, or sent and not yet recorded: 16 for each time.
            assertThat(arrived.values().stream().mapToInt(same -> same.size() - 1).sum()).isLessThanOrEqualTo(4 * 16);
            System.out.printf("database restarted 4 times: %d events, %d arrivals%n", arrived.size(), receiver.all().size());
        }
    }

    @Test
    void aNodeThatSleptThroughItsLeaseChangesNothingWhenItWakes() throws Exception {
        CountDownLatch awake = new CountDownLatch(1);
        try (Receiver receiver = new Receiver(); PlatformProcess sleeper = PlatformProcess.start(folder.resolve("sleeper"), SETTINGS)) {
            receiver.answering((exchange, received) -> {
                boolean isFirst = receiver.all().size() == 1;
                if (isFirst) {
                    awaitQuietly(awake);
                }
                exchange.sendResponseHeaders(isFirst ? 410 : 200, -1);
            });
            Hooked hooked = Hooked.on(sleeper.platform());
            hooked.register(receiver.url());
            String id = log(sleeper, hooked.caseId());
            Receiver.Received first = receiver.next();
            sleeper.suspend();
            try (PlatformProcess other = sleeper.sibling(folder.resolve("other"), SETTINGS)) {
                // The lease ends, the other node takes the delivery over.
                Receiver.Received second = receiver.next(WAIT);
                assertThat(second.header("webhook-id")).isEqualTo(first.header("webhook-id")).isEqualTo(id);
                assertThat(second.body()).isEqualTo(first.body());
                Await.despiteFailures("it is delivered", WAIT, () -> rows(sleeper, "select state from webhooks.deliveries").equals(List.of("delivered")));
                // The answer to the first attempt comes now; taken for good, it would disable the URL.
                awake.countDown();
                sleeper.resume();
                assertThat(other.platform().url()).isNotEqualTo(sleeper.platform().url());
            }
            // The other node is gone: what is delivered now, the sleeper delivers, after it has dealt with its stale attempt.
            String next = log(sleeper, hooked.caseId());
            assertThat(receiver.next(WAIT).header("webhook-id")).isEqualTo(next);
            Await.despiteFailures("the next one is delivered", WAIT, () -> rows(sleeper, "select state from webhooks.deliveries").equals(List.of("delivered", "delivered")));
            assertThat(rows(sleeper, "select status from webhooks.attempts order by attempt_id")).containsExactly("200", "200");
            assertThat(rows(sleeper, "select count(*) from webhooks.urls where disabled_at is not null")).containsExactly("0");
        } finally {
            awake.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
