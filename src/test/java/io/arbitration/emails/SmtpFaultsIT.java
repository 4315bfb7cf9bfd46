package io.arbitration.emails;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sending to a mail server that refuses, asks to come back, hangs, goes away and comes back. The second attempt is made after 5 s. */
class SmtpFaultsIT {

    @TempDir
    private static Path folder;

    private static ScriptedMailServer server;
    private static RunningPlatform platform;
    private static Sender sender;

    /** The faults that are over at the second attempt; all mails are sent at once, so that their pauses run beside each other. */
    private static final List<String> PASSING = List.of("busy-", "full-", "hangs-", "closes-", "silent-", "forgets-");
    private static final List<String> LASTING = List.of("unknown-", "spam-");

    private static final String ID = UUID.randomUUID() + "@example.org";

    @BeforeAll
    static void start() {
        server = new ScriptedMailServer();
        platform = RunningPlatform.start(folder, Map.of("ACP_SMTP_URL", server.url(), "ACP_SMTP_EXCHANGE_SECONDS", "10"));
        sender = new Sender(platform);
        server.answering((step, recipient, time) -> switch (recipient.split("-")[0] + (step == ScriptedMailServer.Step.RECIPIENT ? ".recipient" : ".message")) {
            case "busy.recipient" -> time == 1 ? "450 4.2.1 come back later" : "250 OK";
            case "unknown.recipient" -> "550 5.1.1 no such mailbox";
            case "spam.message" -> "554 5.7.1 we do not like it";
            case "full.message" -> time == 1 ? "452 4.3.1 disk full" : "250 OK";
            case "hangs.recipient", "silent.message" -> time == 1 ? null : "250 OK";
            case "closes.recipient", "forgets.message" -> time == 1 ? "" : "250 OK";
            default -> "250 OK";
        });
        Stream.concat(PASSING.stream(), LASTING.stream()).forEach(fault -> sender.send(fault + ID));
    }

    @AfterAll
    static void stop() throws IOException {
        platform.close();
        server.close();
    }

    @Test
    void aServerThatAsksToComeBackIsAskedAgainAndTakesTheMail() {
        sender.awaitState("busy-" + ID, "sent");
        assertThat(sender.attempts("busy-" + ID)).hasSize(2).satisfies(attempts -> {
            assertThat(attempts.getFirst()).containsExactly("450", "recipient address not accepted: 450 4.2.1 come back later");
            assertThat(attempts.getLast()).containsExactly("250", null);
        });
        assertThat(server.takenFor("busy-" + ID)).hasSize(1);
    }

    @Test
    void aRecipientWhoIsRefusedForGoodBouncesAtOnceAndIsNotTriedAgain() {
        sender.awaitState("unknown-" + ID, "bounced");
        assertThat(sender.attempts("unknown-" + ID)).containsExactly(List.of("550", "recipient address not accepted: 550 5.1.1 no such mailbox"));
        assertThat(platform.rows("select 1 from platform.queue_items q join emails.deliveries d on q.queue = 'emails' and q.key = d.delivery_id where d.recipient = ?", "unknown-" + ID)).isEmpty();
    }

    @Test
    void aMailThatIsRefusedForGoodBounces() {
        sender.awaitState("spam-" + ID, "bounced");
        assertThat(sender.attempts("spam-" + ID)).containsExactly(List.of("554", "sending data failed: 554 5.7.1 we do not like it"));
    }

    @Test
    void aServerWithoutSpaceIsAskedAgain() {
        sender.awaitState("full-" + ID, "sent");
        assertThat(sender.attempts("full-" + ID).getFirst()).containsExactly("452", "sending data failed: 452 4.3.1 disk full");
    }

    @Test
    void aServerThatSaysNothingIsGivenUpInTimeAndAskedAgain() {
        sender.awaitState("hangs-" + ID, "sent");
        assertThat(sender.attempts("hangs-" + ID)).hasSize(2).satisfies(attempts -> assertThat(attempts.getFirst().getFirst()).isNull());
        assertThat(platform.rows("select a.duration_millis < 20000 from emails.attempts a join emails.deliveries d using (delivery_id) where d.recipient = ?",
                "hangs-" + ID)).containsOnly(List.of("t"));
    }

    @Test
    void aServerThatClosesTheConnectionIsAskedAgain() {
        sender.awaitState("closes-" + ID, "sent");
        assertThat(sender.attempts("closes-" + ID)).hasSize(2).satisfies(attempts -> assertThat(attempts.getFirst().getFirst()).isNull());
    }

    @Test
    void aMailThatMayHaveBeenTakenIsSentAgainAsTheSameMail() {
        for (String how : List.of("silent-", "forgets-")) {
            sender.awaitState(how + ID, "sent");
            List<ScriptedMailServer.Taken> copies = server.takenFor(how + ID);
            assertThat(copies).hasSize(2);
            assertThat(copies.getFirst().message()).isEqualTo(copies.getLast().message());
        }
    }

    @Test
    void oneRecipientsTroubleIsNotAnothers() {
        sender.send(new JsonObject().put("idempotencyKey", ID).put("subject", "Hearing").put("html", "<p>Come.</p>")
                .put("to", new JsonArray(List.of("a-" + ID, "unknown-b-" + ID, "busy-c-" + ID, "d-" + ID))));
        for (String recipient : List.of("a-" + ID, "busy-c-" + ID, "d-" + ID)) {
            sender.awaitState(recipient, "sent");
            assertThat(server.takenFor(recipient)).hasSize(1);
        }
        sender.awaitState("unknown-b-" + ID, "bounced");
        assertThat(server.takenFor("a-" + ID).getFirst().header("To")).isEqualTo("a-%1$s, unknown-b-%1$s, busy-c-%1$s, d-%1$s".formatted(ID));
        assertThat(sender.attempts("a-" + ID)).hasSize(1);
    }

    @Test
    void aServerThatIsAwayIsWaitedFor(@TempDir Path other) throws IOException {
        int port = FreePort.any();
        try (RunningPlatform waiting = RunningPlatform.start(other, Map.of("ACP_SMTP_URL", "smtp://localhost:" + port, "ACP_SMTP_EXCHANGE_SECONDS", "10"))) {
            Sender patient = new Sender(waiting);
            patient.send("away-" + ID);
            Sender.await("an attempt is recorded", () -> !patient.attempts("away-" + ID).isEmpty());
            assertThat(patient.attempts("away-" + ID).getFirst().getLast()).contains("Connection refused");
            assertThat(patient.state("away-" + ID)).isEqualTo("pending");
            try (ScriptedMailServer back = new ScriptedMailServer(port)) {
                patient.awaitState("away-" + ID, "sent");
                assertThat(back.takenFor("away-" + ID)).hasSize(1);
            }
        }
    }
}
