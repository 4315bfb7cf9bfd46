package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.emails.ScriptedMailServer;
import io.arbitration.emails.ScriptedMailServer.Step;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notices when mail servers refuse, browsers are missing and platforms are killed. */
class NoticeFaultsIT {

    private static final int RECIPIENTS = 12;

    @TempDir
    private Path folder;

    @Test
    void aRefusedEmailIsOnTheRecordAndWithoutABrowserTheProofShowsItsText() throws Exception {
        try (ScriptedMailServer server = new ScriptedMailServer().answering((step, recipient, time) ->
                        step == Step.RECIPIENT && recipient.startsWith("gone-") ? "550 5.1.1 no such mailbox"
                                : step == Step.RECIPIENT && recipient.startsWith("later-") ? "451 4.7.1 come back later" : "250 OK");
                RunningPlatform platform = RunningPlatform.start(folder, Map.of("ACP_SMTP_URL", server.url(), "ACP_CHROMIUM", "/nowhere/chromium"))) {
            Notices notices = Notices.of(OpenCase.on(platform));
            String noticeId = notices.served(notices.request("docketNotice", "gone-" + Notices.address(), "later-" + Notices.address(), Notices.address()));
            JsonObject gone = notices.awaitDelivery(noticeId, 0, "failedAt");
            assertThat(gone.getString("reason")).contains("no such mailbox");
            assertThat(gone.getString("sentAt")).isNotNull();
            assertThat(gone.getValue("deliveredAt")).isNull();
            JsonObject later = notices.awaitDelivery(noticeId, 1, "reason");
            assertThat(later.getString("reason")).contains("come back later");
            assertThat(later.getValue("failedAt")).isNull();
            assertThat(notices.awaitDelivery(noticeId, 2, "deliveredAt").getValue("reason")).isNull();

            Answer proof = notices.open().on("/api/service-of-notice/proof", notices.open().respondent(), new JsonObject().put("noticeID", noticeId));
            assertThat(proof.status()).as(proof.body()).isEqualTo(200);
            Files.write(Path.of("target/proof-without-browser.pdf"), proof.response().body());
            try (PDDocument document = Loader.loadPDF(proof.response().body())) {
                assertThat(new PDFTextStripper().getText(document)).contains("refused by the mail server", "no such mailbox", "come back later",
                        "not yet delivered", "taken by the mail server (250)", "has no working browser", "Notice is hereby given");
            }
        }
    }

    @Test
    void whatTheMailServiceWillNeverTakeIsOnTheRecord() throws SQLException {
        RunningPlatform platform = RunningPlatform.shared();
        Notices notices = Notices.of(OpenCase.on(platform));
        String noticeId = notices.served(notices.request("docketNotice", Notices.address()));
        // No request can name such an address; a row may, after a mistake of ours. It waits in the queue as any other does.
        try (Connection sql = platform.sql(); var insert = sql.prepareStatement("""
                with added as (
                  insert into mainapi.notice_recipients (notice_id, place, email, idempotency_key)
                  values (?::uuid, 2, 'not an address', 'notice-broken-' || ?) returning recipient_id)
                select platform.enqueue('notices', array_agg(recipient_id)) from added
                """)) {
            insert.setString(1, noticeId);
            insert.setString(2, noticeId);
            insert.execute();
        }
        JsonObject delivery = notices.awaitDelivery(noticeId, 1, "failedAt");
        assertThat(delivery.getString("reason")).startsWith("to/0: must be an email address");
        assertThat(platform.rows("select 1 from platform.queue_items q join mainapi.notice_recipients r on q.queue = 'notices' and q.key = r.recipient_id where r.notice_id = ?::uuid", noticeId))
                .isEmpty();
    }

    @Test
    void theMailServiceTakesOnlyFilesThatItCouldSend() {
        RunningPlatform platform = RunningPlatform.shared();
        JsonObject file = new JsonObject().put("fileName", "a.pdf").put("contentType", "application/pdf").put("bytes", 1)
                .put("sha256", "0".repeat(64)).put("blockHashes", java.util.Base64.getEncoder().encodeToString(new byte[32])).put("address", "file://evidence/a");
        Map<JsonObject, String> wrong = Map.of(
                file.copy().put("fileName", "a\r\nBcc: all@example.org"), "attachments/0/fileName: must match",
                file.copy().put("contentType", "text/html"), "attachments/0/contentType: must match",
                file.copy().put("contentID", "no id"), "attachments/0/contentID: must match",
                file.copy().put("address", "../../etc/passwd"), "attachments/0/address: names no object",
                file.copy().put("bytes", 300_000), "attachments/0: bytes, sha256 and blockHashes do not fit together",
                file.copy().put("bytes", 20_000_000).put("blockHashes", java.util.Base64.getEncoder().encodeToString(new byte[32 * 77])),
                "attachments: at most 16777216 bytes together");
        wrong.forEach((attachment, said) -> assertThatThrownBy(() -> platform.ask("emails.send", new JsonObject()
                .put("idempotencyKey", UUID.randomUUID().toString()).put("to", new JsonArray().add(Notices.address())).put("subject", "S")
                .put("html", "<p>x</p>").put("attachments", new JsonArray().add(attachment))))
                .rootCause().hasMessageStartingWith(said));
    }

    /** First where nobody takes emails, so that all wait when it is killed; then when the mail server has some of them. */
    @Test
    void killedBeforeAndWhileItHandsThemOverItServesEveryRecipientOnce() throws Exception {
        AtomicReference<PlatformProcess> victim = new AtomicReference<>();
        AtomicBoolean killed = new AtomicBoolean();
        try (ScriptedMailServer server = new ScriptedMailServer()) {
            server.answering((step, recipient, time) -> {
                if (step != Step.MESSAGE || !recipient.startsWith("kill-") || killed.get()) {
                    return "250 OK";
                }
                // It hands over while it still starts; a test can hold it only when it has.
                if (victim.get() == null) {
                    return "451 4.7.1 come back later";
                }
                killed.set(true);
                victim.get().kill();
                return "";
            });
            Map<String, String> settings = Map.of("ACP_SMTP_URL", server.url(), "ACP_SMTP_EXCHANGE_SECONDS", "8", "ACP_SMTP_IN_FLIGHT", "2");
            Map<String, String> withoutEmails = new HashMap<>(settings);
            withoutEmails.put("ACP_AREAS_ENABLED", "auth,demo,cases,api");
            List<String> addresses = new ArrayList<>();
            for (int i = 0; i < RECIPIENTS; i++) {
                addresses.add((i == RECIPIENTS / 2 ? "kill-" : "") + Notices.address());
            }
            PlatformProcess first = PlatformProcess.start(folder, withoutEmails);
            Notices notices = Notices.of(OpenCase.on(first.platform()));
            notices.served(notices.request("docketNotice", addresses.toArray(String[]::new)));
            assertThat(count(first, "select count(*) from platform.queue_items where queue = 'notices'")).isEqualTo(RECIPIENTS);
            first.kill();
            first.awaitEnd();

            PlatformProcess second = PlatformProcess.start(folder, settings);
            victim.set(second);
            // What is to come back comes at once: its pause grows with each attempt that the machine was too slow for.
            Await.despiteFailures("the mail server has the message that kills", Await.BOUND, () -> {
                if (!killed.get()) {
                    makeDue(second);
                }
                return killed.get();
            });
            second.awaitEnd();

            Instant started = Instant.now();
            try (PlatformProcess last = PlatformProcess.start(folder, settings)) {
                // As if the time of what the killed one held were over. What this one holds is held longer.
                last.endLeases("emails", started, Duration.ofSeconds(25));
                Await.until("every recipient is served", () ->
                        count(last, "select count(*) from emails_api.notice_deliveries where state = 'sent'") == RECIPIENTS);
                assertThat(count(last, "select count(*) from emails_api.notice_emails")).isEqualTo(RECIPIENTS);
                assertThat(count(last, "select count(*) from platform.queue_items where queue = 'notices'")).isZero();
                int copies = 0;
                for (String address : addresses) {
                    List<ScriptedMailServer.Taken> taken = server.takenFor(address);
                    assertThat(taken).as(address).isNotEmpty();
                    assertThat(taken.stream().map(ScriptedMailServer.Taken::message).collect(Collectors.toSet())).as("copies for " + address).hasSize(1);
                    copies += taken.size() - 1;
                }
                // What the mail server had and could not be recorded comes again, byte for byte: two on their way, two being recorded, and
                // the one that was to come back.
                assertThat(copies).isBetween(1, 5);
            }
        }
    }

    private static void makeDue(PlatformProcess process) throws SQLException, java.io.IOException {
        try (Connection sql = process.sql(); Statement statement = sql.createStatement()) {
            statement.execute("update platform.queue_items set due = now() where queue = 'emails' and claim is null");
        }
    }

    private static int count(PlatformProcess process, String query) {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException | java.io.IOException failed) {
            throw new AssertionError(failed);
        }
    }
}
