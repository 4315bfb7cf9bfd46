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
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
        assertThat(answer.body()).isEqualTo("Welcome to the webhooks of the Arbitration Case Platform, "
                + "created on 2026-11-21 by The Arbitration Case Platform Authors.");
    }
}
