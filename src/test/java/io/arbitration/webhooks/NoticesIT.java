package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.json.JsonObject;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The organization of a URL that is disabled is told by email. */
class NoticesIT {

    @TempDir
    private Path folder;

    private static List<String> told(RunningPlatform platform, String url) {
        return platform.rows("select told_at is not null, due is null, coalesce(trouble, '') from webhooks.notices where url = ?", url).stream()
                .map(row -> String.join(" ", row)).toList();
    }

    private static void awaitTold(RunningPlatform platform, String url, String... as) {
        Hooked.await(() -> told(platform, url).equals(List.of(as)) ? true : null, () -> told(platform, url).toString());
    }

    private static String text(MimeMessage message) {
        try {
            return (String) ((MimeMultipart) message.getContent()).getBodyPart(0).getContent();
        } catch (IOException | MessagingException broken) {
            throw new AssertionError(broken);
        }
    }

    @Test
    void theAdministratorsAreTold() throws Exception {
        GreenMail mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        try (RunningPlatform platform = RunningPlatform.start(folder, Map.of("ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort()));
                Receiver receiver = new Receiver().answering(410)) {
            Hooked hooked = Hooked.on(platform);
            hooked.register(receiver.url());
            hooked.docket();
            receiver.next();
            awaitTold(platform, receiver.url(), "t t ");
            assertThat(mail.waitForIncomingEmail(20_000, 1)).isTrue();
            // Docketing told the people of the case as well; of the URL its administrator alone is told.
            List<MimeMessage> notices = Hooked.await(() -> {
                List<MimeMessage> disabled = Arrays.stream(mail.getReceivedMessages()).filter(message -> text(message).contains(receiver.url())).toList();
                return disabled.isEmpty() ? null : disabled;
            }, () -> Arrays.toString(mail.getReceivedMessages()));
            assertThat(notices).hasSize(1);
            assertThat(notices.getFirst().getRecipients(Message.RecipientType.TO)).extracting(Object::toString).containsExactly(hooked.administrator().email());
            assertThat(text(notices.getFirst())).contains("It answered 410 Gone.", "Hooks Ltd");
        } finally {
            mail.stop();
        }
    }

    @Test
    void theEmailIsAskedForWithTheSameKeyUntilItIsAcceptedAndNotAfterItIsRefused() {
        List<JsonObject> asked = new CopyOnWriteArrayList<>();
        try (RunningPlatform platform = RunningPlatform.start(folder, Map.of("ACP_AREAS_ENABLED", "auth,demo,cases,api,webhooks"));
                Receiver receiver = new Receiver().answering(410)) {
            Hooked hooked = Hooked.on(platform);
            hooked.register(receiver.url());
            hooked.log(1);
            // Nobody serves emails at first.
            Hooked.await(() -> told(platform, receiver.url()).stream().anyMatch(row -> row.startsWith("f f No handlers")) ? true : null,
                    () -> told(platform, receiver.url()).toString());
            platform.vertx().eventBus().<JsonObject>consumer(Addresses.EMAILS_SEND, request -> {
                if (!request.body().getString("template").equals("webhook-disabled")) {
                    // Of an invitation, which is not looked at here.
                    request.reply("Email accepted.");
                    return;
                }
                asked.add(request.body());
                switch (asked.size()) {
                    case 1 -> request.fail(503, "busy");
                    case 2 -> request.reply("Email accepted.");
                    default -> request.fail(400, "to/0: no");
                }
            });
            awaitTold(platform, receiver.url(), "t t ");
            assertThat(asked).hasSize(2);
            assertThat(asked.get(1)).isEqualTo(asked.get(0));
            assertThat(asked.getFirst().getJsonArray("to")).containsExactly(hooked.administrator().email());
            assertThat(asked.getFirst().getString("template")).isEqualTo("webhook-disabled");
            // Two administrators are told of the next one, which is refused.
            Person second = platform.signIn("second-" + UUID.randomUUID() + "@example.org", "Sonja", "Second");
            platform.join(hooked.organizationId(), hooked.administrator(), second, true);
            hooked.register(receiver.url() + "/next");
            hooked.log(1);
            awaitTold(platform, receiver.url() + "/next", "f t to/0: no");
            assertThat(asked).hasSize(3);
            assertThat(asked.getLast().getJsonArray("to")).containsExactlyInAnyOrder(hooked.administrator().email(), second.email());
            assertThat(asked.getLast().getString("idempotencyKey")).isNotEqualTo(asked.getFirst().getString("idempotencyKey"));
        }
    }
}
