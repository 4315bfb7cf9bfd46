package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.emails.ScriptedMailServer;
import io.arbitration.emails.ScriptedMailServer.Step;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        // No request can name such an address; a row may, after a mistake of ours.
        try (Connection sql = platform.sql(); var insert = sql.prepareStatement("""
                with added as (
                  insert into mainapi.notice_recipients (notice_id, place, email, idempotency_key)
                  values (?::uuid, 2, 'not an address', 'notice-broken-' || ?) returning recipient_id)
                insert into mainapi.notice_outbox (recipient_id, due) select recipient_id, now() from added
                """)) {
            insert.setString(1, noticeId);
            insert.setString(2, noticeId);
            insert.executeUpdate();
        }
        JsonObject delivery = notices.awaitDelivery(noticeId, 1, "failedAt");
        assertThat(delivery.getString("reason")).startsWith("to/0: must be an email address");
        assertThat(platform.rows("select 1 from mainapi.notice_outbox join mainapi.notice_recipients using (recipient_id) where notice_id = ?::uuid", noticeId))
                .isEmpty();
    }

    /** First where nobody takes emails, so that all wait when it is killed; then when the mail server has some of them. */
    @Test
    void killedBeforeAndWhileItHandsThemOverItServesEveryRecipientOnce() throws Exception {
        AtomicReference<PlatformProcess> process = new AtomicReference<>();
        AtomicBoolean killed = new AtomicBoolean();
        try (ScriptedMailServer server = new ScriptedMailServer()) {
            server.answering((step, recipient, time) -> {
                if (step == Step.MESSAGE && recipient.startsWith("kill-") && killed.compareAndSet(false, true)) {
                    process.get().kill();
                    return "";
                }
                return "250 OK";
            });
            Map<String, String> settings = Map.of("ACP_SMTP_URL", server.url(), "ACP_SMTP_EXCHANGE_SECONDS", "1", "ACP_SMTP_IN_FLIGHT", "2");
            Map<String, String> withoutEmails = new HashMap<>(settings);
            withoutEmails.put("ACP_AREAS_ENABLED", "auth,demo,cases,api");
            process.set(PlatformProcess.start(folder, withoutEmails));
            List<String> addresses = new ArrayList<>();
            for (int i = 0; i < RECIPIENTS; i++) {
                addresses.add((i == RECIPIENTS / 2 ? "kill-" : "") + Notices.address());
            }
            Notices notices = Notices.of(OpenCase.on(process.get().platform()));
            notices.served(notices.request("docketNotice", addresses.toArray(String[]::new)));
            assertThat(count(process.get(), "select count(*) from mainapi.notice_outbox")).isEqualTo(RECIPIENTS);
            process.get().kill();
            process.get().awaitEnd();

            process.set(PlatformProcess.start(folder, settings));
            process.get().awaitEnd();
            assertThat(killed).isTrue();

            process.set(PlatformProcess.start(folder, settings));
            try (PlatformProcess last = process.get()) {
                Notices.await("every recipient is served", () ->
                        count(last, "select count(*) from emails_api.notice_deliveries where state = 'sent'") == RECIPIENTS);
                assertThat(count(last, "select count(*) from emails_api.notice_emails")).isEqualTo(RECIPIENTS);
                assertThat(count(last, "select count(*) from mainapi.notice_outbox")).isZero();
                int copies = 0;
                for (String address : addresses) {
                    List<ScriptedMailServer.Taken> taken = server.takenFor(address);
                    assertThat(taken).as(address).isNotEmpty();
                    assertThat(taken.stream().map(ScriptedMailServer.Taken::message).collect(Collectors.toSet())).as("copies for " + address).hasSize(1);
                    copies += taken.size() - 1;
                }
                // What the mail server had and could not be recorded comes again, byte for byte: two on their way, two being recorded.
                assertThat(copies).isBetween(1, 4);
            }
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
