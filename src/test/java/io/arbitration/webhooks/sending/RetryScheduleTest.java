package io.arbitration.webhooks.sending;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.outbound.RetryAfter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryScheduleTest {

    private static final Instant NOW = Instant.parse("2026-11-21T09:30:00Z");
    private static final List<Duration> PLANNED = List.of(
            Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMinutes(30), Duration.ofHours(2), Duration.ofHours(5),
            Duration.ofHours(10), Duration.ofHours(14), Duration.ofHours(20), Duration.ofHours(24));

    private final RetrySchedule schedule = new RetrySchedule(new Random(1));

    @Test
    void eachPauseIsThePlannedOneWithinTwentyPercentAndTheTenthAttemptIsTheLast() {
        for (int attempt = 1; attempt <= PLANNED.size(); attempt++) {
            Duration planned = PLANNED.get(attempt - 1);
            long shortest = Long.MAX_VALUE;
            long longest = 0;
            for (int i = 0; i < 2000; i++) {
                long millis = schedule.pause(attempt, Optional.empty(), NOW).orElseThrow().toMillis();
                shortest = Math.min(shortest, millis);
                longest = Math.max(longest, millis);
            }
            assertThat(shortest).isBetween((long) (planned.toMillis() * 0.8), (long) (planned.toMillis() * 0.81));
            assertThat(longest).isBetween((long) (planned.toMillis() * 1.19), (long) (planned.toMillis() * 1.2));
        }
        assertThat(schedule.pause(10, Optional.empty(), NOW)).isEmpty();
        assertThat(schedule.pause(10, Optional.of("5"), NOW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            120                           | 120
            0                             | 0
            ' 7 '                         | 7
            Sat, 21 Nov 2026 09:31:00 GMT | 60
            Sat, 21 Nov 2026 09:00:00 GMT | 0
            999999999                     | 86400
            Sun, 21 Nov 2027 09:31:00 GMT | 86400
            -5                            | 0
            soon                          | 0
            99999999999999999999          | 0
            ''                            | 0
            """)
    void bothFormsOfRetryAfterAreUnderstoodAndBounded(String header, long seconds) {
        assertThat(RetryAfter.of(header, NOW)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void aReceiverThatAsksForALaterAttemptGetsIt() {
        assertThat(schedule.pause(1, Optional.of("3600"), NOW)).hasValue(Duration.ofHours(1));
        assertThat(schedule.pause(1, Optional.of("1"), NOW).orElseThrow()).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }
}
