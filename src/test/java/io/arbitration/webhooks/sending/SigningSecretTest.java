package io.arbitration.webhooks.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SigningSecretTest {

    @Test
    void theSignatureIsThatOfTheStandardsExample() {
        SigningSecret secret = SigningSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        assertThat(secret.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void thePublicVerifierAcceptsWhatWeSignAndNothingElse() throws WebhookVerificationException {
        SigningSecret secret = SigningSecret.random(new Random(7));
        long now = System.currentTimeMillis() / 1000;
        String body = "{\"title\":\"Zürich 東京 🏛\"}";
        Map<String, List<String>> headers = Map.of("webhook-id", List.of("e1"), "webhook-timestamp", List.of(String.valueOf(now)),
                "webhook-signature", List.of(secret.signature("e1", now, body.getBytes(StandardCharsets.UTF_8))));
        new Webhook(secret.text()).verify(body, headers);
        assertThatThrownBy(() -> new Webhook(secret.text()).verify(body + " ", headers)).isInstanceOf(WebhookVerificationException.class);
        assertThatThrownBy(() -> new Webhook(SigningSecret.random(new Random(8)).text()).verify(body, headers))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @Test
    void aSecretSurvivesItsText() {
        SigningSecret secret = SigningSecret.random(new Random(7));
        assertThat(SigningSecret.parse(secret.text()).key()).isEqualTo(secret.key()).hasSize(32);
        assertThat(secret.toString()).doesNotContain(secret.text());
    }
}
