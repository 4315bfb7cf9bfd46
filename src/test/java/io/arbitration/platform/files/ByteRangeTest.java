package io.arbitration.platform.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteRangeTest {

    /** Of a file of 1000 bytes, tagged "t": the answer is whole, out of it, or first byte and length. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', nullValues = "none", textBlock = """
            none, none, whole
            bytes=0-0, none, 0+1
            bytes=0-999, none, 0+1000
            bytes=0-1000, none, 0+1000
            bytes=500-, none, 500+500
            bytes=-1, none, 999+1
            bytes=-1000, none, 0+1000
            bytes=-5000, none, 0+1000
            bytes=999-999, none, 999+1
            bytes=999-99999999999999999999999999, none, 999+1
            bytes=1000-, none, outside
            bytes=1000-2000, none, outside
            bytes=99999999999999999999-, none, outside
            bytes=-0, none, outside
            bytes=5-4, none, whole
            bytes=-, none, whole
            bytes=, none, whole
            bytes=a-b, none, whole
            bytes=1, none, whole
            bytes=+1-2, none, whole
            ~bytes=0-1,3-4~, none, whole
            lines=0-1, none, whole
            Bytes = 0-1, none, 0+2
            bytes=0-1, ~"t"~, 0+2
            bytes=0-1, ~"u"~, whole
            bytes=0-1, W/"t", whole
            bytes=2000-, ~"u"~, whole
            bytes=0-1, ~Tue, 03 Nov 2026 10:02:11 GMT~, whole
            """)
    void oneRangeWithinTheFileIsGivenAndAnythingElseIsTheWholeFileOrOutside(String range, String ifRange, String expected) {
        String found = ByteRange.of(range, ifRange, "\"t\"", 1000)
                .map(part -> part.whole() ? "whole" : part.from() + "+" + part.length())
                .orElse("outside");
        assertThat(found).isEqualTo(expected);
    }
}
