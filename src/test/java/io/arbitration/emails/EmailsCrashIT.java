package io.arbitration.emails;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.PlatformProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The platform is killed when the mail server has the mail and has not said so: what was on its way comes again as the same mail. */
class EmailsCrashIT {

    private static final int KILLS = 3;
    private static final int EMAILS_PER_KILL = 6;
    private static final int IN_FLIGHT = 2;
    /** So long that nothing is given up because the machine is busy. */
    private static final int EXCHANGE_SECONDS = 8;
    private static final Duration LEASE = Duration.ofSeconds(3 * EXCHANGE_SECONDS + 1);

    @TempDir
    private Path folder;

    @Test
    void killedBetweenSendingAndRecordingItSendsTheSameMailAgainAndLosesNone() throws Exception {
        AtomicReference<PlatformProcess> process = new AtomicReference<>();
        try (ScriptedMailServer server = new ScriptedMailServer()) {
            server.answering((step, recipient, time) -> {
                if (step == ScriptedMailServer.Step.MESSAGE && recipient.startsWith("kill-") && time == 1) {
                    process.get().kill();
                    return "";
                }
                return "250 OK";
            });
            Map<String, String> settings = Map.of("ACP_SMTP_URL", server.url(), "ACP_SMTP_EXCHANGE_SECONDS", String.valueOf(EXCHANGE_SECONDS), "ACP_SMTP_IN_FLIGHT", String.valueOf(IN_FLIGHT));
            List<String> all = new ArrayList<>();
            process.set(PlatformProcess.start(folder, settings));
            Instant started = Instant.now();
            for (int kill = 0; kill < KILLS; kill++) {
                all.addAll(sendUntilKilled(process.get(), kill));
                process.get().awaitEnd();
                started = Instant.now();
                process.set(PlatformProcess.start(folder, settings));
            }
            try (PlatformProcess last = process.get()) {
                last.endLeases("emails", started, LEASE);
                Sender.await("every copy is sent", () -> count(last, "select count(*) from emails.deliveries where state <> 'sent'") == 0);
                // An email may be kept although the answer that said so was cut off.
                List<String> kept = recipients(last);
                assertThat(kept).containsAll(all).hasSizeLessThanOrEqualTo(all.size() + KILLS);
                int copies = 0;
                for (String recipient : kept) {
                    List<ScriptedMailServer.Taken> taken = server.takenFor(recipient);
                    assertThat(taken).as(recipient).isNotEmpty();
                    assertThat(taken.stream().map(ScriptedMailServer.Taken::message).collect(Collectors.toSet())).as("copies of " + recipient).hasSize(1);
                    copies += taken.size() - 1;
                }
                // At each kill at most as many were on their way as may be at once, and as many being recorded.
                assertThat(copies).isBetween(KILLS, 2 * IN_FLIGHT * KILLS);
            }
        }
    }

    /** Every email whose connectionLimit was answered; the one that kills comes in the middle. */
    private static List<String> sendUntilKilled(PlatformProcess process, int kill) {
        String token = process.platform().machine("emails.email.sender");
        List<String> accepted = new ArrayList<>();
        for (int i = 0; i < EMAILS_PER_KILL; i++) {
            String recipient = "%s-%s@example.org".formatted(i == EMAILS_PER_KILL / 2 ? "kill" : "mail", UUID.randomUUID());
            JsonObject email = new JsonObject().put("idempotencyKey", recipient).put("to", new JsonArray().add(recipient)).put("subject", "Kill " + kill)
                    .put("template", "case-created").put("data", new JsonObject().put("caseTitle", "Cranes").put("createdAt", "today"));
            try {
                if (process.platform().post("/emails/email/send", email, token).status() == 200) {
                    accepted.add(recipient);
                }
            } catch (IllegalStateException killed) {
                // Not answered: it may be kept or not, and its sender would ask again.
                break;
            }
        }
        return accepted;
    }

    private static List<String> recipients(PlatformProcess process) throws Exception {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery("select recipient from emails.deliveries")) {
            List<String> recipients = new ArrayList<>();
            while (rows.next()) {
                recipients.add(rows.getString(1));
            }
            return recipients;
        }
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
