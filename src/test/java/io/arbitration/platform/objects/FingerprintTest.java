package io.arbitration.platform.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.hash.Sha256;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {

    private static final int BLOCK = Fingerprint.BLOCK_BYTES;

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static Fingerprint of(byte[] bytes, int chunk) {
        Fingerprint.Taker taker = new Fingerprint.Taker();
        for (int from = 0; from < bytes.length; from += chunk) {
            taker.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + chunk)));
        }
        return taker.end();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 3 * BLOCK + 7})
    void provesTheWholeAndEachBlockByTheHashOfItsBytesHoweverTheyArrive(int length) {
        byte[] all = bytes(length);
        for (int chunk : new int[] {BLOCK, BLOCK / 2 + 1, 2 * BLOCK, Math.max(1, length)}) {
            Fingerprint taken = of(all, chunk);

            assertThat(taken.bytes()).isEqualTo(length);
            assertThat(taken.sha256()).isEqualTo(Sha256.hex(all));
            int blocks = Math.ceilDiv(length, BLOCK);
            assertThat(taken.blockHashes().length()).isEqualTo(32 * blocks);
            for (int block = 0; block < blocks; block++) {
                byte[] bytes = Arrays.copyOfRange(all, block * BLOCK, Math.min(length, (block + 1) * BLOCK));
                assertThat(taken.blockHashes().getBytes(32 * block, 32 * (block + 1))).as("block %d of %d in chunks of %d", block, blocks, chunk)
                        .isEqualTo(Sha256.of(bytes));
                assertThat(taken.proves(block, bytes)).isTrue();
            }
        }
    }

    @Test
    void provesNoAlteredBlock() {
        byte[] all = bytes(BLOCK + 1);
        Fingerprint taken = of(all, BLOCK);
        byte[] first = Arrays.copyOf(all, BLOCK);
        first[BLOCK - 1] ^= 1;

        assertThat(taken.proves(0, first)).isFalse();
        assertThat(taken.proves(1, new byte[] {(byte) (all[BLOCK] ^ 1)})).isFalse();
    }
}
