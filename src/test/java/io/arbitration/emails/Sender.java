package io.arbitration.emails;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Somebody who may send emails on a platform. */
final class Sender {

    private static final Duration WAIT = Duration.ofSeconds(120);

    private final RunningPlatform platform;
    private final String token;

    Sender(RunningPlatform platform) {
        this.platform = platform;
        this.token = platform.machine("emails.email.sender");
    }

    /** Sends an email whose key is the address of its one recipient. */
    void send(String address) {
        send(new JsonObject().put("idempotencyKey", address).put("to", new JsonArray().add(address)).put("subject", "Hearing").put("html", "<p>Come.</p>"));
    }

    void send(JsonObject email) {
        Answer answer = platform.post("/emails/email/send", email, token);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    JsonObject retrieve(String key) {
        return platform.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", key), token).object();
    }

    /** Status of the answer to who asks for an email that a mail server has taken. */
    int retrieveSent(String key) {
        return platform.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", key).put("sent", true), token).status();
    }

    /** What has become of the recipient's copy. */
    String state(String recipient) {
        return platform.rows("select state from emails.deliveries where recipient = ?", recipient).getFirst().getFirst();
    }

    void awaitState(String recipient, String state) {
        await(recipient + " is " + state, () -> state(recipient).equals(state));
    }

    /** Code and error of each attempt, in their order. */
    List<List<String>> attempts(String recipient) {
        return platform.rows("""
                select a.code, a.error from emails.attempts a join emails.deliveries d using (delivery_id) where d.recipient = ? order by a.attempt_id
                """, recipient);
    }

    static void await(String what, BooleanSupplier condition) {
        Await.until(what, WAIT, condition::getAsBoolean);
    }
}
