package io.arbitration.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import jakarta.mail.Message;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Alerts while the platform is killed at random moments, and while two nodes tell. {@code -Dalerts.kills=50} kills it more
 * often than the few times of an ordinary run.
 */
class AlertsCrashIT {

    private static final int KILLS = Integer.getInteger("alerts.kills", 2);
    private static final int ENTRIES_PER_ROUND = 3;
    /** So long that nothing is given up because the machine is busy. */
    private static final int EXCHANGE_SECONDS = 8;
    private static final Duration LEASE = Duration.ofSeconds(3 * EXCHANGE_SECONDS + 1);
    private static final Duration WAIT = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final Random random = new Random(20261121);

    /** Runs a query of one number. */
    @FunctionalInterface
    private interface Counting {
        int count(String query);
    }

    private static GreenMail mailServer() {
        GreenMail mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        return mail;
    }

    private static Map<String, String> settings(GreenMail mail) {
        return Map.of("ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(), "ACP_SMTP_EXCHANGE_SECONDS", String.valueOf(EXCHANGE_SECONDS));
    }

    @Test
    void afterAnyNumberOfKillsEveryEntryIsToldToEveryOneAsOneEmail() throws Exception {
        GreenMail mail = mailServer();
        try {
            PlatformProcess process = PlatformProcess.start(folder, settings(mail));
            OpenCase open = opened(process.platform());
            int entries = 0;
            Instant started = Instant.now();
            for (int kill = 0; kill < KILLS; kill++) {
                OpenCase now = on(process.platform(), open);
                for (int i = 0; i < ENTRIES_PER_ROUND; i++) {
                    now.docketed(new JsonObject().put("title", "Entry " + ++entries));
                }
                Await.elapsed(Duration.ofMillis(random.nextInt(400)));
                process.kill();
                process.awaitEnd();
                started = Instant.now();
                process = PlatformProcess.start(folder, settings(mail));
            }
            try (PlatformProcess last = process) {
                last.endLeases("emails", started, LEASE);
                check(mail, open, entries, query -> count(last, query));
            }
        } finally {
            mail.stop();
        }
    }

    @Test
    void twoNodesTellEveryEntryToEveryOneAsOneEmail() {
        GreenMail mail = mailServer();
        // Nobody is killed, so an exchange may take its usual time: one that is given up on a busy machine would be sent again.
        Map<String, String> settings = Map.of("ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort());
        try (RunningPlatform one = RunningPlatform.start(folder.resolve("one"), settings);
                RunningPlatform other = one.sibling(folder.resolve("other"), settings)) {
            OpenCase open = opened(one);
            OpenCase fromOther = on(other, open);
            int entries = 12;
            for (int entry = 1; entry <= entries; entry++) {
                (entry % 2 == 0 ? open : fromOther).docketed(new JsonObject().put("title", "Entry " + entry));
            }
            check(mail, open, entries, query -> Integer.parseInt(one.rows(query).getFirst().getFirst()));
            assertThat(mail.getReceivedMessages()).as("no kill, no copy").hasSize(5 * entries + 5);
        } finally {
            mail.stop();
        }
    }

    /** Of approvals the case manager does not want to be told. */
    private static OpenCase opened(RunningPlatform platform) {
        OpenCase open = OpenCase.on(platform);
        assertThat(platform.post("/alerts/preferences/update", new JsonObject().put("approvals", false), open.manager().token()).status()).isEqualTo(200);
        return open;
    }

    /** The same people in the same case, at another node or after a restart. */
    private static OpenCase on(RunningPlatform platform, OpenCase open) {
        return new OpenCase(platform, open.caseId(), open.claimant(), open.colleague(), open.observer(), open.respondent(), open.manager(),
                open.arbitrator(), open.outsider());
    }

    private static void check(GreenMail mail, OpenCase open, int entries, Counting counting) {
        // All but the case manager, who approves the entries; the claimant, who opened the case, is not told of that.
        List<Person> others = List.of(open.claimant(), open.colleague(), open.observer(), open.respondent(), open.arbitrator());
        int alerts = others.size() * (entries + 1);
        Await.until("every alert is told", () -> counting.count("select count(*) from alerts.alerts where channel = 'email' and state = 'told'") == alerts);
        Await.until("every email is sent", () -> counting.count("select count(*) from emails.deliveries where state = 'sent'") == alerts);
        assertThat(counting.count("select count(*) from alerts.alerts where channel = 'email' and reason is distinct from 'not wanted'")).isEqualTo(alerts);
        assertThat(counting.count("select count(*) from alerts.alerts where channel = 'push' and reason is distinct from 'not wanted'")).isEqualTo(alerts);
        assertThat(counting.count("select count(*) from emails.emails")).isEqualTo(alerts);
        Map<String, Set<String>> ids = idsBySubject(mail);
        assertThat(ids).hasSize(alerts);
        assertThat(ids.values()).as("Message-IDs of one email").allSatisfy(same -> assertThat(same).hasSize(1));
        for (Person person : others) {
            for (int entry = 1; entry <= entries; entry++) {
                assertThat(ids).containsKey("%s Cranes v. Quarry: Entry %d (No. %d)".formatted(person.email(), entry, entry));
            }
        }
        System.out.printf("%d emails for %d entries and %d people, %d copies after kills%n",
                alerts, entries, others.size(), mail.getReceivedMessages().length - alerts);
    }

    private static Map<String, Set<String>> idsBySubject(GreenMail mail) {
        Map<String, Set<String>> ids = new HashMap<>();
        try {
            for (MimeMessage message : mail.getReceivedMessages()) {
                String to = ((InternetAddress) message.getRecipients(Message.RecipientType.TO)[0]).getAddress();
                ids.computeIfAbsent(to + " " + message.getSubject(), key -> new HashSet<>()).add(message.getMessageID());
            }
        } catch (jakarta.mail.MessagingException broken) {
            throw new AssertionError(broken);
        }
        return ids;
    }

    private static int count(PlatformProcess process, String query) {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }
}
