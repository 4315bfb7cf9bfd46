package io.arbitration.platform.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-11-21T09:30:00Z");

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
}
