package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import org.junit.jupiter.api.Test;

/** The welcome of the webhooks service. */
class WelcomeIT {

    @Test
    void anyoneIsToldWhenAndByWhomTheServiceWasCreated() {
        Answer answer = RunningPlatform.shared().get("/webhooks/");
        Answer withoutSlash = RunningPlatform.shared().get("/webhooks");
        assertThat(withoutSlash.status()).isEqualTo(200);
        assertThat(withoutSlash.body()).isEqualTo(answer.body());
        assertThat(withoutSlash.header("X-Request-Id")).isNotBlank();
        assertThat(RunningPlatform.shared().get("/webhooks?x=1").status()).isEqualTo(200);
        assertThat(RunningPlatform.shared().get("/webhooksx").status()).isEqualTo(404);
        assertThat(RunningPlatform.shared().get("/cases").status()).isEqualTo(404);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
        assertThat(answer.body()).isEqualTo("Welcome to the webhooks of the Arbitration Case Platform, "
                + "created on 2026-11-21 by The Arbitration Case Platform Authors.");
    }
}
