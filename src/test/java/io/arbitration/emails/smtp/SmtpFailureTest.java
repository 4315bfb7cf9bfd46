package io.arbitration.emails.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.telemetry.PasswordMask;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is kept of the words of a mail server. */
class SmtpFailureTest {

    @Test
    void noPartOfAPasswordRemainsWhereTheTextIsCut() {
        String answer = "x".repeat(SendAttempt.ERROR_LENGTH_MAX - 4) + "secret is wrong";
        String kept = SmtpFailure.of(new IOException(answer), PasswordMask.of("mail", "secret")).error();
        assertThat(kept).hasSize(SendAttempt.ERROR_LENGTH_MAX).doesNotContain("s");
    }
}
