package io.arbitration.platform.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

class DeflatedRunTest {

    /** The reader checks the sum at the end. */
    @Test
    void unpacksToWhatItIsARunOf() throws IOException {
        for (int bytes : new int[] {0, 1, 70_000, 1 << 20, 3_500_123}) {
            for (byte value : new byte[] {0, 'a', (byte) 0xff}) {
                byte[] expected = new byte[bytes];
                Arrays.fill(expected, value);
                assertThat(new InflaterInputStream(new ByteArrayInputStream(DeflatedRun.of(value, bytes))).readAllBytes()).isEqualTo(expected);
            }
        }
        assertThat(DeflatedRun.of((byte) 0, 300 << 20)).hasSizeLessThan(320_000);
    }
}
