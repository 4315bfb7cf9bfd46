package io.arbitration.platform.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.PartState;
import io.vertx.core.Future;
import java.security.cert.CertificateExpiredException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObservedPartTest {

    private final ObservedPart part = new ObservedPart(Clock.fixed(Instant.parse("2026-03-01T10:00:00.5Z"), ZoneOffset.UTC));

    @Test
    void itIsUnusedUntilAUseHasEndedAndThenAsTheLastOfEachKindEnded() {
        assertThat(part.state()).isEqualTo(PartState.of("UNUSED"));
        assertThat(part.state().isWell()).as("nobody knows of a trouble").isTrue();
        part.succeeded("keys");
        assertThat(part.state()).isEqualTo(PartState.of("UP"));
        part.failed("codes", "it answered 401");
        assertThat(part.state()).isEqualTo(new PartState("DOWN", Optional.of("codes: it answered 401 (at 2026-03-01T10:00:00Z)")));
        part.succeeded("keys");
        assertThat(part.state().isWell()).as("another use").isFalse();
        part.succeeded("codes");
        assertThat(part.state()).isEqualTo(PartState.of("UP"));
    }

    @Test
    void aReasonIsOneLineWithABound() {
        part.failed("mails", "no\r\nmore " + "x".repeat(1000));
        assertThat(part.state().trouble().orElseThrow()).startsWith("mails: no more xxx").hasSizeLessThan(350);
    }

    @Test
    void whatIsWrongWithACertificateIsSaidRatherThanThatTheConnectionFailed() {
        part.ended("spans", Future.failedFuture(new IllegalStateException("failed", new CertificateExpiredException("expired yesterday"))));
        assertThat(part.state().trouble().orElseThrow()).contains("certificate is not accepted: expired yesterday");
        part.ended("spans", Future.failedFuture(new IllegalStateException((String) null)));
        assertThat(part.state().trouble().orElseThrow()).contains("IllegalStateException");
    }

    @Test
    void aPasswordIsHiddenInEachFormThatAServerMayRepeat() {
        PasswordMask mask = PasswordMask.of("mail", "secret");
        assertThat(mask.mask("535 secret is wrong, c2VjcmV0 too, and AG1haWwAc2VjcmV0")).isEqualTo("535 *** is wrong, *** too, and ***");
        assertThat(PasswordMask.of("mail", "a\\b\"c").mask("NO LOGIN \"mail\" \"a\\\\b\\\"c\", which is a\\b\"c")).isEqualTo("NO LOGIN \"mail\" \"***\", which is ***");
        assertThat(PasswordMask.of("mail", "").mask("535 no")).isEqualTo("535 no");
        assertThat(PasswordMask.none().mask(null)).isEmpty();
    }
}
