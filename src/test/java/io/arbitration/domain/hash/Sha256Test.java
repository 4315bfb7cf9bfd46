package io.arbitration.domain.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Against the examples of FIPS 180-4 that NIST publishes. */
class Sha256Test {

    private static final String OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void theHashIsThatOfTheStandard() {
        assertThat(Sha256.hex("abc".getBytes(StandardCharsets.UTF_8))).isEqualTo(OF_ABC);
        assertThat(HexFormat.of().formatHex(Sha256.of("abc"))).isEqualTo(OF_ABC);
        assertThat(Sha256.hex(new byte[0])).isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void aTextIsHashedAsUtf8() {
        assertThat(Sha256.of("é")).isEqualTo(Sha256.of(new byte[] {(byte) 0xc3, (byte) 0xa9}));
    }
}
