package io.arbitration.emails.bounces;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Emails of notices that come back after a mail server had taken them: a clerk sees that the service failed. */
class BouncesIT {

    private static final String GONE = "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such mailbox";

    @TempDir
    private Path folder;

    private static void deliver(Path maildir, String message) throws IOException {
        Path written = Files.writeString(maildir.resolve("tmp").resolve("%d.%s".formatted(System.nanoTime(), UUID.randomUUID())), message);
        Files.move(written, maildir.resolve("new").resolve(written.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String served(OpenCase open, String... addresses) {
        JsonArray recipients = new JsonArray();
        List.of(addresses).forEach(address -> recipients.add(new JsonObject().put("email", address)));
        String entryId = open.docketed(new JsonObject());
        Answer answer = open.on("/api/service-of-notice/send", open.claimant(),
                new JsonObject().put("entryID", entryId).put("mailType", "docketNotice").put("recipients", recipients));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getString("noticeID");
    }

    private static JsonObject delivery(OpenCase open, int recipient) {
        return open.on("/api/service-of-notice/list", open.claimant(), new JsonObject()).object().getJsonArray("notices").getJsonObject(0)
                .getJsonArray("recipients").getJsonObject(recipient);
    }

    private static JsonObject awaited(OpenCase open, int recipient, String member) {
        Await.until(member + " of recipient " + recipient, () -> delivery(open, recipient).getValue(member) != null);
        return delivery(open, recipient);
    }

    /** What the mail server was told as the sender of the envelope. */
    private static String returnPath(GreenMail mail, String recipient) throws Exception {
        return Await.value("the mail to " + recipient, () -> {
            for (MimeMessage message : mail.getReceivedMessages()) {
                if (message.getAllRecipients()[0].toString().equals(recipient)) {
                    return message.getHeader("Return-Path")[0].replaceAll("[<>]", "");
                }
            }
            return null;
        });
    }

    @Test
    void whatComesBackToTheMaildirIsOnTheRecordOfTheNoticeAndInItsProof() throws Exception {
        Path maildir = folder.resolve("maildir");
        for (String part : List.of("new", "cur", "tmp")) {
            Files.createDirectories(maildir.resolve(part));
        }
        GreenMail mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        try (RunningPlatform platform = RunningPlatform.start(folder.resolve("data"), Map.of(
                "ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(), "ACP_EMAILS_RETURN_PATH", "bounces@mail.example.org",
                "ACP_EMAILS_BOUNCES_MAILDIR", maildir.toString(), "ACP_EMAILS_BOUNCES_POLL_SECONDS", "1"))) {
            OpenCase open = OpenCase.on(platform);
            String gone = "gone-" + UUID.randomUUID() + "@example.org";
            String there = "there-" + UUID.randomUUID() + "@example.org";
            String noticeId = served(open, gone, there);
            awaited(open, 0, "deliveredAt");
            awaited(open, 1, "deliveredAt");
            String path = returnPath(mail, gone);
            assertThat(path).matches("bounces\\+[0-9a-f]{32}@mail\\.example\\.org").isNotEqualTo(returnPath(mail, there));

            // Junk, a report on a copy that there is not, one that says only that it is late, and one that is forged for the other.
            deliver(maildir, "what is this");
            deliver(maildir, DeliveryReportTest.report("bounces+" + "0".repeat(32) + "@mail.example.org", GONE));
            deliver(maildir, DeliveryReportTest.report(returnPath(mail, there), "Action: delayed\nStatus: 4.4.1"));
            deliver(maildir, DeliveryReportTest.report(path, GONE));
            deliver(maildir, DeliveryReportTest.report(path, "Action: failed\nDiagnostic-Code: smtp; a second report"));
            JsonObject failed = awaited(open, 0, "failedAt");
            assertThat(failed.getString("reason")).isEqualTo("came back: 550 5.1.1 no such mailbox");
            assertThat(failed.getString("deliveredAt")).as("the mail server had taken it").isLessThanOrEqualTo(failed.getString("failedAt"));
            // What is being read stands there, too.
            Await.until("all are read, and one is left for a person", () -> {
                try (var unread = Files.list(maildir.resolve("new")); var left = Files.list(maildir.resolve("cur"))) {
                    return unread.findAny().isEmpty() && left.count() == 1;
                }
            });
            assertThat(delivery(open, 1).getValue("failedAt")).isNull();
            assertThat(delivery(open, 0)).isEqualTo(failed);

            Answer proof = open.on("/api/service-of-notice/proof", open.claimant(), new JsonObject().put("noticeID", noticeId));
            assertThat(proof.status()).as(proof.body()).isEqualTo(200);
            try (PDDocument document = Loader.loadPDF(proof.response().body())) {
                assertThat(new PDFTextStripper().getText(document)).contains("But later", "came back: 550 5.1.1 no such mailbox");
            }
        } finally {
            mail.stop();
        }
    }

    @Test
    void whatComesBackToAMailboxIsReadByImap() throws Exception {
        GreenMail mail = new GreenMail(new ServerSetup[] {new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP),
            new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_IMAP)});
        mail.start();
        GreenMailUser bounces = mail.setUser("bounces@mail.example.org", "bounces", "pass word");
        try (RunningPlatform platform = RunningPlatform.start(folder.resolve("data"), Map.of(
                "ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(), "ACP_EMAILS_RETURN_PATH", "bounces@mail.example.org",
                "ACP_EMAILS_BOUNCES_IMAP_URL", "imap://bounces:pass%20word@127.0.0.1:" + mail.getImap().getPort() + "/INBOX",
                "ACP_EMAILS_BOUNCES_POLL_SECONDS", "1"))) {
            OpenCase open = OpenCase.on(platform);
            String gone = "gone-" + UUID.randomUUID() + "@example.org";
            served(open, gone);
            awaited(open, 0, "deliveredAt");
            String path = returnPath(mail, gone);
            for (String message : List.of("Subject: junk\r\n\r\njunk", DeliveryReportTest.report(path, GONE))) {
                bounces.deliver(new MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8))));
            }
            assertThat(awaited(open, 0, "failedAt").getString("reason")).isEqualTo("came back: 550 5.1.1 no such mailbox");
            Await.until("the report is removed and the junk is left", () -> mail.getManagers().getImapHostManager().getInbox(bounces).getMessageCount() == 1);
            assertThat(platform.health().getJsonObject("parts").getString("bounces")).isEqualTo("UP");
        } finally {
            mail.stop();
        }
    }

    @Test
    void aMailboxWhosePasswordWasChangedIsNamedAndReadWhenItIsTakenAgain() throws Exception {
        GreenMail mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_IMAP));
        mail.start();
        GreenMailUser bounces = mail.setUser("bounces@mail.example.org", "bounces", "another-password");
        try (RunningPlatform platform = RunningPlatform.start(folder.resolve("data"), Map.of(
                "ACP_EMAILS_RETURN_PATH", "bounces@mail.example.org", "ACP_EMAILS_BOUNCES_POLL_SECONDS", "1",
                "ACP_EMAILS_BOUNCES_IMAP_URL", "imap://bounces:first-password@127.0.0.1:" + mail.getImap().getPort() + "/INBOX"))) {
            JsonObject health = Await.value("the mailbox is seen to refuse", () -> {
                JsonObject seen = platform.health();
                return seen.getJsonObject("parts").getString("bounces").equals("DOWN") ? seen : null;
            });
            assertThat(health.getJsonObject("troubles").getString("bounces")).startsWith("imap: ").doesNotContain("first-password");
            bounces.setPassword("first-password");
            Await.until("the mailbox is read", () -> platform.health().getJsonObject("parts").getString("bounces").equals("UP"));
        } finally {
            mail.stop();
        }
    }

    private static JsonObject healthWithBounces(RunningPlatform platform, String word) {
        return Await.value("the maildir is " + word, () -> {
            JsonObject seen = platform.health();
            return seen.getJsonObject("parts").getString("bounces").equals(word) ? seen : null;
        });
    }

    /** As if its disk were mounted after the start, and again later. */
    @Test
    void aMaildirThatIsAwayIsNamedAndReadWhenItIsBack() throws Exception {
        Path maildir = folder.resolve("maildir");
        Path away = folder.resolve("away");
        try (RunningPlatform platform = RunningPlatform.start(folder.resolve("data"), Map.of("ACP_EMAILS_RETURN_PATH", "bounces@mail.example.org",
                "ACP_EMAILS_BOUNCES_MAILDIR", maildir.toString(), "ACP_EMAILS_BOUNCES_POLL_SECONDS", "1"))) {
            assertThat(healthWithBounces(platform, "DOWN").getJsonObject("troubles").getString("bounces")).startsWith("maildir: ").contains(maildir.toString());
            for (String part : List.of("new", "tmp")) {
                Files.createDirectories(maildir.resolve(part));
            }
            healthWithBounces(platform, "UP");
            Files.move(maildir, away);
            JsonObject down = healthWithBounces(platform, "DOWN");
            assertThat(down.getString("status")).isEqualTo("UP");
            deliver(away, "what is this");
            Files.move(away, maildir);
            healthWithBounces(platform, "UP");
            Await.until("what came meanwhile is left for a person", () -> {
                try (var left = Files.list(maildir.resolve("cur"))) {
                    return left.count() == 1;
                } catch (NoSuchFileException notYet) {
                    return false;
                }
            });
        }
    }
}
