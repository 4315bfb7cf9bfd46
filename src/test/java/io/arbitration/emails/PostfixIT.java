package io.arbitration.emails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mail server as others run it: STARTTLS, greylisting, and a report when a mail cannot be passed on. */
class PostfixIT {

    @TempDir
    private static Path folder;

    private static Optional<Postfix> found = Optional.empty();
    private static RunningPlatform platform;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(OtherRuntimes.runs("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder.resolve("key.pem").toString(),
                "-out", folder.resolve("certificate.pem").toString(), "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"), "no openssl");
        found = Postfix.start(Files.createDirectories(folder.resolve("postfix")), folder.resolve("certificate.pem"), folder.resolve("key.pem"));
        assumeTrue(found.isPresent(), "no Postfix");
        platform = RunningPlatform.start(folder.resolve("data"), Map.of("ACP_SMTP_URL", "smtp://localhost:" + found.get().port(), "ACP_SMTP_START_TLS", "required",
                "ACP_SMTP_TRUSTED_CERTIFICATES_FILE", folder.resolve("certificate.pem").toString(), "ACP_EMAILS_RETURN_PATH", "bounces@mail.example.org",
                "ACP_EMAILS_BOUNCES_MAILDIR", found.get().bounces().toString(), "ACP_EMAILS_BOUNCES_POLL_SECONDS", "1"));
    }

    @AfterAll
    static void stop() {
        if (platform != null) {
            platform.close();
        }
        found.ifPresent(Postfix::close);
    }

    @Test
    void aMailComesBackAfterGreylistingAndIsDeliveredEncrypted() throws Exception {
        String recipient = "person-" + UUID.randomUUID() + "@" + Postfix.HERE;
        Sender sender = new Sender(platform);
        sender.send(recipient);
        sender.awaitState(recipient, "sent");
        assertThat(sender.attempts(recipient)).hasSizeGreaterThan(1);
        assertThat(sender.attempts(recipient).getFirst().getFirst()).isEqualTo("450");
        assertThat(sender.attempts(recipient).getFirst().getLast()).contains("Greylisted");
        assertThat(sender.attempts(recipient).getLast().getFirst()).isEqualTo("250");
        Await.until("the mail is in the mailbox", () -> found.orElseThrow().mailbox().stream().anyMatch(mail -> mail.contains(recipient)));
        assertThat(found.orElseThrow().mailbox()).filteredOn(mail -> mail.contains(recipient)).singleElement().asString()
                .containsPattern("\\(using TLSv1\\.[23] with cipher").containsPattern("Return-Path: <bounces\\+[0-9a-f]{32}@mail\\.example\\.org>");
    }

    @Test
    void whatCannotBePassedOnIsReportedAndOnTheRecordOfTheNotice() {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject());
        Answer answer = open.on("/api/service-of-notice/send", open.claimant(), new JsonObject().put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("email", "gone-" + UUID.randomUUID() + "@" + Postfix.ELSEWHERE))));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        Sender.await("the report of Postfix is read", () -> recipient(open).getValue("failedAt") != null);
        assertThat(recipient(open).getString("reason")).isEqualTo("came back: 500 5.3.0 Error: command failed");
        assertThat(recipient(open).getString("deliveredAt")).as("Postfix had taken it").isLessThanOrEqualTo(recipient(open).getString("failedAt"));
    }

    private static JsonObject recipient(OpenCase open) {
        return open.on("/api/service-of-notice/list", open.claimant(), new JsonObject()).object().getJsonArray("notices").getJsonObject(0)
                .getJsonArray("recipients").getJsonObject(0);
    }
}
