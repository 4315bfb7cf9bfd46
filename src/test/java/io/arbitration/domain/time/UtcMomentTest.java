package io.arbitration.domain.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class UtcMomentTest {

    private static final Instant AT = Instant.parse("2026-03-03T09:05:59.999Z");

    @Test
    void peopleReadTheMinuteOrTheDayInUtc() {
        assertThat(UtcMoment.minute(AT)).isEqualTo("3 March 2026, 09:05 UTC");
        assertThat(UtcMoment.day(AT)).isEqualTo("3 March 2026");
    }
}
